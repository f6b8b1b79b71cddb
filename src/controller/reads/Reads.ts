import { CachedRead, type ReadTable } from './CachedRead.ts';
import type { GarbageCollector } from '../GarbageCollector.ts';
import type { Read } from '../plugins/Plugin.ts';
import type { Schedule } from '../schedule.ts';

/** How many calls of `expireAll` and `invalidateAll` are remembered. */
const MAX_EXPIRATIONS = 100;

/** A call of `expireAll` or `invalidateAll`. */
interface Expiration {
  readonly testKey: (key: string) => boolean;
  readonly order: number;
}

/** The reads that anything is known of, by endpoint key. */
export class Reads extends Map<string, CachedRead> implements ReadTable {
  mutationGeneration = 0;
  suspensions = 0;
  readonly schedule: Schedule;
  readonly collector: GarbageCollector;
  /** The latest first. */
  #expirations: readonly Expiration[] = [];

  constructor(schedule: Schedule, collector: GarbageCollector) {
    super();
    this.schedule = schedule;
    this.collector = collector;
  }

  /** The read of a key, created if there is none: the caller adds a reason to keep it. */
  getOrCreate(read: Read): CachedRead {
    const { key } = read;
    let found = this.get(key);
    if (found === undefined) this.set(key, (found = new CachedRead(this, read)));
    return found;
  }

  /** Reads whose request has reached the network. Iterates over all reads. */
  requested(): CachedRead[] {
    return [...this.values()].filter(({ request }) => request?.mutationGeneration !== undefined);
  }

  /** Also expires reads that are served from rows and not known yet: they have no result. */
  expire(testKey: Expiration['testKey'], order: number): void {
    this.#expirations = [{ testKey, order }, ...this.#expirations].slice(0, MAX_EXPIRATIONS);
  }

  /** The order up to which rows are stale for a read that is served from them; 0 if it was never expired. */
  expiredThrough(key: string): number {
    return this.#expirations.find(({ testKey }) => testKey(key))?.order ?? 0;
  }

  /** A reset: pending requests are not joined any longer. */
  reset(): void {
    this.mutationGeneration += 1;
    this.#expirations = [];
    this.collector.clear();
    for (const read of this.values()) read.reset();
  }

  /** Ends what waits for time to pass. */
  stop(): void {
    this.collector.clear();
    for (const read of this.values()) read.stop();
  }
}
