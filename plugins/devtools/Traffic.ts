import type { PluginRequest, Read } from 'holdfast';

/** Requests that have ended and are still remembered. */
const MAX_ENDED = 100;

/** Reads whose endpoint is remembered, so that they can be asked for again. */
const MAX_READS = 5_000;

/** One network call. */
export interface TrafficEntry extends Read {
  /** Counts up. */
  readonly id: number;
  /** In ms since the epoch. */
  readonly startedAt: number;
  /** In ms since the epoch; undefined while it is under way. */
  readonly endedAt: number | undefined;
  /** What it failed with. */
  readonly error: unknown;
}

/** The requests under way, the last that have ended, and which reads there have been. */
export class Traffic {
  readonly #now: () => number;
  readonly #underWay = new Map<number, TrafficEntry>();
  readonly #ended: TrafficEntry[] = [];
  readonly #reads = new Map<string, Read>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Those under way, then those that have ended, the newest of each first. */
  entries(): readonly TrafficEntry[] {
    return [...[...this.#underWay.values()].reverse(), ...this.#ended.toReversed()];
  }

  /** The endpoint and args of a key, where it has been asked for. */
  read(key: string): Read | undefined {
    return this.#reads.get(key);
  }

  /** @returns to be called when it has ended, with what it failed with if it did */
  begin({ endpoint, args, key }: PluginRequest): (error?: unknown) => void {
    this.#count += 1;
    const id = this.#count;
    if (endpoint.sideEffect !== true) this.#remember({ endpoint, args, key });
    const entry = { id, endpoint, args, key, startedAt: this.#now(), endedAt: undefined, error: undefined };
    this.#underWay.set(id, entry);
    return (error) => {
      this.#underWay.delete(id);
      this.#ended.push({ ...entry, endedAt: this.#now(), error });
      if (this.#ended.length > MAX_ENDED) this.#ended.shift();
    };
  }

  #remember(read: Read): void {
    // The longest not asked for comes first.
    this.#reads.delete(read.key);
    this.#reads.set(read.key, read);
    if (this.#reads.size <= MAX_READS) return;
    for (const oldest of this.#reads.keys()) {
      this.#reads.delete(oldest);
      return;
    }
  }
}
