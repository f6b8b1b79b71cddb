import type { HoldfastError } from 'holdfast';
import { encodeBatch, splitBatch, type BatchRecord } from '../records/batchRecord.ts';
import { encodeScreen, type Screen } from '../records/lastScreen.ts';
import { isCloneError, withoutUnclonable } from '../records/clonable.ts';
import { warnOfLostClasses } from '../records/lostClass.ts';
import type { Disk } from '../Disk.ts';
import type { UnloadMode } from '../scheduling/UnloadMode.ts';
import { yieldToMain } from '../../shared/mainThread.ts';
import { NewerVersion } from './WriteAheadLog.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { WriteBatch } from '../records/records.ts';
import type { SideChange } from './side.ts';
import type { AppendGuard } from '../storage/Storage.ts';

/** How a batch is appended. */
export interface AppendBatchOptions {
  /** The state of the disk that it is based on. */
  readonly guard: AppendGuard;
  /** For a batch without other plugins' records. */
  readonly durability: 'relaxed' | 'strict';
  /** While active, it is written without yielding. */
  readonly unloadMode: UnloadMode;
  /** Replaces the last screen. */
  readonly screen?: Screen | undefined;
}

/** Other tabs have written since the disk was read. */
export class LogMoved extends Error {}

/** Another tab has cleared the disk without announcing it. */
export class DiskCleared extends Error {}

/**
 * Appends a batch and other plugins' records in one transaction. Values that cannot be cloned are left out and
 * reported.
 *
 * @returns the errors if other plugins' records were left out
 * @throws LogMoved, DiskCleared, or NewerVersion when a newer version of the app has written
 */
export async function appendBatch(
  disk: Disk,
  batch: WriteBatch,
  side: readonly SideChange[],
  options: AppendBatchOptions,
): Promise<HoldfastError[]> {
  try {
    await append(disk, batch, side, options);
    if (process.env.NODE_ENV !== 'production') warnOfLostClasses(disk, batch.rows);
    return [];
  } catch (error) {
    if (!isCloneError(error)) throw error;
  }
  const cleaned = withoutUnclonable(batch, side, (value) => disk.records.isStorable(value));
  await append(disk, cleaned.batch, cleaned.side, { ...options, screen: undefined });
  const errors = cleaned.leftOut.map((name) =>
    disk.failures.failure(
      'HF_ROW_NOT_CLONABLE',
      `${name} holds a value that cannot be stored, such as a function, or a Blob in a private window of Safari`,
      'only it was left out; store plain data',
    ),
  );
  return cleaned.side.length < side.length ? errors : [];
}

async function append(
  disk: Disk,
  batch: WriteBatch,
  side: readonly SideChange[],
  { guard, durability, unloadMode, screen }: AppendBatchOptions,
): Promise<void> {
  const parts = splitBatch(batch);
  if (parts.length + side.length === 0 && screen === undefined) return;
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
  const appended =
    epoch === disk.resetEpoch
      ? await disk.records.append(records, screenRecord === undefined ? side : [...side, screenRecord], {
          guard,
          version,
          // Other plugins' records exist nowhere else.
          durability: side.length > 0 ? 'strict' : durability,
          get isUnloading() {
            return unloadMode.isActive;
          },
        })
      : 'emptied';
  if (localResets !== disk.localResets) {
    if (typeof appended === 'string') throw new LogMoved();
    return;
  }
  if (appended === 'emptied') throw disk.isResetPending !== undefined ? new LogMoved() : new DiskCleared();
  if (appended === 'moved') throw new LogMoved();
  if (appended === 'newer') throw new NewerVersion();
  disk.log.onAppended(appended.sequences, parts);
  while (disk.log.mergeNext()) if (yielder.shouldYield) await yielder.yieldNow();
  if (localResets !== disk.localResets) return;
  disk.size.onAppended({ records: parts.length, rows: batch.rows.length });
}
