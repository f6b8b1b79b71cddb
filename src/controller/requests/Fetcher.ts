import { NetworkError } from '../../endpoint/http/NetworkError.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { emptyValue } from '../../schema/shapeOf.ts';
import { MISSING } from '../../schema/missing.ts';
import { errorOf, isStale } from '../../store/expiry.ts';
import { rowOf } from '../../store/State.ts';
import { HoldfastError } from '../../util/errors.ts';
import { ResponseWriter } from './ResponseWriter.ts';
import { actionOf } from './writeResponse.ts';
import type { MutationRequest, NetworkRequest, PendingRequest } from './NetworkRequest.ts';
import { checkArgs, checkKey } from '../checks/checkArgs.ts';
import type { CachedRead, ReadRequest } from '../reads/CachedRead.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Mutation, StoreResponse } from '../writes/Mutation.ts';
import { expiryOf, readEndpoint, readOf } from '../reads/readResult.ts';
import { basePks, currentArgs, rowNamedBy } from '../writes/currentArgs.ts';
import { restore, restoreQuery, restoreRead } from '../plugins/restore.ts';
import { showOptimistic } from '../writes/showOptimistic.ts';
import { containsTemporaryPk, createTemporaryPk, namesTemporaryPk } from '../../store/temporaryPks.ts';

/** Sends requests: shares identical reads, orders them, and discards those from before a reset. */
export class Fetcher {
  readonly #internals: ControllerInternals;
  readonly responseWriter: ResponseWriter;
  /** Settles when the plugins have started; undefined once they have. */
  #starting: Promise<void> | undefined;

  constructor(internals: ControllerInternals) {
    this.#internals = internals;
    this.responseWriter = new ResponseWriter(internals, ({ endpoint, args }) => this.fetch(endpoint, args));
  }

  /** Makes requests wait until the plugins have started or failed to start. */
  waitFor(starting: Promise<void>): void {
    const done = (): void => {
      this.#starting = undefined;
    };
    this.#starting = starting.then(done, done);
  }

  /** Sends a request. Identical reads in flight are shared. */
  fetch(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const pending = this.#pendingRequest(endpoint, args);
    if (endpoint.sideEffect === true) return this.#mutate(pending);
    const read = this.#internals.reads.getOrCreate(pending);
    const joined = this.#join(read, pending, true);
    return joined === undefined
      ? read.run('requesting', endpoint, (request) => this.#fetchAndStore(pending, request))
      : untilAborted(joined, pending.endpoint.signal);
  }

  /**
   * Restores from disk, then sends a request unless the restored data is fresh. Shared like `fetch`.
   *
   * @throws HoldfastError `HF_NOT_QUERYABLE` for a mutation, and for an endpoint that adds a page to a list
   */
  load(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const isMutation = endpoint.sideEffect === true;
    // A hook would send a mutation again at each render, because it has no result to read.
    if (isMutation || endpoint.resultKey !== undefined)
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        `${endpoint.name} ${isMutation ? 'is a mutation' : 'appends to a list'} and cannot be read; call controller.fetch() in a handler`,
      );
    const pending = this.#pendingRequest(endpoint, args);
    const read = this.#internals.reads.getOrCreate(pending);
    return (
      this.#join(read, pending, false) ??
      read.run('restoring', endpoint, (request) => this.#load(pending, request))
    );
  }

  /**
   * Sends a mutation that a plugin has taken over.
   *
   * @param endpoint - the mutation's own, or one extended by request options
   * @returns a function that stores the response and returns the mutation's value
   */
  async send(mutation: Mutation, endpoint: EndpointInterface): Promise<StoreResponse> {
    const pending = this.#pendingRequest(mutation.endpoint, mutation.args);
    if (this.#starting !== undefined) await this.#started(pending);
    const { call: request, response } = await this.#callNetwork({ ...pending, endpoint, mutation });
    return (deferRebase) => {
      this.#fence(request);
      return this.responseWriter.writeMutation(request, response, deferRebase);
    };
  }

  async #mutate(pending: PendingRequest): Promise<unknown> {
    const internals = this.#internals;
    const { endpoint, args } = pending;
    const named = rowNamedBy(endpoint, args);
    const mutation: Mutation = {
      endpoint,
      args,
      temporaryPk: createTemporaryPk(internals.clock.tick()),
      createdAt: internals.now(),
      order: internals.clock.tick(),
      former: named && rowOf(internals.store.head, ...named)?.value,
    };
    const claimed = internals.plugins.mutate(mutation);
    if (claimed !== undefined) return claimed;
    showOptimistic(internals, mutation);
    try {
      return await this.#fetchAndStore({ ...pending, mutation });
    } finally {
      // If a response was stored, the same commit has removed the layer.
      if (mutation.layer !== undefined)
        internals.store.settle(mutation.layer, {
          action: actionOf('optimistic', pending),
          origin: 'network',
        });
    }
  }

  /** Joins a request in flight. If only the caller that sent it gives it up, it is sent again. */
  #join(read: CachedRead, pending: PendingRequest, needsNetwork: boolean): Promise<unknown> | undefined {
    const { endpoint, args } = pending;
    const request = read.join(needsNetwork);
    const signal = request?.signal;
    if (request === undefined || signal === undefined || signal === endpoint.signal) return request?.promise;
    request.isShared = true;
    return request.promise.catch((error: unknown) => {
      if (!signal.aborted || endpoint.signal?.aborted === true) throw error;
      this.#fence(pending, error);
      return this.fetch(endpoint, args);
    });
  }

