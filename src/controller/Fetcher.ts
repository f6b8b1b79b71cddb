import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { errorOf, isStale } from '../store/expiry.ts';
import { rowOf } from '../store/State.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import { Answers } from './Answers.ts';
import type { Asked, Call } from './Call.ts';
import { checkArgs } from './checkArgs.ts';
import type { Core } from './Core.ts';
import type { Place } from './InFlight.ts';
import type { Mutation, StoreAnswer } from './Mutation.ts';
import { expiryOf, readEndpoint, readOf } from './reading.ts';
import { currentArgs } from './rename.ts';
import { restore } from './restore.ts';
import { showOptimistic } from './showOptimistic.ts';

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

  /**
   * Asks disk, then the network unless what disk had is fresh. Shared like `fetch`.
   *
   * @throws HoldfastError `HF_NOT_QUERYABLE` for an endpoint that adds a page to a list
   */
  load(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    if (endpoint.resultKey !== undefined)
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        `${endpoint.name} adds to a list and cannot be read by itself; fetch() it and read the list`,
      );
    const asked = this.#asked(endpoint, args);
    const { inFlight } = this.#core;
    return inFlight.find(asked.key) ?? inFlight.add(asked.key, false, (place) => this.#load(asked, place));
  }

  /**
   * Makes one attempt at a mutation that a plugin has taken over.
   *
   * @param endpoint - the mutation's own, or one extended by request options
   * @returns stores the answer and gives what the mutation gives
   */
  async send(mutation: Mutation, endpoint: EndpointInterface): Promise<StoreAnswer> {
    const asked = this.#asked(mutation.endpoint, mutation.args);
    const { call, response } = await this.#ask({ ...asked, endpoint, mutation });
    return (isPartial) => {
      this.#fence(call);
      return this.#answers.mutation(call, response, isPartial);
    };
  }

  async #mutate(asked: Asked): Promise<unknown> {
    const core = this.#core;
    const { endpoint, args } = asked;
    const mutation: Mutation = {
      endpoint,
      args,
      temporaryPk: temporaryPk(core),
      askedAt: core.now(),
      order: core.clock.tick(),
    };
    const taken = core.plugins.mutate(mutation);
    if (taken !== undefined) return taken;
    showOptimistic(core, mutation);
    try {
      return await this.#request({ ...asked, mutation });
    } finally {
      // An answer that was stored has taken the layer away in the same commit.
      if (mutation.layer !== undefined)
        core.store.settle(mutation.layer, {
          action: { type: 'optimistic', name: endpoint.name, key: asked.key, args },
          origin: 'network',
        });
    }
  }

  #asked(given: EndpointInterface, rest: readonly unknown[]): Asked {
    const { endpoint, args, key } = readOf(given, rest);
    if (process.env.NODE_ENV !== 'production') checkArgs(this.#core, endpoint, args);
    // It may be of the user's making.
    if (process.env.NODE_ENV !== 'production' && typeof (key as unknown) !== 'string')
      throw new HoldfastError(
        'HF_ENDPOINT_NAME',
        `key() of ${endpoint.name} gave ${describe(key)}, so its results would mix with others; return a string`,
      );
    return { endpoint, args, key, epoch: this.#core.epoch };
  }

  async #load(asked: Asked, place: Place): Promise<unknown> {
    const core = this.#core;
    const { endpoint, args, key } = asked;
    const sent = core.serverReads?.awaited(key);
    if ((sent || core.plugins.canRestore) && readEndpoint(core, endpoint, key, args).data === MISSING) {
      await sent;
      await this.#starting;
      this.#fence(asked);
      await restore(core, [asked]);
      this.#fence(asked);
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

  async #request(asked: Asked, place?: Place): Promise<unknown> {
    const { call, response } = await this.#ask(asked, place);
    this.#fence(call);
    if (asked.endpoint.sideEffect === true) return this.#answers.mutation(call, response);
    return this.#answers.read(call, response, () => {
      this.#fence(call);
      place?.leaves();
      return this.fetch(asked.endpoint, asked.args);
    });
  }

  /** One network call. */
  async #ask(asked: Asked, place?: Place): Promise<{ readonly call: Call; readonly response: unknown }> {
    const core = this.#core;
    const { endpoint } = asked;
    if (this.#starting !== undefined) {
      await this.#starting;
      this.#fence(asked);
    }
    place?.begins();
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
      // What was renamed is asked for by its new name; what is read is kept by the one that its readers have.
      const current = currentArgs(endpoint, asked.args, core.aliases, (table, pk) =>
        rowOf(core.store.base, table, pk),
      );
      response = await core.plugins.request(
        { ...call, args: current },
        ({ endpoint: sent, args: sentArgs }) => sent(...sentArgs),
      );
      place?.answered();
    } catch (error) {
      place?.answered();
      this.#fence(call, error);
      if (endpoint.sideEffect === true) {
        core.inFlight.nextGeneration();
      } else {
        await this.#restoreMissing(asked, error);
        this.#fence(call, error);
        this.#answers.error(call, error);
      }
      throw error;
    }
    return { call, response };
  }

  /** Before a soft error is stored without data: restores the data from disk, which the error would otherwise hide. */
  async #restoreMissing(asked: Asked, error: unknown): Promise<void> {
    const core = this.#core;
    const { endpoint, args, key } = asked;
    if (!core.plugins.canRestore || errorOf({ error }, endpoint)?.policy !== 'soft') return;
    if (readEndpoint(core, endpoint, key, args).data === MISSING) await restore(core, [asked]);
  }

  /** Nothing that began before a reset may land after it. */
  #fence(asked: Asked, cause?: unknown): void {
    if (asked.epoch === this.#core.epoch) return;
    throw new HoldfastError(
      'HF_RESET',
      `The answer of ${asked.endpoint.name} came after a reset and was dropped; fetch again`,
      { cause },
    );
  }
}

/** One for the whole life of a mutation, unlike any other of any tab: another at each replay would be another entity on screen. */
function temporaryPk({ clock }: Core): string {
  return `optimistic-${clock.tick()}-${Math.random().toString(36).slice(2, 10)}`;
}
