import type { Disk } from './Disk.ts';
import { nextTurn } from './idle.ts';
import { named, type DiskResult, type DiskRow } from './records.ts';
import type { ShardsFound } from './Reader.ts';

/** Rows or results merged into memory at a time, so that no task gets long on a slow phone. */
const SLICE = 512;

/** Shards read at a time, while those before are merged: about two slices. */
const SHARDS = 64;

/** What tells the restore of the rest how to go on. */
export interface RestoringRest {
  /** The plugin's name. */
  readonly name: string;
  /** Settles once no read that somebody waits for is under way. */
  readonly settled: () => Promise<void>;
  /** Whether to go on. */
  readonly isWanted: () => boolean;
}

/**
 * Brings what is on disk into memory, in slices while there is nothing else to do. Rows come before results: a result
 * in memory is read without asking disk, so that what it reaches has to be there first.
 */
export async function restoreRest(disk: Disk, restoring: RestoringRest): Promise<void> {
  for (const table of await disk.reader.tables()) {
    if (!(await restoreTable(disk, table, restoring))) return;
    disk.standings.complete(table);
  }
  const keys = [...disk.onDisk].sort();
  for (let start = 0; start < keys.length; start += SLICE) {
    if (!(await turn(restoring))) return;
    const slice = keys.slice(start, start + SLICE);
    const found = await disk.reader.resultsBetween(slice[0] ?? '', slice.at(-1) ?? '');
    if (!restoring.isWanted()) return;
    const results = found.filter(({ key }) => disk.state?.results.get(key) === undefined);
    merge(disk, [], results, { ...restoring, known: disk.log.known });
  }
}

/** Returns false when it was told to stop. */
async function restoreTable(disk: Disk, table: string, restoring: RestoringRest): Promise<boolean> {
  const { status } = disk.failures;
  const read = (first: number): Promise<ShardsFound> => {
    const reading = disk.reader.shards(table, first, SHARDS);
    // Awaited below, unless it is not wanted any more.
    reading.catch(() => undefined);
    return reading;
  };
  if (!(await turn(restoring))) return false;
  let shards = 1;
  let reading = read(0);
  for (let next = 0; next < shards;) {
    const found = await reading;
    if (!(await turn(restoring))) return false;
    // A fold may have spread the table anew meanwhile. What is in memory already is passed over.
    const isSame = next === 0 || found.shards === shards;
    next = isSame ? next + SHARDS : 0;
    shards = found.shards;
    if (next < shards) reading = read(next);
    const rows = isSame ? found.rows : [];
    for (let start = 0; start < rows.length; start += SLICE) {
      if (start > 0 && !(await turn(restoring))) return false;
      merge(disk, rows.slice(start, start + SLICE), [], { ...restoring, known: found.known });
      status.set({ restoredRows: status.get().restoredRows + Math.min(SLICE, rows.length - start) });
    }
  }
  return true;
}

/** Waits until there is nothing better to do. Returns false when it is no longer wanted. */
async function turn({ settled, isWanted }: RestoringRest): Promise<boolean> {
  await nextTurn();
  await settled();
  return isWanted();
}

function merge(
  disk: Disk,
  found: readonly DiskRow[],
  results: readonly DiskResult[],
  { name, known }: RestoringRest & { readonly known: number },
): void {
  const { standings, state } = disk;
  // Others may have written the rows again since they were read.
  const standing = known === disk.log.known ? 'merged' : 'arrived';
  const isHere = (table: string, pk: string): boolean => state?.tables[table]?.get(pk) !== undefined;
  const rows: DiskRow[] = [];
  for (const row of found) {
    const { table, pk } = row;
    const before = standings.get(table, pk);
    // What is in memory of a table that is not complete has a standing, unless it was seen not to be on disk.
    if (before === undefined || (before !== 'erased' && !isHere(table, pk))) {
      rows.push(row);
      // That it is merged is noted with the commit.
      if (standing !== 'merged') standings.set(table, pk, standing);
    } else if (before === 'erased') {
      standings.set(table, pk, 'merged');
    } else if (before === 'unknown') {
      // Disk's version may name rows that are not here yet, and would make this one incomplete. It is merged, with all
      // that it reaches, when this one is written.
      standings.set(table, pk, 'arrived');
    }
  }
  for (const { refs } of [...rows, ...results]) {
    for (const [table, pk] of named(refs)) {
      if (standings.get(table, pk) === undefined && !isHere(table, pk)) standings.set(table, pk, 'away');
    }
  }
  if (rows.length + results.length > 0)
    disk.core.apply(disk.restored(rows, results), { origin: name, type: 'restore' });
}