  #pendingRequest(given: EndpointInterface, rest: readonly unknown[]): PendingRequest {
    const { endpoint, args, key } = readOf(given, rest);
    if (process.env.NODE_ENV !== 'production') {
      if (endpoint.sideEffect !== true) checkArgs(this.#internals, endpoint.name, args);
      checkKey(endpoint, key);
    }
    return { endpoint, args, key, resetEpoch: this.#internals.resetEpoch };
  }

  async #load(pending: PendingRequest, request: ReadRequest): Promise<unknown> {
    const internals = this.#internals;
    const { endpoint, args, key } = pending;
    const streamed = internals.hydration?.pending(key);
    if (
      (streamed || internals.plugins.canRestore) &&
      (internals.store.head.results.get(key) === undefined ||
        readEndpoint(internals, endpoint, key, args).data === MISSING)
    ) {
      await streamed;
      await this.#starting;
      this.#fence(pending);
      const { data } = await restoreRead(internals, pending);
      this.#fence(pending);
      if (data !== MISSING) {
        const stale = isStale(expiryOf(internals, endpoint, key, args), internals.now());
        if (!stale) return data;
        if (endpoint.invalidIfStale !== true) {
          // Restored data is shown at once; the refetch is a separate read that others may join.
          request.detach();
          this.fetch(endpoint, args).catch(() => undefined);
          return data;
        }
      }
    }
    // A fetch that started in the meantime did not wait for disk.
    const joined = this.#join(request.read, pending, true);
    if (joined !== undefined) return joined;
    request.status = 'requesting';
    return this.#fetchAndStore(pending, request);
  }

  async #fetchAndStore(pending: PendingRequest, request?: ReadRequest): Promise<unknown> {
    if (this.#starting !== undefined) await this.#started(pending);
    const internals = this.#internals;
    const { endpoint, args } = pending;
    const list = endpoint.resultKey?.(...args);
    // If only the cursor of a page is a temporary pk, its list exists on the server: the next page is unknown, not empty.
    const mayBeEmpty = endpoint.sideEffect !== true && (list === undefined || containsTemporaryPk(list));
    if (mayBeEmpty && namesTemporaryPk(currentArgs(pending, basePks(internals)))) {
      const empty = emptyValue(endpoint.schema);
      if (empty !== undefined) return this.#answerLocally(pending, empty);
    }
    const { call, response } = await this.#callNetwork(pending, request);
    this.#fence(call);
    if (endpoint.sideEffect === true)
      return this.responseWriter.writeMutation(call as MutationRequest, response); // `#mutate` has sent it
    // Without the rest of its list, a page would be shown as the whole list, until the stored list replaces it. It may
    // have left memory since the request was sent.
    if (list !== undefined && internals.plugins.canRestore && !internals.store.base.results.get(list)) {
      await restoreQuery(internals, { results: [list] });
      this.#fence(call);
    }
    return this.responseWriter.writeRead(call, response, () => {
      this.#fence(call);
      request?.detach();
      return this.fetch(endpoint, args);
    });
  }

