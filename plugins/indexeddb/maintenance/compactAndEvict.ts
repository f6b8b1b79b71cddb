import { withLockIfAvailable } from '../../shared/locks.ts';
import type { Disk } from '../Disk.ts';
import { planCompaction } from './compact.ts';
import { planEviction, type Eviction, type Limits } from './evict.ts';
import { rowRefs } from '../records/records.ts';

/** What a compaction is to keep to. */
interface CompactOptions {
  /** Name of the database. */
  readonly database: string;
  readonly limits: Limits;
}

/**
 * Compacts the log, and evicts what exceeds the limits.
 *
 * @param betweenFlushes - runs a function while no flush is in progress
 * @throws the storage's error, or that of an eviction's code that cannot be loaded
 */
export async function compactAndEvict(
  disk: Disk,
  { database, limits }: CompactOptions,
  betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<void> {
  await withLockIfAvailable(`holdfast fold ${database}`, async () => {
    await compactOnce(disk);
    await disk.refresh();
    if (Math.min(limits.maxRows, limits.maxBytes) === Infinity) return;
    const eviction = await evictionOf(disk, limits);
    // Between two flushes, which rely on what is stored. If other tabs write, the next compaction tries again.
    if (eviction?.from.epoch === disk.resetEpoch) await betweenFlushes(() => execute(disk, eviction));
  });
}

/**
 * Evicts the colder half of the stored data, during a flush that found the disk full.
 *
 * @returns whether there is space now
 */
export async function makeRoom(disk: Disk): Promise<boolean> {
  // Eviction keeps what is in the log, which may be most of the data, so the log is compacted first if there is
  // space.
  await compactOnce(disk).catch(() => undefined);
  await disk.refresh();
  const { rows, bytes } = disk.size.compacted;
  const limits: Limits = { maxRows: rows === 0 ? Infinity : rows / 2, maxBytes: bytes / 2 };
  const eviction = await evictionOf(disk, limits);
  return eviction?.from.epoch === disk.resetEpoch && (await execute(disk, eviction));
}

/** If another tab has compacted or cleared it, there is nothing to do; otherwise the next flush tries again. */
async function compactOnce({ storage, log, controller, decoding, resetEpoch }: Disk): Promise<void> {
  const { plan, from } = await planCompaction(storage, { log, now: controller.now(), decoding });
  if (from.epoch === resetEpoch) await storage.rewrite(plan, from);
}

async function evictionOf(disk: Disk, limits: Limits): Promise<Eviction | undefined> {
  const { storage, log, decoding, readTimes, controller } = disk;
  const shown = new Set(controller.mountedKeys());
  const readAt = (key: string): number | undefined => (shown.has(key) ? Infinity : readTimes.at(key));
  return planEviction(storage, { log, limits, decoding, readAt });
}

/** Returns false, with nothing changed, if other tabs have written. */
async function execute(disk: Disk, { plan, from, rows, results }: Eviction): Promise<boolean> {
  if (!(await disk.storage.rewrite(plan, from))) return false;
  disk.log.onEvicted(plan.header);
  for (const [table, pk] of rowRefs(rows)) disk.syncStates.delete(table, pk);
  for (const key of results) disk.directory.results.delete(key);
  await disk.refresh();
  return true;
}
