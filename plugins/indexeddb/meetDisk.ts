import { NO_LISTS, type GrownLists } from './Additions.ts';
import type { Disk } from './Disk.ts';
import { named, type DiskResult, type Refs } from './records.ts';
import { isUnmet } from './Standings.ts';

/** Rows read at a time where there may be very many. */
const SLICE = 512;

/**
 * Gives memory what disk has of the pending rows that came from elsewhere, and what that reaches. What is written has
 * thereby been merged with what is there, so that rows on disk are always whole and the newest one is all there is to
 * say of a row.
 */
export class Meeting {
  readonly #disk: Disk;
  /** The plugin's name. */
  readonly #origin: string;
  /** What disk has of the pending results whose schema is not known here; undefined where it has none. */
  readonly results = new Map<string, DiskResult | undefined>();
  /** Lists on disk alone that something is added to. */
  lists: GrownLists = NO_LISTS;

  constructor(disk: Disk, origin: string) {
    this.#disk = disk;
    this.#origin = origin;
  }

  /**
   * Begins to meet what has not met the disk; undefined when all has. More may arrive whenever something else runs, from
   * here or from other tabs: so this is to be asked until then, and whatever counts on it done at once.
   */
  next(): Promise<void> | undefined {
    const disk = this.#disk;
    const unmet = unmetRows(disk);
    if (unmet.length > 0) return meet(disk, unmet, this.#origin);
    const unread = unreadResults(disk, this.results);
    if (unread.length > 0) return meetResults(disk, unread, this.results);
    return disk.additions.isDue(this.lists, disk.log.known) ? this.#grow() : undefined;
  }

  async #grow(): Promise<void> {
    this.lists = await this.#disk.additions.grow(this.#disk);
  }
}

/**
 * Gives memory what it lacks of the rows that came from elsewhere while they were on disk.
 *
 * @param origin - the plugin's name
 * @param goesOn - waits until there is nothing better to do; false ends it
 */
export async function meetArrived(disk: Disk, origin: string, goesOn: () => Promise<boolean>): Promise<void> {
  const { standings } = disk;
  const isHere = (table: string, pk: string): boolean => disk.state?.tables[table]?.get(pk) !== undefined;
  const unmet = [...named(standings.unmet(isHere))].filter(
    ([table, pk]) => standings.get(table, pk) === 'arrived',
  );
  for (let start = 0; start < unmet.length && (await goesOn()); start += SLICE)
    await meet(disk, unmet.slice(start, start + SLICE).flat(), origin);
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
    // One that is not on disk, since another tab has evicted it, stays in doubt unless it is about to be written.
    const isSettled = disk.pending.rows.get(table)?.has(pk) === true || !standings.isInDoubt(standing);
    if (standing === 'arrived' && found.known === known && isSettled) standings.set(table, pk, 'merged');
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

/**
 * The pending results on disk that this session has not written before, as where one that was restored is invalidated:
 * what they name only disk says.
 */
function unreadResults({ pending, onDisk, core }: Disk, known: ReadonlyMap<string, unknown>): string[] {
  const unread: string[] = [];
  for (const key of pending.results.keys()) {
    if (unread.length === SLICE) break;
    if (onDisk.has(key) && !known.has(key) && core.schemaOf(key) === undefined) unread.push(key);
  }
  return unread;
}

async function meetResults(
  { reader }: Disk,
  keys: readonly string[],
  results: Map<string, DiskResult | undefined>,
): Promise<void> {
  for (const key of keys) results.set(key, undefined);
  for (const result of await reader.results(keys)) results.set(result.key, result);
}