  /**
   * The value of a read whose args name an entity that is not created yet: the server has nothing to list below it.
   * What is in memory is never replaced.
   */
  #answerLocally(pending: PendingRequest, empty: unknown): unknown {
    const internals = this.#internals;
    const { endpoint, key, args } = pending;
    const { data } = readEndpoint(internals, endpoint, key, args);
    if (data !== MISSING) return data;
    return this.responseWriter.writeRead(this.begin(pending), empty, () => this.fetch(endpoint, args));
  }

  async #started(pending: PendingRequest): Promise<void> {
    await this.#starting;
    this.#fence(pending);
  }

  /** One network call. If it fails, the error of a read is stored. */
  async #callNetwork<Pending extends PendingRequest>(
    pending: Pending,
    request?: ReadRequest,
  ): Promise<{ readonly call: Pending & NetworkRequest; readonly response: unknown }> {
    const internals = this.#internals;
    const { endpoint } = pending;
    let call = this.begin(pending);
    let response: unknown;
    try {
      if (internals.plugins.isStopped) {
        throw new HoldfastError(
          'HF_STOPPED',
          `${endpoint.name} was fetched from a stopped controller; create a new one`,
        );
      }
      // The request uses the current pks; the result is stored under the key that its readers have.
      const current = currentArgs(pending, basePks(internals));
      response = await internals.plugins.request(
        { ...call, args: current },
        ({ endpoint: sent, args: sentArgs }) => {
          // A plugin may have let it wait, and another user may have signed in.
          this.#fence(pending);
          // A read may have waited for earlier mutations: its response is newer than theirs.
          if (sent.sideEffect !== true) call = this.begin(pending, request);
          if (sent.sideEffect === true || !namesTemporaryPk(sentArgs)) return sent(...sentArgs);
          throw new NetworkError(`${sent.name} reads an entity that is not created yet`, {
            status: 404,
            url: '',
            method: 'GET',
          });
        },
      );
      if (request !== undefined) request.status = 'answered';
    } catch (error) {
      if (request !== undefined) request.status = 'answered';
      this.#fence(call, error);
      if (endpoint.sideEffect === true) internals.reads.mutationGeneration += 1;
      else await this.#writeError(call, error, request);
      throw error;
    }
    const { mutation } = call;
    // The row of an update may be on disk only. Then nothing is predicted yet, so an empty response would confirm nothing.
    if (mutation?.endpoint.getOptimisticResponse !== undefined && mutation.expected === undefined)
      await restore(internals, [call]);
    return { call, response };
  }

  async #writeError(call: NetworkRequest, error: unknown, request: ReadRequest | undefined): Promise<void> {
    // If code of the app throws there, the error is stored all the same: observers would send the request for ever.
    await this.#restoreMissing(call, error).catch(() => undefined);
    this.#fence(call, error);
    // That a caller has aborted its own request is not an error for other readers. Observers that wait for it need one:
    // they would request the data again for ever. Those that show an error keep it.
    const hasError = this.#internals.store.head.results.get(call.key)?.error !== undefined;
    const isGivenUp =
      request?.signal?.aborted === true &&
      (request.isShared || (request.waits.size === 0 && (request.read.observers === 0 || hasError)));
    if (!isGivenUp) this.responseWriter.writeError(call, error);
  }

  /** A request that is sent now. */
  begin<Pending extends PendingRequest>(pending: Pending, request?: ReadRequest): Pending & NetworkRequest {
    const { clock, now, reads } = this.#internals;
    const { mutationGeneration } = reads;
    if (request !== undefined) request.mutationGeneration = mutationGeneration;
    return { ...pending, order: clock.tick(), requestedAt: now(), mutationGeneration };
  }

  /** Before a soft error is stored without data, restores the data from disk, which the error would hide. */
  async #restoreMissing(pending: PendingRequest, error: unknown): Promise<void> {
    const internals = this.#internals;
    const { endpoint, args, key } = pending;
    if (!internals.plugins.canRestore || errorOf({ error }, endpoint)?.policy !== 'soft') return;
    if (readEndpoint(internals, endpoint, key, args).data === MISSING) await restoreRead(internals, pending);
  }

  /** Discards what started before a reset. */
  #fence(pending: PendingRequest, cause?: unknown): void {
    if (pending.resetEpoch === this.#internals.resetEpoch) return;
    throw new HoldfastError(
      'HF_RESET',
      `The response of ${pending.endpoint.name} arrived after a reset and was ignored; fetch again`,
      { cause },
    );
  }
}

/** Settles like a promise that may never settle, such as another caller's request, or rejects when the signal is aborted. */
export function untilAborted(joined: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return joined;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error); // as given to abort()
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    joined.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
