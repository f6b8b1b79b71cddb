import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Schema } from '../../schema/Schema.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { Read } from '../plugins/Plugin.ts';
import type { Schedule } from '../schedule.ts';
import type { Subscription } from './Subscription.ts';

/**
 * How long a response or an error may be shown by observers that suspended for it, even if it is stale on arrival, in
 * ms; longer if they have read it, while others suspend.
 */
const SUSPENSE_GRACE = 2_000;

/**
 * The progress of a request. `restoring`: plugins such as the disk are called, whose data may be sufficient.
 * `requesting`: the network is called. `answered`: the response is being stored.
 */
export type RequestStatus = 'restoring' | 'requesting' | 'answered';

/** The table that a read is in, by endpoint key, and what it shares with the others. */
export interface ReadTable extends Pick<Map<string, CachedRead>, 'get' | 'delete'> {
  /** Rises when a mutation settles: a request of an earlier generation may not know what the mutation changed. */
  readonly mutationGeneration: number;
  /** How many requests observers suspend for, each once for each schema. */
  suspensions: number;
  readonly schedule: Schedule;
  /** Queues reads without observers. */
  readonly collector: {
    add(read: CachedRead): void;
    remove(read: CachedRead): void;
    readonly waiting: Pick<Map<CachedRead, number>, 'has'>;
  };
}

/** What observers suspend for. */
interface Wait {
  readonly promise: Promise<unknown>;
  /** Lets them try again. */
  readonly end: () => void;
}

/** One request of a read: disk first, or the network alone. */
export class ReadRequest {
  readonly read: CachedRead;
  status: RequestStatus;
  promise: Promise<unknown> = Promise.resolve();
  /** The generation in which the network was called; undefined before that. */
  mutationGeneration: number | undefined;
  /** Aborts it. */
  readonly signal: AbortSignal | undefined;
  /** Whether a caller with another signal has joined it, and sends another one if it is aborted. */
  isShared = false;
  /** By the schema of observers: those that show nothing until it settles. */
  readonly waits = new Map<Schema, Wait>();

  constructor(read: CachedRead, status: RequestStatus, signal: AbortSignal | undefined) {
    this.read = read;
    this.status = status;
    this.signal = signal;
  }

  /**
   * What an observer without data suspends for: settles like `promise`, or earlier, when the request is abandoned or it
   * has data from elsewhere. A response may come much later than either, or never.
   *
   * @param watch - calls its argument once the observer has data; returns a function that stops that
   */
  suspend(
    promise: Promise<unknown>,
    schema: Schema,
    watch: (end: () => void) => () => void,
  ): Promise<unknown> {
    const found = this.waits.get(schema);
    if (found !== undefined) return found.promise;
    let end!: () => void; // set by the callback
    const { table } = this.read;
    table.suspensions += 1;
    const awaited = Promise.race([promise, new Promise<void>((resolve) => (end = resolve))]);
    this.waits.set(schema, { promise: awaited, end });
    const stop = watch(() => {
      // Its own response is shown when it settles.
      if (this.status !== 'answered') end();
    });
    const done = (): void => {
      stop();
      table.suspensions -= 1;
      this.waits.delete(schema);
    };
    awaited.then(done, done);
    return awaited;
  }

  /** Lets no new read join it. */
  detach(): void {
    this.read.detach(this);
  }

  /** Detaches it, and lets observers that suspended for it send another one. */
  abandon(): void {
    for (const { end } of this.waits.values()) end();
    this.detach();
  }
}

/**
 * The state of one endpoint key, except for its data and error, which are in the store: its request, its observers,
 * its subscription and the suspense grace. Created when the key is first requested, observed or written; removed when
 * none of this is left, and the collector does not wait for it.
 */
export class CachedRead implements Read {
  readonly key: string;
  readonly table: ReadTable;
  /** Of the first observer. */
  endpoint: EndpointInterface;
  args: readonly unknown[];
  /** The schema that its stored result was last written with; undefined if it is unknown. */
  schema: Schema | undefined;
  /** The latest request, until it settles or is detached. */
  request: ReadRequest | undefined;
  subscription: Subscription | undefined;
  /** How many observers show it. */
  observers = 0;
  /** How many requests have not settled, detached ones included. */
  #unsettled = 0;
  #loadingListeners: Set<() => void> | undefined;
  #cancelGrace: (() => void) | undefined;
  /** Whether it was read since the grace began: React renders what suspended for it at once, unless that was unmounted. */
  #wasRead = false;

  constructor(table: ReadTable, { endpoint, args, key }: Read) {
    this.table = table;
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
  }

  /** Whether a request or a restore from disk is pending. */
  get isLoading(): boolean {
    return this.request !== undefined && this.request.status !== 'answered';
  }

