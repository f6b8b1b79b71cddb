import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { MISSING } from '../../schema/missing.ts';
import { ExpiryStatus, isStale } from '../../store/expiry.ts';
import type { CachedRead } from './CachedRead.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { ResultNode } from '../../views/RootNode.ts';
import type { Fetcher } from '../requests/Fetcher.ts';
import type { Read } from '../plugins/Plugin.ts';
import { expiryOf, readEndpoint, type ReadResult } from './readResult.ts';

/**
 * The view of an endpoint read, used by hooks. Two views of the same read show the same data; a view's snapshot is
 * the same object until something in it changes.
 */
export class ReadView implements Read {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly #internals: ControllerInternals;
  readonly #fetcher: Fetcher;
  #snapshot: ReadResult | undefined;
  /** The version of the views that the snapshot was read at: a render and a mount each read it several times. */
  #version: number | undefined;
  #serverSnapshot: ReadResult | undefined;
  #lastNode: ResultNode | undefined;
  /** What is known of its key, while it is observed. */
  #observed: CachedRead | undefined;

  constructor(internals: ControllerInternals, fetcher: Fetcher, { endpoint, args, key }: Read) {
    this.#internals = internals;
    this.#fetcher = fetcher;
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
  }

  /** The data or error to show. */
  snapshot(): ReadResult {
    const { version } = this.#internals.views;
    if (this.#snapshot !== undefined && this.#version === version) return this.#snapshot;
    const result = readEndpoint(this.#internals, this.endpoint, this.key, this.args, this.#node);
    this.#version = version;
    return (this.#snapshot = reuseIfEqual(this.#snapshot, result));
  }

  /** Whether the page may be hydrating. */
  get isHydrating(): boolean {
    return this.#internals.hydration !== undefined;
  }

  /**
   * The snapshot to use while hydrating: the data that the server rendered, whatever has happened since. The same
   * object as `snapshot()` if they are equal, or nothing is hydrating.
   */
  serverSnapshot(): ReadResult {
    const now = this.snapshot();
    const served = this.#internals.hydration?.result(this.endpoint, this.key, this.args, now) ?? now;
    return (this.#serverSnapshot = served === now ? now : reuseIfEqual(this.#serverSnapshot, served));
  }

  /** When the data becomes stale, in ms since the epoch; 0 if there is none. */
  get expiresAt(): number {
    return expiryOf(this.#internals, this.endpoint, this.key, this.args, this.#node);
  }

  get expiryStatus(): ExpiryStatus {
    if (this.snapshot().data === MISSING) return ExpiryStatus.Invalid;
    // The time is read only if it matters: it may have to be computed.
    return this.endpoint.invalidIfStale === true && isStale(this.expiresAt, this.#internals.now())
      ? ExpiryStatus.InvalidIfStale
      : ExpiryStatus.Valid;
  }

  /** The data if it may be shown now, else `MISSING`; for readers that neither suspend nor fetch. */
  get data(): unknown {
    return this.canRender ? this.snapshot().data : MISSING;
  }

  /** Whether there is data or an error, and it is stale. */
  get isStale(): boolean {
    const { data, error } = this.snapshot();
    return this.#isDue && (data !== MISSING || error !== undefined);
  }

  /** Whether a request or a restore is in flight. */
  get isLoading(): boolean {
    return this.#read?.isLoading === true;
  }

  /** The error to throw; undefined if there is none, or it may be retried. */
  get error(): unknown {
    const { error } = this.snapshot();
    return error !== undefined && (this.#readInGrace() || !this.#isDue) ? error : undefined;
  }

  /** Whether a mount should load data. */
  get shouldLoad(): boolean {
    const { data, error } = this.snapshot();
    return data === MISSING && error === undefined ? true : this.#isDue && !this.#readInGrace();
  }

  /** Whether a mount may show the data. */
  get canRender(): boolean {
    const status = this.expiryStatus;
    // The grace is asked for in any case, since it lasts longer for what is read.
    return status !== ExpiryStatus.Invalid && (this.#readInGrace() || status === ExpiryStatus.Valid);
  }

  /** Whether another view reads the same key of the same controller. */
  isSameRead(other: ReadView): boolean {
    return this.key === other.key && this.#internals === other.#internals;
  }

  /**
   * Restores the data or requests it, or joins a load in flight. Callers need not handle the rejection: the store has the
   * error of a failed read.
   */
  load(): Promise<unknown> {
    return handled(this.#fetcher.load(this.endpoint, this.args));
  }

  /** Fresh data at once; else a promise of `load`, or of the error that prevents a retry. */
  loadIfStale(): unknown {
    const { data, error } = this.snapshot();
    if (this.#isDue) return this.load();
    if (this.expiryStatus === ExpiryStatus.Valid) return data;
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the endpoint's own rejection
    return error === undefined ? this.load() : handled(Promise.reject(error));
  }

  /**
   * `load` for a component that suspends. The response may be rendered once even if it is stale on arrival; otherwise
   * it would be requested for ever.
   */
  loadForSuspense(): Promise<unknown> {
    const promise = this.load();
    const watch = (end: () => void): (() => void) =>
      this.#internals.views.watch(this.#node, () => {
        if (this.canRender) end();
      });
    return this.#read?.request?.suspend(promise, this.endpoint.schema, watch) ?? promise;
  }

  /** It is on screen: from now on, what it suspended for is as old as it is. */
  markRendered(): void {
    this.#read?.shown();
  }

  /** The node of its result, looked up once as long as it is kept: a mount uses it several times. */
  get #node(): ResultNode {
    const last = this.#lastNode;
    if (last?.isForgotten === false) return last;
    return (this.#lastNode = this.#internals.views.resultNode(this.key, this.endpoint.schema, this.args));
  }

  get #read(): CachedRead | undefined {
    return this.#observed ?? this.#internals.reads.get(this.key);
  }

  /** Whether what there is has expired, or is an error that may be tried again before it does. */
  get #isDue(): boolean {
    return isStale(this.expiresAt, this.#internals.now()) || this.#internals.isRetryable(this.key);
  }

  #readInGrace(): boolean {
    return this.#read?.readInGrace() === true && !this.#internals.isRetryable(this.key);
  }

  /**
   * `observe` with a function that stops it.
   *
   * @param listener - see `observe`
   * @param watchesLoading - see `observe`
   */
  subscribe(listener: () => void, watchesLoading = false): () => void {
    this.observe(listener, watchesLoading);
    return () => this.unobserve(listener);
  }

  /**
   * Calls `listener` when the snapshot may have changed. A view has one listener at a time.
   *
   * @param listener - one of its own for each call; may still be called by a notification that is under way
   * @param watchesLoading - whether it is also called when `isLoading` may have changed
   */
  observe(listener: () => void, watchesLoading = false): void {
    const internals = this.#internals;
    internals.views.listen(this.#node, listener);
    const read = internals.reads.getOrCreate(this);
    read.observe(this, watchesLoading ? listener : undefined);
    this.#observed = read;
    internals.hydration?.onMount(internals, read, this.endpoint.schema);
  }

  /** Stops `observe`. Does nothing if that has happened. */
  unobserve(listener: () => void): void {
    const read = this.#observed;
    if (read === undefined) return;
    this.#observed = undefined;
    // A node with listeners is not forgotten: it is still the same one.
    this.#internals.views.unlisten(this.#node, listener);
    read.unobserve(listener);
  }
}

/** The same promise, whose rejection is not reported if nothing handles it. */
function handled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => undefined);
  return promise;
}

/** The last result if the next one is equal. */
function reuseIfEqual(last: ReadResult | undefined, next: ReadResult): ReadResult {
  return last !== undefined && Object.is(last.data, next.data) && last.error === next.error ? last : next;
}
