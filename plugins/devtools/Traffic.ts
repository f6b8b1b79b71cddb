import type { PluginRequest, Read } from 'holdfast';

/** The number of completed requests that are kept. */
const MAX_ENDED = 100;

/** The number of reads whose endpoint is kept, so that they can be fetched again. */
const MAX_READS = 5_000;

/** One network call. */
export interface TrafficEntry extends Read {
  /** Increases with each request. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly startedAt: number;
  /** In ms since the epoch; undefined while it is in flight. */
  readonly endedAt: number | undefined;
  /** Its error, if it failed. */
  readonly error: unknown;
}

/** The requests in flight, the last completed ones, and the reads so far. */
export class Traffic {
  readonly #now: () => number;
  readonly #inFlight = new Map<number, TrafficEntry>();
  readonly #ended: TrafficEntry[] = [];
  readonly #reads = new Map<string, Read>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Those in flight, then the completed ones, the newest of each first. */
  entries(): readonly TrafficEntry[] {
    return [...[...this.#inFlight.values()].reverse(), ...this.#ended.toReversed()];
  }

  /** The endpoint and args of a key that was read. */
  read(key: string): Read | undefined {
    return this.#reads.get(key);
  }

  /** @returns to be called when it has completed, with its error if it failed */
  begin({ endpoint, args, key }: PluginRequest): (error?: unknown) => void {
    this.#count += 1;
    const id = this.#count;
    if (endpoint.sideEffect !== true) this.#remember({ endpoint, args, key });
    const entry = { id, endpoint, args, key, startedAt: this.#now(), endedAt: undefined, error: undefined };
    this.#inFlight.set(id, entry);
    return (error) => {
      this.#inFlight.delete(id);
      this.#ended.push({ ...entry, endedAt: this.#now(), error });
      if (this.#ended.length > MAX_ENDED) this.#ended.shift();
    };
  }

  #remember(read: Read): void {
    // The least recently requested comes first.
    this.#reads.delete(read.key);
    this.#reads.set(read.key, read);
    if (this.#reads.size <= MAX_READS) return;
    for (const oldest of this.#reads.keys()) {
      this.#reads.delete(oldest);
      return;
    }
  }
}
