import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Meta } from '../schema/Meta.ts';
import { MISSING } from '../schema/missing.ts';
import type { Normalized } from '../schema/normalize.ts';
import { queryKey } from '../schema/queryKey.ts';
import { references } from '../schema/references.ts';
import type { LayerId } from '../store/Commit.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH, isStale } from '../store/expiry.ts';
import { newResult } from '../store/newResult.ts';
import { writeNormalized } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import { HoldfastError, warn } from '../util/errors.ts';
import { applyRestored } from './applyRestored.ts';
import type { Core } from './Core.ts';
import type { Place } from './InFlight.ts';
import { expiryOf, readEndpoint } from './reading.ts';
import { inResponseOf } from './inResponseOf.ts';
import { showOptimistic } from './showOptimistic.ts';
import { takeApart } from './takeApart.ts';

/** What was asked for, and when. */
interface Asked {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The epoch in which it was asked for. */
  readonly epoch: number;
  /** What is shown until the answer comes. */
  readonly layer?: LayerId;
}

/** One request under way. */
interface Call extends Asked {
  readonly order: number;
  readonly requestedAt: number;
  readonly generation: number;
}

/** For mutations, which nobody joins. */
const ALONE: Place = { begins: () => undefined, leaves: () => undefined };

/** Makes requests and writes their answers into the store. */
export class Fetcher {
  readonly #core: Core;
  /** Settles when the plugins have started; undefined once they have. */
  #starting: Promise<void> | undefined;

  constructor(core: Core) {
    this.#core = core;
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
    for (const { from, restored } of answers) applyRestored(core, restored, { type: 'restore', key }, from);
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
      else this.#storeError(call, error);
      throw error;
    }
    this.#fence(call);
    return endpoint.sideEffect === true
      ? this.#storeMutation(call, response)
      : this.#storeRead(call, response);
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

  #storeRead(call: Call, response: unknown): unknown {
    const core = this.#core;
    const { endpoint, args } = call;
    const key = endpoint.resultKey?.(...args) ?? call.key;
    const meta = this.#meta(call, 0);
    let normalized: Normalized;
    let written: boolean;
    try {
      normalized = takeApart(core, endpoint, args, response);
      written = inResponseOf(endpoint, () =>
        core.store.commit(
          (writer) => {
            writeNormalized(writer, normalized, meta);
            core.schemas.set(key, endpoint.schema);
            return writeResult(writer, key, newResult(endpoint.schema, normalized.result, meta));
          },
          { action: { type: 'fetch', name: endpoint.name, key, args }, origin: 'network' },
        ),
      );
    } catch (error) {
      this.#storeError(call, error);
      throw error;
    }
    if (endpoint.schema === undefined) return response;
    if (!written) return this.#given(call, normalized.result, response);
    const data = core.views.result(key, endpoint.schema, args);
    if (data !== MISSING) return data;
    // What a mutation or invalidation since then has taken away is there to be asked for again.
    const isPast =
      call.generation !== core.inFlight.generation || core.store.head.results.get(key)?.invalidated === true;
    if (isPast) return this.fetch(endpoint, args);
    const why = core.views.explainMissing(key, endpoint.schema, args);
    const error = new HoldfastError(
      'HF_INVALID_ENTITY',
      `The response of ${endpoint.name} cannot be shown, since ${why}; check the entity's validate() and schema against the response`,
    );
    this.#storeError(call, error);
    throw error;
  }

  #storeMutation(call: Call, response: unknown): unknown {
    const core = this.#core;
    const { endpoint, args, key } = call;
    core.inFlight.nextGeneration();
    let normalized: Normalized;
    try {
      normalized = takeApart(core, endpoint, args, response);
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'HF_PK_MISSING') throw error;
      // The server did what was asked; that its answer names no record is no reason to call it failed.
      if (process.env.NODE_ENV !== 'production')
        warn(
          'HF_PK_MISSING',
          `${endpoint.name} answered without a primary key, so nothing of it was stored; check pk() if it should be`,
        );
      return response;
    }
    const meta = this.#meta(call, core.clock.tick());
    inResponseOf(endpoint, () =>
      core.store.commit((writer) => writeNormalized(writer, normalized, meta), {
        action: { type: 'fetch', name: endpoint.name, key, args },
        origin: 'network',
        settled: call.layer === undefined ? [] : [call.layer],
      }),
    );
    return this.#given(call, normalized.result, response);
  }

  /** What `fetch` resolves with when no stored result is read: the joined answer, or the answer as it came. */
  #given(call: Call, normalized: unknown, response: unknown): unknown {
    const joined = this.#core.views.join(call.endpoint.schema, normalized, call.args);
    return joined === MISSING || joined === undefined ? response : joined;
  }

  #meta(call: Call, answered: number): Meta {
    const receivedAt = this.#core.now();
    const length =
      call.endpoint.dataExpiryLength ?? this.#core.options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
    return {
      requestedAt: call.requestedAt,
      receivedAt,
      expiresAt: receivedAt + length,
      order: call.order,
      answered,
    };
  }

  /** Keeps a read's error for its readers, beside the data that there was. */
  #storeError(call: Call, error: unknown): void {
    const core = this.#core;
    const { endpoint, key, args } = call;
    const length = endpoint.errorExpiryLength ?? core.options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
    const receivedAt = core.now();
    const meta: Meta = {
      requestedAt: call.requestedAt,
      receivedAt,
      expiresAt: receivedAt + length,
      order: call.order,
      answered: 0,
    };
    core.store.commit(
      (writer) => {
        const existing = writer.result(key);
        // A rejection without a reason is an error all the same.
        writeResult(writer, key, {
          ...existing,
          value: existing?.value,
          meta,
          error: error ?? new Error('Rejected without a reason'),
        });
      },
      { action: { type: 'fetchError', name: endpoint.name, key, args }, origin: 'network' },
    );
  }
}
