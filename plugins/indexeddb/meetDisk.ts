import type { Disk } from './Disk.ts';
import { restored } from './Reader.ts';
import { named, type Refs } from './records.ts';
import type { Standing } from './Standings.ts';

/**
 * Gives memory what disk has of the pending rows that came from elsewhere, and what that reaches. What is written has
 * thereby been merged with what is there, so that rows on disk are always whole and the newest one is all there is to
 * say of a row.
 *
 * @param origin - the plugin's name
 */
export async function meetDisk(disk: Disk, origin: string): Promise<void> {
  const { reader, standings, generation } = disk;
  // More may arrive meanwhile. Every turn has only those, so that this ends.
  for (let unmet = unmetRows(disk); unmet.length > 0; unmet = unmetRows(disk)) {
    const found = await reader.wanted({ rows: [...named(unmet)] });
    if (generation !== disk.generation) return;
    const rows = standings.observeFound(found);
    if (rows.length > 0) disk.core.apply(restored(rows, []), { origin, type: 'restore' });
    for (const [table, pk] of named(unmet)) {
      const standing = standings.get(table, pk);
      if (standing === 'arrived') standings.set(table, pk, 'merged');
      else if (standing === 'unknown' || standing === 'erased') standings.delete(table, pk);
    }
  }
}

/** The pending rows that disk may have in a version that memory has not seen. */
function unmetRows({ pending, standings }: Disk): Refs {
  const unmet: string[] = [];
  for (const [table, rows] of pending.rows) {
    for (const pk of rows.keys()) {
      const standing = standings.get(table, pk);
      if ((standing === 'unknown' || standing === 'erased') && standings.isComplete(table))
        standings.delete(table, pk);
      else if (isUnmet(standing)) unmet.push(table, pk);
    }
  }
  return unmet;
}

function isUnmet(standing: Standing | undefined): boolean {
  return standing === 'arrived' || standing === 'unknown' || standing === 'erased';
}
