import { withAddition, type Commit, type ListAddition, type State, type StoredRow } from 'holdfast';
import type { Log } from './Log.ts';
import { newer } from './newer.ts';
import type { Pending } from './Pending.ts';
import type { Reader } from './Reader.ts';
import type { DiskRow } from './records.ts';
import type { Standings } from './Standings.ts';

/** What there is to look at. */
interface Surroundings {
  readonly reader: Reader;
  readonly standings: Standings;
  readonly log: Log;
  readonly pending: Pending;
  readonly state: State | undefined;
}

/** Lists that memory does not hold, with what has been added to them. */
export interface GrownLists {
  /** How many additions are in them. */
  readonly count: number;
  /** The last place of the log that was taken into account. */
  readonly known: number;
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow])[];
}

/** No lists. */
export const NO_LISTS: GrownLists = { count: 0, known: -1, rows: [] };

/**
 * What was added to lists. Those that lie on disk alone get it there, in the batch that brings what was added, so that
 * nobody has to have them in memory to add to them.
 */
export class Additions {
  /** Those that are not durable yet. */
  #waiting: ListAddition[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Takes note of what a commit added. Where another tab did, that tab sees to the disk. */
  observe({ action, additions }: Commit): void {
    if (action.type === 'apply') return;
    for (const addition of additions) if (addition.pk === undefined) this.#waiting.push(addition);
  }

  /** What is to be added to lists that are read from disk now. */
  of(rows: readonly DiskRow[]): readonly ListAddition[] {
    if (this.isEmpty) return this.#waiting;
    const tables = new Set(rows.map(({ table }) => table));
    return this.#waiting.filter(({ table }) => tables.has(table));
  }

  /** Whether lists may have to be looked at again. */
  isDue({ count, known }: GrownLists, knownNow: number): boolean {
    return this.#waiting.length > count || (count > 0 && known !== knownNow);
  }

  /** The lists on disk alone that something is added to, as they are to be. */
  async grow(disk: Surroundings): Promise<GrownLists> {
    const { reader, standings, log } = disk;
    const waiting = [...this.#waiting];
    const rows: (readonly [string, string, StoredRow])[] = [];
    let { known } = log;
    for (const table of new Set(waiting.map((addition) => addition.table))) {
      if (standings.isInMemory(table)) continue;
      const found = await reader.table(table);
      known = Math.min(known, found.known);
      for (const list of found.rows) {
        const { pk } = list;
        if (disk.state?.tables[table]?.get(pk) !== undefined) continue;
        const left = disk.pending.rows.get(table)?.get(pk)?.left;
        const before: StoredRow = newer({ value: list.value, meta: list.meta }, left ?? list);
        let row = before;
        for (const addition of waiting)
          if (addition.table === table) row = withAddition(row, pk, addition) ?? row;
        if (row !== before) rows.push([table, pk, row]);
      }
    }
    return { count: waiting.length, known, rows };
  }

  /** The first so many are durable. */
  written(count: number): void {
    this.#waiting.splice(0, count);
  }

  clear(): void {
    this.#waiting = [];
  }
}
