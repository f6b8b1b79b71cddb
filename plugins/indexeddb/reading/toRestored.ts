import type { Restored, StoredResult, StoredRow } from 'holdfast';
import { NAME } from '../ControllerApi.ts';
import type { Disk } from '../Disk.ts';
import type { DiskReadResult, DiskResult, DiskRow } from '../records/records.ts';
import { storedResult } from '../records/resultRecord.ts';

/** Merges what was read from disk into memory. */
export function mergeFound(disk: Disk, found: DiskReadResult): void {
  const restored = acceptFound(disk, found);
  if (restored.rows.length + restored.results.length > 0)
    disk.controller.apply(restored, { origin: NAME, type: 'restore' });
}

/** Records the sync states of what was read, and converts it for the controller. */
export function acceptFound(disk: Disk, found: DiskReadResult): Restored {
  const rows = disk.syncStates.recordRead(found, disk.log.lastSeen);
  return toRestored(disk, rows, found.results, found.lastSeen);
}

/**
 * Converts what was read for the controller, with the changes that the disk does not have yet: of results, and additions
 * to lists.
 *
 * @param lastSeen - the last WAL sequence number that the read took into account
 */
export function toRestored(
  { lostRows, revisions, additions, state }: Disk,
  rows: readonly DiskRow[],
  results: readonly DiskResult[],
  lastSeen: number,
): Restored {
  const current = lostRows.expire(results, rows, state).map((result) => revisions.apply(result));
  const found: Restored = {
    rows: rows.map((row): [string, string, StoredRow] => [row.table, row.pk, storedRow(row)]),
    results: current.map((result): [string, StoredResult] => [result.key, storedResult(result)]),
  };
  const added = additions.forRows(rows, lastSeen);
  return added.length === 0 ? found : { ...found, additions: added };
}

function storedRow({ value, meta, refs }: DiskRow): StoredRow {
  // The tombstone of a renamed row refers to the current row.
  const movedTo = value === undefined ? refs[1] : undefined;
  return movedTo === undefined ? { value, meta } : { value, meta, movedTo };
}
