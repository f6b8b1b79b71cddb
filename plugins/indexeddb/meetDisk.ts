import type { Disk } from './Disk.ts';
import { named, type Refs } from './records.ts';
import { isUnmet } from './Standings.ts';

/** Rows read at a time where there may be very many. */
const SLICE = 512;

/**
 * Gives memory what disk has of the pending rows that came from elsewhere, and what that reaches. What is written has
 * thereby been merged with what is there, so that rows on disk are always whole and the newest one is all there is to
 * say of a row.
 *
 * @param origin - the plugin's name
 * @returns the last place in the log that was taken into account
 */
export async function meetDisk(disk: Disk, origin: string): Promise<number> {
  const { log, generation } = disk;
  for (;;) {
    const { known } = log;
    const unmet = unmetRows(disk);
    if (unmet.length > 0) await meet(disk, unmet, origin);
    // More may have arrived meanwhile, from here or from other tabs. Every turn has only those, so that this ends.
    else if (known === log.known) return known;
    if (generation !== disk.generation) return known;
  }
}

/**
 * Gives memory what other tabs have written of what it holds.
 *
 * @param origin - the plugin's name
 */
export async function catchUp(disk: Disk, origin: string): Promise<void> {
  const { generation, standings, state } = disk;
  await disk.look();
  if (state === undefined) return;
  const results = disk.takeOutdated();
  const unmet = standings.unmet((table, pk) => state.tables[table]?.get(pk) !== undefined);
  for (let start = 0; start < unmet.length && generation === disk.generation; start += 2 * SLICE)
    await meet(disk, unmet.slice(start, start + 2 * SLICE), origin);
  for (let start = 0; start < results.length && generation === disk.generation; start += SLICE) {
    const found = await disk.reader.wanted({ results: results.slice(start, start + SLICE) });
    if (generation !== disk.generation) return;
    disk.core.apply(disk.restored(standings.observeFound(found, disk.log.known), found.results), {
      origin,
      type: 'restore',
    });
  }
}

async function meet(disk: Disk, unmet: Refs, origin: string): Promise<void> {
  const { reader, standings, generation } = disk;
  const found = await reader.wanted({ rows: [...named(unmet)] });
  if (generation !== disk.generation) return;
  const { known } = disk.log;
  const rows = standings.observeFound(found, known);
  if (rows.length > 0) disk.core.apply(disk.restored(rows, []), { origin, type: 'restore' });
  for (const [table, pk] of named(unmet)) {
    const standing = standings.get(table, pk);
    if (standing === 'arrived' && found.known === known) standings.set(table, pk, 'merged');
    else if (standing === 'unknown' || standing === 'erased') standings.delete(table, pk);
  }
}

/** The pending rows that disk may have in a version that memory has not seen. */
function unmetRows({ pending, standings }: Disk): Refs {
  const unmet: string[] = [];
  for (const [table, rows] of pending.rows) {
    if (!standings.has(table)) continue;
    for (const pk of rows.keys()) {
      const standing = standings.get(table, pk);
      if ((standing === 'unknown' || standing === 'erased') && standings.isComplete(table))
        standings.delete(table, pk);
      else if (isUnmet(standing)) unmet.push(table, pk);
    }
  }
  return unmet;
}
