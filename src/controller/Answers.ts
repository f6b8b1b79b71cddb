import { isAbort } from '../endpoint/NetworkError.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import type { Normalized } from '../schema/normalize.ts';
import { isUnanswered } from '../store/expiry.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { rowOf, type State } from '../store/State.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { explainMissing } from '../views/explainMissing.ts';
import { Views } from '../views/Views.ts';
import type { Call } from './Call.ts';
import type { Core } from './Core.ts';
import { noteMade } from './noteMade.ts';
import { expectedOf } from './showOptimistic.ts';
import { actionOf, answeredNow, storeError, storeResponse } from './storing.ts';
import { NO_RECORDS, takeApart } from './takeApart.ts';

/** Writes what requests were answered into the store. */
export class Answers {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Stores the answer of a read.
   *
   * @param again - asks once more, where what has happened meanwhile took the answer away
   * @returns what the read gives now
   * @throws HoldfastError when the answer does not fit its schema, or cannot be shown
   */
  read(call: Call, response: unknown, again: () => Promise<unknown>): unknown {
    const core = this.#core;
    const { endpoint, args } = call;
    const key = endpoint.resultKey?.(...args) ?? call.key;
    let normalized: Normalized;
    let written: boolean;
    try {
      this.#keepShown(call, key);
      checkNull(endpoint, response);
      normalized = takeApart(core, endpoint, args, response);
      const meta = answeredNow(core, call, 0, core.dataLength(endpoint));
      written = storeResponse(core, { endpoint, key, args }, normalized, meta, {
        action: actionOf('fetch', { endpoint, key, args }),
        origin: 'network',
      });
    } catch (error) {
      this.error(call, error);
      throw error;
    }
    if (endpoint.schema === undefined) return response;
    if (!written) {
      const joined = core.views.join(endpoint.schema, normalized.result, args);
      if (joined !== MISSING) return joined ?? response;
    }
    return this.#shown(call, key, normalized, again);
  }

  /** Two readers of one result in two shapes would take it from each other for ever. */
  #keepShown({ endpoint }: Call, key: string): void {
    const { mounts, store } = this.#core;
    const shape = store.head.results.get(key)?.shape;
    const shown = mounts.get(key)?.endpoint;
    if (shown === undefined || shape === undefined || shape === shapeOf(endpoint.schema)) return;
    if (shape !== shapeOf(shown.schema)) return;
    throw new HoldfastError(
      'HF_TWO_SCHEMAS',
      `${endpoint.name} has the key (${key}) of ${shown.name}, which is on screen, and a schema of another shape; give it a key of its own`,
    );
  }

  /** What a read shows now that it has been answered, or once that is no longer hidden by a pending mutation. */
  #shown(call: Call, key: string, normalized: Normalized, again: () => Promise<unknown>): unknown {
    const core = this.#core;
    const { endpoint, args } = call;
    const data = core.views.result(key, endpoint.schema, args);
    if (data !== MISSING) return data;
    const confirmed = new Views(() => core.store.base, core.registry);
    if (confirmed.result(key, endpoint.schema, args) !== MISSING)
      return core.delivery.settling().then(() => this.#shown(call, key, normalized, again));
    // What has been taken away meanwhile is there to be asked for again.
    const isPast =
      call.generation !== core.inFlight.generation ||
      core.store.base.results.get(key)?.invalidated === true ||
      isTakenAway(normalized, core.store.base);
    if (isPast) return again();
    const why = core.views.look(key, endpoint.schema, args, explainMissing);
    const error = new HoldfastError(
      'HF_INVALID_ENTITY',
      `The response of ${endpoint.name} cannot be shown, since ${why}; check validate() and schema`,
    );
    this.error(call, error);
    throw error;
  }

  /**
   * Stores the answer of a mutation; returns what it gives.
   *
   * @param isPartial - whether others follow in the same batch, with the last of which all are shown
   */
  mutation(call: Call, response: unknown, isPartial = false): unknown {
    const core = this.#core;
    const { endpoint, args, mutation } = call;
    core.inFlight.nextGeneration();
    let normalized: Normalized;
    try {
      normalized = takeApart(core, endpoint, args, response);
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'HF_PK_MISSING') throw error;
      // The server did what was asked; that its answer names no record is no reason to call it failed.
      if (process.env.NODE_ENV !== 'production')
        warnOnce(
          core,
          'HF_PK_MISSING',
          `${endpoint.name} answered without a primary key, so nothing of it was stored; check pk() if it should be`,
          endpoint.name,
        );
      normalized = NO_RECORDS;
    }
    const { result } = normalized;
    // One that says nothing, such as a 204, confirms what was expected; what that is worth, the next read finds out.
    const assumed = result === null || result === undefined ? expectedOf(core, mutation) : undefined;
    const length = assumed === undefined ? core.dataLength(endpoint) : 0;
    const meta = answeredNow(core, call, core.clock.tick(), length);
    if (mutation !== undefined) noteMade(core, mutation, normalized);
    const layer = mutation?.layer;
    storeResponse(core, call, assumed ?? normalized, meta, {
      action: actionOf('fetch', call),
      origin: 'network',
      settled: layer === undefined ? [] : [layer],
      isPartial,
    });
    return isPartial ? response : this.#given(call, result, response);
  }

  /** What `fetch` resolves with when no stored result is read: the joined answer, or the answer as it came. */
  #given(call: Call, normalized: unknown, response: unknown): unknown {
    const joined = this.#core.views.join(call.endpoint.schema, normalized, call.args);
    return joined === MISSING || joined === undefined ? response : joined;
  }

  /**
   * Keeps a read's error for its readers, beside the data that there was. That a refresh was given up says nothing of
   * what is shown meanwhile; only who has nothing to show must be told.
   */
  error(call: Call, error: unknown): void {
    const core = this.#core;
    const { endpoint, key } = call;
    // A page is not read by itself, and that it failed says nothing of the list.
    if (endpoint.resultKey !== undefined) return;
    if (isAbort(error, endpoint.signal) && this.#shows(call)) return;
    if (isUnanswered(error)) core.backOnline.expect();
    storeError(core, key, error, answeredNow(core, call, 0, core.errorLength(endpoint)), {
      action: actionOf('fetchError', call),
      origin: 'network',
    });
  }

  /** Whether a read has data to show, however old. */
  #shows({ endpoint, key, args }: Call): boolean {
    return (
      endpoint.invalidIfStale !== true && this.#core.views.result(key, endpoint.schema, args) !== MISSING
    );
  }
}

/** Null may say that there is no such entity, but is no list, and no object of them. */
function checkNull({ name, schema }: EndpointInterface, response: unknown): void {
  if (response !== null && response !== undefined) return;
  const shape = shapeOf(schema);
  if (/^(?:\[|\{(?!"union"))/.test(shape))
    throw new HoldfastError(
      'HF_SHAPE',
      `The response of ${name} should be a list, or an object of lists and entities, but ${describe(response)} arrived; return an empty one for none`,
    );
}

/** Whether an entity of a response is deleted by now. */
function isTakenAway({ entities }: Normalized, base: State): boolean {
  for (const [table, rows] of entities) {
    for (const { pk, value } of rows.values()) {
      const row = rowOf(base, table, pk);
      if (value !== undefined && row !== undefined && row.value === undefined) return true;
    }
  }
  return false;
}
