import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { queryKey } from '../schema/queryKey.ts';
import { references } from '../schema/references.ts';
import { isStale } from '../store/expiry.ts';
import { HoldfastError } from '../util/errors.ts';
import { Answers } from './Answers.ts';
import { applyRestored } from './applyRestored.ts';
import type { Asked, Call } from './Call.ts';
import type { Core } from './Core.ts';
import type { Place } from './InFlight.ts';
import { expiryOf, readEndpoint } from './reading.ts';
import { showOptimistic } from './showOptimistic.ts';

/** For mutations, which nobody joins. */
const ALONE: Place = { begins: () => undefined, leaves: () => undefined };

/** Makes requests: shares, orders and fences them. */
export class Fetcher {
  readonly #core: Core;
  readonly #answers: Answers;
  /** Settles when the plugins have started; undefined once they have. */
  #starting: Promise<void> | undefined;

  constructor(core: Core) {
    this.#core = core;
    this.#answers = new Answers(core);
  }

  /** Makes requests wait until the plugins have started, whether or not that goes well. */
  waitFor(starting: Promise<void>): void {
    const done = (): void => {
      this.#starting = undefined;
    };
    this.#starting = starting.then(done, done);
  }

  /** Asks the network. Identical reads that are under way are shared. */
  fetch(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const asked = this.#asked(endpoint, args);
    if (endpoint.sideEffect === true) return this.#mutate(asked);
    const { inFlight } = this.#core;
    return (
      inFlight.findRequest(asked.key) ?? inFlight.add(asked.key, true, (place) => this.#request(asked, place))
    );
  }

  /** Asks disk, then the network unless what disk had is fresh. Shared like `fetch`. */
  load(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const asked = this.#asked(endpoint, args);
    const { inFlight } = this.#core;
    return inFlight.find(asked.key) ?? inFlight.add(asked.key, false, (place) => this.#load(asked, place));
  }

  async #mutate(asked: Asked): Promise<unknown> {
    const { store } = this.#core;
    const { endpoint, args, key } = asked;
    const layer = showOptimistic(this.#core, endpoint, args);
    if (layer === undefined) return this.#request(asked, ALONE);
    try {
      return await this.#request({ ...asked, layer }, ALONE);
    } finally {
      // An answer that was stored has taken the layer away in the same commit.
      store.settle(layer, {
        action: { type: 'optimistic', name: endpoint.name, key, args },
        origin: 'network',
      });
    }
  }

  #asked(endpoint: EndpointInterface, args: readonly unknown[]): Asked {
    return { endpoint, args, key: endpoint.key(...args), epoch: this.#core.epoch };
  }

  async #load(asked: Asked, place: Place): Promise<unknown> {
    const core = this.#core;
    const { endpoint, args, key } = asked;
    if (core.plugins.canRestore && readEndpoint(core, endpoint, key, args).data === MISSING) {
      await this.#starting;
      await this.#restore(asked);
      const { data } = readEndpoint(core, endpoint, key, args);
      if (data !== MISSING) {
        const stale = isStale(expiryOf(core, endpoint, key, args), core.now());
        if (!stale) return data;
        if (endpoint.invalidIfStale !== true) {
          // What disk had is shown at once; the refresh is a read of its own, which others may join.
          place.leaves();
          this.fetch(endpoint, args).catch(() => undefined);
          return data;
        }
      }
    }
    // A fetch asked for meanwhile did not wait for disk.
    return core.inFlight.findRequest(key) ?? this.#request(asked, place);
  }

  async #restore(asked: Asked): Promise<void> {
    const core = this.#core;
    const { endpoint, args, key } = asked;
    // The rows that the args name are wanted even where no result is stored.
    const rows: (readonly [string, string])[] = [];
    const tables: string[] = [];
    const schema = endpoint.schema;
    const named = queryKey(schema, args, {
      find(entity, field, value) {
        const pk = core.views.find(entity, field, value);
        // Only the whole table tells whether disk has a row with this value.
        if (pk === undefined) tables.push(entity.key);
        return pk;
      },
      hasTable: () => false,
    });
    if (named !== undefined) references(schema, named, (entity, pk) => rows.push([entity.key, pk]));
    const answers = await core.plugins.restore({ results: [key], rows, tables });
    this.#fence(asked);
    for (const { from, restored } of answers)
      applyRestored(core, restored, { action: { type: 'restore', key }, origin: from });
  }

  async #request(asked: Asked, place: Place): Promise<unknown> {
    const core = this.#core;
    const { endpoint } = asked;
    if (this.#starting !== undefined) {
      await this.#starting;
      this.#fence(asked);
    }
    place.begins();
    const call: Call = {
      ...asked,
      order: core.clock.tick(),
      requestedAt: core.now(),
      generation: core.inFlight.generation,
    };
    let response: unknown;
    try {
      if (core.plugins.isStopped) {
        throw new HoldfastError(
          'HF_STOPPED',
          `${endpoint.name} was fetched from a stopped controller; make a new one`,
        );
      }
      response = await core.plugins.request(call, ({ endpoint: sent, args: sentArgs }) => sent(...sentArgs));
    } catch (error) {
      this.#fence(call, error);
      if (endpoint.sideEffect === true) core.inFlight.nextGeneration();
      else this.#answers.error(call, error);
      throw error;
    }
    this.#fence(call);
    return endpoint.sideEffect === true
      ? this.#answers.mutation(call, response)
      : this.#answers.read(call, response, () => this.fetch(endpoint, asked.args));
  }

  /** Nothing that began before a reset may land after it. */
  #fence(asked: Asked, cause?: unknown): void {
    if (asked.epoch === this.#core.epoch) return;
    throw new HoldfastError(
      'HF_RESET',
      `The answer of ${asked.endpoint.name} came after a reset and was dropped; fetch again`,
      {
        cause,
      },
    );
  }
}
