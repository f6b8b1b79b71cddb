import type { HoldfastError } from 'holdfast';
import { encodeBatch, partsOf, type BatchRecord } from './batchRecord.ts';
import { isCloneError, withoutUnclonable } from './clonable.ts';
import type { Disk } from './Disk.ts';
import type { Haste } from './Haste.ts';
import { soon } from './idle.ts';
import { NewerVersion } from './Log.ts';
import { Pacer } from './Pacer.ts';
import type { Batch } from './records.ts';
import type { SideChange } from './side.ts';
import type { Known } from './Storage.ts';

/** How a batch is appended. */
export interface Appending {
  /** What it takes into account of what is on disk. */
  readonly known: Known;
  /** Of a batch without records of other plugins. */
  readonly durability: 'relaxed' | 'strict';
  /** When it is written in one go. */
  readonly haste: Haste;
}

/** Others have written to the disk since it was looked at. */
export class Moved extends Error {}

/** Another tab has emptied the disk, and nobody has told this one. */
export class Emptied extends Error {}

/**
 * Appends a batch to the log, with records of other plugins, in one transaction. What cannot be cloned is left out and
 * told of.
 *
 * @returns errors when records of other plugins were left out, which they have to know
 * @throws Moved, Emptied, or NewerVersion when a newer version of the app has written
 */
export async function appendBatch(
  disk: Disk,
  batch: Batch,
  side: readonly SideChange[],
  appending: Appending,
): Promise<HoldfastError[]> {
  try {
    await append(disk, batch, side, appending);
    return [];
  } catch (error) {
    if (!isCloneError(error)) throw error;
  }
  const cleaned = withoutUnclonable(batch, side, (value) => disk.storage.isStorable(value));
  await append(disk, cleaned.batch, cleaned.side, appending);
  const errors = cleaned.leftOut.map((name) =>
    disk.failures.failure(
      'HF_ROW_NOT_CLONABLE',
      `${name} holds a value that cannot be cloned, such as a function`,
      'it was left out alone; store plain data',
    ),
  );
  return cleaned.side.length < side.length ? errors : [];
}

async function append(
  disk: Disk,
  batch: Batch,
  side: readonly SideChange[],
  { known, durability, haste }: Appending,
): Promise<void> {
  const parts = partsOf(batch);
  if (parts.length + side.length === 0) return;
  const { generation } = disk;
  const { version } = disk.decoding;
  const records: BatchRecord[] = [];
  const pacer = new Pacer(soon, haste);
  for (const part of parts) {
    records.push(encodeBatch(part, version));
    if (pacer.isDue) await pacer.pause();
  }
  const appended =
    known.epoch === disk.epoch
      ? await disk.storage.append(records, side, {
          known,
          version,
          // What other plugins keep beside the cache exists nowhere else.
          durability: side.length > 0 ? 'strict' : durability,
          get isHasty() {
            return haste.isOn;
          },
        })
      : 'emptied';
  if (generation !== disk.generation) {
    if (typeof appended === 'string') throw new Moved();
    return;
  }
  if (appended === 'emptied') throw disk.followsReset ? new Moved() : new Emptied();
  if (appended === 'moved') throw new Moved();
  if (appended === 'newer') throw new NewerVersion();
  disk.log.appended(appended.places, parts);
  while (disk.log.sortIn()) if (pacer.isDue) await pacer.pause();
  if (generation !== disk.generation) return;
  disk.size.appended({ records: parts.length, rows: batch.rows.length });
}
