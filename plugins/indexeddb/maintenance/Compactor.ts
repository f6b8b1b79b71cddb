import { withLockIfAvailable } from '../../shared/locks.ts';
import type { Disk } from '../Disk.ts';
import { planEviction, type Eviction, type Limits } from './evict.ts';
import { planCompaction } from './compact.ts';
import { rowRefs } from '../records/records.ts';
import type { LogSize } from './DiskSize.ts';

/** When to compact. */
export interface CompactorOptions {
  /** Name of the database. */
  readonly database: string;
  readonly limits: Limits;
  /** The log is compacted when either limit is reached. */
  readonly compactAt: LogSize;
}

/** Compacts the WAL into shards and evicts cold data, beside flushes. */
export class Compactor {
  readonly #disk: Disk;
  readonly #options: CompactorOptions;
  /** Runs a function while no flush is in progress. */
  readonly #betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>;
  #compacting: Promise<void> | undefined;

  constructor(
    disk: Disk,
    options: CompactorOptions,
    betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>,
  ) {
    this.#disk = disk;
    this.#options = options;
    this.#betweenFlushes = betweenFlushes;
  }

  /** Whether the log is long enough for a compaction, or too much is stored. */
  get isDue(): boolean {
    const { size, failures } = this.#disk;
    const { logged } = size;
    const { compactAt, limits } = this.#options;
    const { rows, bytes } = failures.status.get();
    const isTooMuch = logged.records > 0 && (rows > limits.maxRows || bytes > limits.maxBytes);
    return isTooMuch || logged.rows >= compactAt.rows || logged.records >= compactAt.records;
  }

  /** Compacts the log; what is appended in the meantime stays in it. Never rejects, since failures are reported. */
  compact(): Promise<void> {
    this.#compacting ??= this.#compactAndEvict().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  /** Settles once no compaction is in progress. */
  async settled(): Promise<void> {
    await this.#compacting;
  }

  /**
   * Evicts the colder half of the stored data, during a flush that found the disk full.
   *
   * @returns whether there is space now
   */
  async makeRoom(): Promise<boolean> {
    const disk = this.#disk;
    try {
      // Eviction keeps what is in the log, which may be most of the data, so the log is compacted first if there is
      // space.
      await this.#compactOnce().catch(() => undefined);
      await disk.refresh();
      const { rows, bytes } = disk.size.compacted;
      const limits: Limits = { maxRows: rows === 0 ? Infinity : rows / 2, maxBytes: bytes / 2 };
      const eviction = await this.#planEviction(limits);
      return eviction?.from.epoch === disk.resetEpoch && (await this.#execute(eviction));
    } catch {
      // The flush reports the failure.
      return false;
    }
  }

  async #compactAndEvict(): Promise<void> {
    const disk = this.#disk;
    const { localResets } = disk;
    if (!disk.isUsable || !this.isDue) return;
    try {
      await withLockIfAvailable(`holdfast fold ${this.#options.database}`, async () => {
        await this.#compactOnce();
        await disk.refresh();
        const eviction = await this.#planEviction(this.#options.limits);
        // Between two flushes, which rely on what is stored. If other tabs write, the next compaction tries again.
        if (eviction?.from.epoch === disk.resetEpoch)
          await this.#betweenFlushes(() => this.#execute(eviction));
      });
    } catch (cause) {
      if (localResets === disk.localResets && disk.disableIfForeign(cause) === undefined)
        disk.failures.storage('its log cannot be compacted', 'starts take longer until it can', cause);
    }
  }

  /** If another tab has compacted or cleared it, there is nothing to do; otherwise the next flush tries again. */
  async #compactOnce(): Promise<void> {
    const { storage, log, controller, decoding, resetEpoch } = this.#disk;
    const { plan, from } = await planCompaction(storage, { log, now: controller.now(), decoding });
    if (from.epoch === resetEpoch) await storage.rewrite(plan, from);
  }

  #planEviction(limits: Limits): Promise<Eviction | undefined> {
    const { storage, log, decoding, readTimes, controller } = this.#disk;
    const shown = new Set(controller.mountedReads().map(({ key }) => key));
    const readAt = (key: string): number | undefined => (shown.has(key) ? Infinity : readTimes.at(key));
    return planEviction(storage, { log, limits, decoding, readAt });
  }

  /** Returns false, with nothing changed, if other tabs have written. */
  async #execute({ plan, from, rows, results }: Eviction): Promise<boolean> {
    const disk = this.#disk;
    if (!(await disk.storage.rewrite(plan, from))) return false;
    disk.log.onEvicted(plan.header);
    for (const [table, pk] of rowRefs(rows)) disk.syncStates.delete(table, pk);
    for (const key of results) disk.onDisk.delete(key);
    await disk.refresh();
    return true;
  }
}
