import type { Restored, StoredResult, StoredRow } from 'holdfast';
import { NAME } from '../ControllerApi.ts';
import type { Disk } from '../Disk.ts';
import { withChanges } from '../writing/ListChanges.ts';
import { revised } from '../writing/reviseOnDisk.ts';
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
 * Converts what was read for the controller, with the changes that the disk does not have yet: of results, and changes
 * to lists.
 *
 * @param lastSeen - the last WAL sequence number that the read took into account
 */
export function toRestored(
  disk: Disk,
  rows: readonly DiskRow[],
  results: readonly DiskResult[],
  lastSeen: number,
): Restored {
  const { lostRows, revisions, listChanges, pending, state } = disk;
  const missing = listChanges.forRows(rows, lastSeen);
  const current = lostRows.expire(results, rows, state).map((result) => revised(result, revisions));
  return {
    rows: rows.map((row): Restored['rows'][number] => {
      const { table, pk } = row;
      const stored = storedRow(row);
      if (missing.length === 0) return [table, pk, stored];
      const extended = withChanges(disk, table, pk, stored, missing);
      if (extended !== stored) pending.markRow(table, pk);
      // Another tab has added to the list too: the version with all of this replaces the one in memory.
      return listChanges.isBasedOnOlder(state?.tables[table]?.get(pk), stored.meta)
        ? [table, pk, extended, extended.meta]
        : [table, pk, extended];
    }),
    results: current.map((result): [string, StoredResult] => [result.key, storedResult(result)]),
    // Those of a function are not applied twice, and do not commute with others.
    listChanges: missing.some(({ how }) => typeof how === 'function') ? [] : missing,
  };
}

function storedRow({ value, meta, refs }: DiskRow): StoredRow {
  // The tombstone of a renamed row refers to the current row.
  const movedTo = value === undefined ? refs[1] : undefined;
  return movedTo === undefined ? { value, meta } : { value, meta, movedTo };
}
