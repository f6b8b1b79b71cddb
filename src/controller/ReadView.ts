import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { ExpiryStatus, isStale } from '../store/expiry.ts';
import type { Core } from './Core.ts';
import type { Fetcher } from './Fetcher.ts';
import { expiryOf, readEndpoint, statusOf, type Reading } from './reading.ts';

/**
 * One endpoint read with given args, for whoever shows it: what hooks are made of. Two views of the same read show
 * the same data; a view's own snapshot is the same object until something in it changes.
 */
export class ReadView {
  readonly key: string;
  readonly #core: Core;
  readonly #fetcher: Fetcher;
  readonly #endpoint: EndpointInterface;
  readonly #args: readonly unknown[];
  #snapshot: Reading | undefined;

  constructor(core: Core, fetcher: Fetcher, endpoint: EndpointInterface, args: readonly unknown[]) {
    this.#core = core;
    this.#fetcher = fetcher;
    this.#endpoint = endpoint;
    this.#args = args;
    this.key = endpoint.key(...args);
  }

  /** What is to be shown. */
  snapshot(): Reading {
    const reading = readEndpoint(this.#core, this.#endpoint, this.key, this.#args);
    const last = this.#snapshot;
    if (last !== undefined && Object.is(last.data, reading.data) && last.error === reading.error) return last;
    this.#snapshot = reading;
    return reading;
  }

  /** When what is shown becomes stale, in ms since the epoch; 0 when there is nothing. */
  get expiresAt(): number {
    return expiryOf(this.#core, this.#endpoint, this.key, this.#args);
  }

  get expiryStatus(): ExpiryStatus {
    return statusOf(this.#core, this.#endpoint, this.snapshot(), this.expiresAt);
  }

  /** Whether the data may be shown now. */
  get isUsable(): boolean {
    return this.expiryStatus === ExpiryStatus.Valid;
  }

  /** Whether a request or a look on disk is under way. */
  get isLoading(): boolean {
    return this.#core.inFlight.has(this.key);
  }

  /** The error to throw; undefined where there is none, or it was so long ago that one may try again. */
  get error(): unknown {
    const { error } = this.snapshot();
    return error !== undefined && !isStale(this.expiresAt, this.#core.now()) ? error : undefined;
  }

  /** Whether a mount should ask for (newer) data. */
  get wantsLoad(): boolean {
    const { data, error } = this.snapshot();
    if (error !== undefined || data !== MISSING) return isStale(this.expiresAt, this.#core.now());
    return true;
  }

  /** Asks disk and network for it, unless somebody has already. */
  load(): Promise<unknown> {
    return this.#fetcher.load(this.#endpoint, this.#args);
  }

  /** Bound, so that it can be handed to React as it is. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const schema = this.#endpoint.schema;
    return this.#core.views.watchResult(this.key, schema, this.#args, listener);
  };
}
