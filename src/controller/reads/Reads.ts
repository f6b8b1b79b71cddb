import { CachedRead, type ReadTable } from './CachedRead.ts';
import type { GarbageCollector } from '../GarbageCollector.ts';
import type { Read } from '../plugins/Plugin.ts';
import type { Schedule } from '../schedule.ts';

/** The reads that anything is known of, by endpoint key. */
export class Reads extends Map<string, CachedRead> implements ReadTable {
  mutationGeneration = 0;
  readonly schedule: Schedule;
  readonly collector: GarbageCollector;

  constructor(schedule: Schedule, collector: GarbageCollector) {
    super();
    this.schedule = schedule;
    this.collector = collector;
  }

  get isSuspended(): boolean {
    return [...this.values()].some(({ request }) => request && request.waits.size > 0);
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

  /** A reset: pending requests are not joined any longer. */
  reset(): void {
    this.mutationGeneration += 1;
    this.collector.clear();
    for (const read of this.values()) read.reset();
  }

  /** Ends what waits for time to pass. */
  stop(): void {
    this.collector.clear();
    for (const read of this.values()) read.stop();
  }
}