  /** Whether it is on screen and must not be shown stale. */
  get hidesStale(): boolean {
    return this.observers > 0 && this.endpoint.invalidIfStale === true;
  }

  /** Whether observers may show a response that they suspended for, however old it is. Records that one has asked. */
  readInGrace(): boolean {
    return (this.#wasRead = this.#cancelGrace !== undefined);
  }

  /** The request that a new read may join: none that called the network before a mutation settled. */
  get #joinable(): ReadRequest | undefined {
    const { request } = this;
    return (request?.mutationGeneration ?? this.table.mutationGeneration) === this.table.mutationGeneration
      ? request
      : undefined;
  }

  /** A request that a new read may join; for one that needs the network, disk alone is not enough. */
  join(needsNetwork: boolean): ReadRequest | undefined {
    const request = this.#joinable;
    return needsNetwork && request?.status === 'restoring' ? undefined : request;
  }

  /** Runs a request that others may join until it settles. */
  run<T>(
    status: RequestStatus,
    { signal }: EndpointInterface,
    start: (request: ReadRequest) => Promise<T>,
  ): Promise<T> {
    const request = new ReadRequest(this, status, signal);
    this.request = request;
    this.#unsettled += 1;
    // A component that requested it may be rendering.
    if (this.#loadingListeners !== undefined) queueMicrotask(() => this.#notifyLoading());
    const promise = start(request).finally(() => {
      this.#unsettled -= 1;
      if (request.waits.size > 0) this.#beginGrace();
      request.detach();
    });
    // A `fetch` that only prefetches need not be awaited: its error is stored.
    promise.catch(() => undefined);
    request.promise = promise;
    return promise;
  }

  /** Lets no new read join a request: it has settled, or its response may be outdated. */
  detach(request: ReadRequest): void {
    if (this.request === request) {
      this.request = undefined;
      this.#notifyLoading();
    }
    this.dropIfIdle();
  }

  /** Detaches a request that has called the network: its response may be older than a change. */
  outdate(): void {
    if (this.request?.mutationGeneration !== undefined) this.request.abandon();
  }

  /**
   * Adds an observer.
   *
   * @param onLoading - called when `isLoading` may have changed, but never during a render
   */
  observe({ endpoint, args }: Read, onLoading?: () => void): void {
    if (onLoading !== undefined) (this.#loadingListeners ??= new Set()).add(onLoading);
    if ((this.observers += 1) > 1) return;
    this.endpoint = endpoint;
    this.args = args;
    this.table.collector.remove(this);
  }

  /** Removes an observer. */
  unobserve(onLoading: () => void): void {
    this.#loadingListeners?.delete(onLoading);
    if ((this.observers -= 1) > 0) return;
    this.table.collector.add(this);
    this.dropIfIdle();
  }

  /**
   * An observer shows its response: what came for those that suspended is as old as it is from now on. Its request may
   * be about to settle.
   */
  shown(): void {
    const request = this.#joinable;
    if (request?.status === 'answered') request.waits.clear();
    // All that suspended are rendered in one go.
    if (this.#cancelGrace !== undefined) queueMicrotask(() => this.#endGrace());
  }

  /** Removes a subscriber, and the subscription with the last one. */
  unsubscribe(endpoint: EndpointInterface): void {
    if (this.subscription?.remove(endpoint) !== true) return;
    this.subscription = undefined;
    this.dropIfIdle();
  }

  /** Forgets what a reset ends. Observers and the subscription stay. */
  reset(): void {
    this.schema = undefined;
    this.request?.abandon();
    this.#endGrace();
  }

  /** Ends what waits for something to happen. */
  stop(): void {
    this.subscription?.stop();
    this.subscription = undefined;
    this.#endGrace();
  }

  /** Leaves its table when nothing is left to be known. */
  dropIfIdle(): void {
    const { table } = this;
    const left = this.schema ?? this.subscription ?? this.#cancelGrace;
    const isIdle =
      left === undefined && this.observers + this.#unsettled === 0 && !table.collector.waiting.has(this);
    if (isIdle && table.get(this.key) === this) table.delete(this.key);
  }

  #beginGrace(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = this.table.schedule(() => {
      // React may show it only together with what others suspend for.
      if (this.#wasRead && this.table.suspensions > 0) this.#beginGrace();
      else this.#endGrace();
    }, SUSPENSE_GRACE);
  }

  #endGrace(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = undefined;
    this.#wasRead = false;
    this.dropIfIdle();
  }

  #notifyLoading(): void {
    for (const listener of [...(this.#loadingListeners ?? [])]) runIsolated(listener);
  }
}
