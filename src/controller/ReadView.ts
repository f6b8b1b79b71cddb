import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import type { Schema } from '../schema/Schema.ts';
import { ExpiryStatus, isStale } from '../store/expiry.ts';
import type { Core } from './Core.ts';
import type { Fetcher } from './Fetcher.ts';
import type { Read } from './Plugin.ts';
import { expiryOf, readEndpoint, statusOf, type Reading } from './reading.ts';

/**
 * One endpoint read with given args, for whoever shows it: what hooks are made of. Two views of the same read show
 * the same data; a view's own snapshot is the same object until something in it changes.
 */
export class ReadView implements Read {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly #core: Core;
  readonly #fetcher: Fetcher;
  #snapshot: Reading | undefined;
  /** The version of the views that the snapshot was read at: rendering and mounting ask for it several times each. */
  #version: number | undefined;
  #served: Reading | undefined;

  constructor(core: Core, fetcher: Fetcher, { endpoint, args, key }: Read) {
    this.#core = core;
    this.#fetcher = fetcher;
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
  }

  /** The schema by which the data is joined. */
  get schema(): Schema {
    return this.endpoint.schema;
  }

  /** What is to be shown. */
  snapshot(): Reading {
    const { version } = this.#core.views;
    if (this.#snapshot !== undefined && this.#version === version) return this.#snapshot;
    const reading = readEndpoint(this.#core, this.endpoint, this.key, this.args);
    this.#version = version;
    return (this.#snapshot = unlessSame(this.#snapshot, reading));
  }

  /** Whether a page that a server rendered may be hydrating. */
  get isHydrating(): boolean {
    return this.#core.serverReads !== undefined;
  }

  /**
   * What is to be shown while hydrating: what the server rendered from, whatever has happened since. The same object
   * as `snapshot()` where nothing has, and where no page hydrates.
   */
  serverSnapshot(): Reading {
    const now = this.snapshot();
    const served = this.#core.serverReads?.result(this.endpoint, this.key, this.args, now) ?? now;
    return (this.#served = served === now ? now : unlessSame(this.#served, served));
  }

  /** When what is shown becomes stale, in ms since the epoch; 0 when there is nothing. */
  get expiresAt(): number {
    return expiryOf(this.#core, this.endpoint, this.key, this.args);
  }

  get expiryStatus(): ExpiryStatus {
    return statusOf(this.#core, this.endpoint, this.snapshot(), () => this.expiresAt);
  }

  /** Whether the data may be shown now. */
  get isUsable(): boolean {
    return this.expiryStatus === ExpiryStatus.Valid;
  }

  /** The data where it may be shown now, else `MISSING`: for readers that neither wait nor fetch. */
  get data(): unknown {
    return this.isShowable ? this.snapshot().data : MISSING;
  }

  /** Whether there is something, data or error, and it is out of date. */
  get isStale(): boolean {
    const { data, error } = this.snapshot();
    return this.#isStale && (data !== MISSING || error !== undefined);
  }

  /** Whether a request or a look on disk is under way. */
  get isLoading(): boolean {
    return this.#core.inFlight.has(this.key);
  }

  /** The error to throw; undefined where there is none, or it was so long ago that one may try again. */
  get error(): unknown {
    const { error } = this.snapshot();
    return error !== undefined && (this.#hasLanded || !this.#isStale) ? error : undefined;
  }

  /** Whether a mount should ask for (newer) data. */
  get wantsLoad(): boolean {
    const { data, error } = this.snapshot();
    return data === MISSING && error === undefined ? true : this.#isStale && !this.#hasLanded;
  }

  /** Whether there is data that a mount may show. */
  get isShowable(): boolean {
    return this.isUsable || (this.snapshot().data !== MISSING && this.#hasLanded);
  }

  /** Asks disk and network for it, unless somebody has already. */
  load(): Promise<unknown> {
    return this.#fetcher.load(this.endpoint, this.args);
  }

  /** What is fresh, at once; else a promise of what `load` gives, or of the error that keeps it from being asked for. */
  loadIfStale(): unknown {
    const { data, error } = this.snapshot();
    if (this.#isStale) return this.load();
    if (this.isUsable) return data;
    // As it was rejected with.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    return error === undefined ? this.load() : Promise.reject(error);
  }

  /**
   * `load` for one who shows nothing until it settles. The answer is good for that showing even if it is stale as soon
   * as it arrives, or it would be asked for again for ever.
   */
  wait(): Promise<unknown> {
    const promise = this.load();
    this.#core.landed.expect(this.key, promise);
    return promise;
  }

  /** Tells that it is shown: from now on, what has landed is as old as it is. */
  shown(): void {
    const { inFlight, landed } = this.#core;
    landed.shown(this.key, inFlight.has(this.key) ? undefined : inFlight.find(this.key));
  }

  get #isStale(): boolean {
    return isStale(this.expiresAt, this.#core.now()) || this.#core.isRetryable(this.key);
  }

  get #hasLanded(): boolean {
    return this.#core.landed.has(this.key) && !this.#core.isRetryable(this.key);
  }

  /** Calls `listener` when `isLoading` may have changed, until the function it returns is called. */
  watchLoading(listener: () => void): () => void {
    return this.#core.inFlight.watch(this.key, listener);
  }

  /** Calls `listener` when the snapshot may have changed, until the function it returns is called. */
  subscribe(listener: () => void): () => void {
    const core = this.#core;
    let isOver = false;
    // A function of its own each time, which stays silent once it was stopped, even while listeners are being told.
    const tell = (): void => {
      if (!isOver) listener();
    };
    const node = core.views.listen(this.key, this.schema, this.args, tell);
    core.serverReads?.mounted(core, this.key, this.schema);
    core.mounts.add(this);
    return () => {
      if (isOver) return;
      isOver = true;
      core.views.unlisten(node, tell);
      core.mounts.remove(this);
    };
  }
}

/** The last reading where the next is no other. */
function unlessSame(last: Reading | undefined, next: Reading): Reading {
  return last !== undefined && Object.is(last.data, next.data) && last.error === next.error ? last : next;
}
