import type { HoldfastError } from 'holdfast';
import { encodeBatch, splitBatch, type BatchRecord } from '../records/batchRecord.ts';
import { encodeScreen, type Screen } from '../records/lastScreen.ts';
import { isCloneError, withoutUnstorable } from '../records/clonable.ts';
import { warnOfLostClasses } from '../records/lostClass.ts';
import type { Disk } from '../Disk.ts';
import type { LastScreen } from '../reading/LastScreen.ts';
import type { UnloadMode } from '../scheduling/UnloadMode.ts';
import { yieldToMain } from '../../shared/mainThread.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { WriteBatch } from '../records/records.ts';
import type { SideChange } from './side.ts';
import type { AppendGuard } from '../storage/Storage.ts';

/** What is written in one transaction. */
export interface Append {
  readonly batch: WriteBatch;
  /** Records of other plugins. */
  readonly side: readonly SideChange[];
  /** Replaces the last screen. */
  readonly screen: Screen | undefined;
  /** The state of the disk that it is based on. */
  readonly guard: AppendGuard;
}

/** How it is written. */
export interface AppendBatchOptions {
  /** For a batch without other plugins' records. */
  readonly durability: 'relaxed' | 'strict';
  /** While active, it is written without yielding. */
  readonly unloadMode: UnloadMode;
  readonly lastScreen: LastScreen;
}

/** The disk has changed since it was read: the next read shows how. */
export class LogMoved extends Error {}

/**
 * Appends a batch and other plugins' records in one transaction. Values that cannot be cloned are left out and
 * reported.
 *
 * @returns the errors if other plugins' records were left out
 * @throws LogMoved when other tabs have written, evicted data or cleared the disk, or a newer version of the app has written
 */
export async function appendBatch(
  disk: Disk,
  append: Append,
  options: AppendBatchOptions,
): Promise<HoldfastError[]> {
  const { batch, side, screen, guard } = append;
  const { durability, unloadMode } = options;
  const parts = splitBatch(batch);
  if (parts.length + side.length === 0 && screen === undefined) return [];
  const { localResets } = disk;
  const { version } = disk.decoding;
  const records: BatchRecord[] = [];
  const yielder = new YieldScheduler(yieldToMain, unloadMode);
  for (const part of parts) {
    records.push(encodeBatch(part, version));
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  const { epoch, evictions, lastSeen } = guard;
  const through = lastSeen + parts.length;
  const screenRecord = screen && encodeScreen(screen, { epoch, evictions, through }, version);
  // Another tab has cleared the disk.
  if (epoch !== disk.epoch) throw new LogMoved();
  let isAppended: boolean;
  try {
    isAppended = await disk.records.append(
      records,
      screenRecord === undefined ? side : [...side, screenRecord],
      {
        guard,
        version,
        // Other plugins' records exist nowhere else.
        durability: side.length > 0 ? 'strict' : durability,
        get isUnloading() {
          return unloadMode.isActive;
        },
      },
    );
  } catch (error) {
    if (!isCloneError(error)) throw error;
    return appendStorable(disk, append, options, error);
  }
  if (!isAppended) throw new LogMoved();
  if (localResets !== disk.localResets) return [];
  disk.log.onAppended(through);
  if (screen !== undefined) options.lastScreen.onWritten(screen);
  for (const [index, part] of parts.entries()) {
    disk.log.merge(lastSeen + 1 + index, part);
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  if (process.env.NODE_ENV !== 'production') warnOfLostClasses(disk, batch.rows);
  return [];
}

/** Appends what can be cloned, and reports the rest. */
async function appendStorable(
  disk: Disk,
  { batch, side, screen, guard }: Append,
  options: AppendBatchOptions,
  cause: unknown,
): Promise<HoldfastError[]> {
  const storable = await withoutUnstorable(batch, side, disk.records);
  if (storable.leftOut.length === 0 && screen === undefined) throw cause;
  for (const value of storable.unstorable)
    if (typeof value === 'object' && value !== null) disk.unstorable.add(value);
  await appendBatch(disk, { ...storable, guard, screen: undefined }, options);
  // Without what was left out.
  if (storable.leftOut.length > 0 && screen !== undefined) options.lastScreen.request();
  const errors = storable.leftOut.map((name) =>
    disk.failures.failure(
      'HF_ROW_NOT_CLONABLE',
      `${name} holds a value that cannot be stored, such as a function, a file that was changed or deleted, or a Blob in a private window of Safari`,
      'only it was left out; store plain data',
    ),
  );
  return storable.side.length < side.length ? errors : [];
}
