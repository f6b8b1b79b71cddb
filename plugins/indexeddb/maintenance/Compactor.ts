import type { Disk } from '../Disk.ts';
import { withLockIfAvailable } from '../../shared/locks.ts';
import { catchUp } from '../writing/reconcile.ts';
import { compactedSize } from '../records/header.ts';
import { rowRefs } from '../records/records.ts';
import { planCompaction } from './compact.ts';
import { planEviction, type Eviction, type Limits } from './evict.ts';
import type { LogSize } from '../writing/WriteAheadLog.ts';

/** A longer log is compacted, since every start has to read it. */
export const COMPACT_AT: LogSize = { records: 256, rows: 1_024 };

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
    const { log, status } = this.#disk;
    const { size: logged } = log;
    const { compactAt, limits } = this.#options;
    const { rows, bytes } = status.get();
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
      await compact(disk).catch(() => undefined);
      await disk.refresh();
      // What other tabs have written may be evicted, so this tab merges it before it writes newer versions.
      await catchUp(disk);
      const { rows, bytes } = compactedSize(disk.log.header);
      const limits: Limits = { maxRows: rows === 0 ? Infinity : rows / 2, maxBytes: bytes / 2 };
      const eviction = await evictionOf(disk, limits);
      return eviction !== undefined && (await evict(disk, eviction));
    } catch {
      // The flush reports the failure.
      return false;
    }
  }

  async #compactAndEvict(): Promise<void> {
    const disk = this.#disk;
    const { localResets } = disk;
    if (!disk.isUsable || !this.isDue) return;
    const { database, limits } = this.#options;
    try {
      await withLockIfAvailable(`holdfast compact ${database}`, async () => {
        await compact(disk);
        await disk.refresh();
        if (Math.min(limits.maxRows, limits.maxBytes) === Infinity) return;
        const eviction = await evictionOf(disk, limits);
        // Between two flushes, which rely on what is stored. If other tabs write, the next compaction tries again.
        if (eviction !== undefined) await this.#betweenFlushes(() => evict(disk, eviction));
      });
    } catch (cause) {
      if (localResets === disk.localResets)
        disk.fail('its log cannot be compacted', 'starts take longer until it can', cause);
    }
  }
}

/** If another tab has compacted or cleared it, there is nothing to do; otherwise the next flush tries again. */
async function compact({ records, log, controller, decoding, lostRows, epoch }: Disk): Promise<void> {
  const { plan, from } = await planCompaction(records, { log, now: controller.now(), decoding, lostRows });
  if (from.epoch === epoch) await records.rewrite(plan, from);
}

/** What is to be evicted; undefined if nothing is, or another tab has cleared the disk. */
async function evictionOf(disk: Disk, limits: Limits): Promise<Eviction | undefined> {
  const { records, log, decoding, readTimes, controller } = disk;
  const shown = new Set(controller.mountedKeys());
  const readAt = (key: string): number | undefined => (shown.has(key) ? Infinity : readTimes.at(key));
  const eviction = await planEviction(records, { log, limits, decoding, readAt });
  return eviction?.from.epoch === disk.epoch ? eviction : undefined;
}

/** Returns false, with nothing changed, if other tabs have written. */
async function evict(disk: Disk, { plan, from, rows, results }: Eviction): Promise<boolean> {
  if (!(await disk.records.rewrite(plan, from))) return false;
  disk.log.onEvicted(plan.header);
  for (const [table, pk] of rowRefs(rows)) disk.syncStates.delete(table, pk);
  for (const key of results) disk.directory.results.delete(key);
  await disk.refresh();
  return true;
}
