import type { Commit, State } from 'holdfast';
import { MergedRows } from './MergedRows.ts';
import { named, type DiskRow, type Found, type Refs } from './records.ts';

/**
 * How a row stands to its version on disk:
 * - `merged`: it is persisted, and memory holds all that disk has of it;
 * - `away`: it is persisted, or is to be once it arrives, and memory does not hold it;
 * - `arrived`: it was away, and memory got it from elsewhere: disk may have a version that memory has not seen;
 * - `unknown`: memory got it from elsewhere, and nobody knows yet whether disk has it;
 * - `erased`: likewise, but it was deleted in memory meanwhile, so that what disk may have of it is void;
 * - none: it is not on disk, or not in memory and nobody knows of it.
 */
export type Standing = 'merged' | 'away' | 'arrived' | 'unknown' | 'erased';

/** Whether disk may have a version of the row, which is in memory, that memory has not seen. */
export function isUnmet(standing: Standing | undefined): boolean {
  return standing === 'arrived' || standing === 'unknown' || standing === 'erased';
}

/** The standings of one table's rows, of which nearly all are merged. */
interface TableStandings {
  readonly merged: MergedRows;
  readonly others: Map<string, Exclude<Standing, 'merged'>>;
}

/**
 * The standing of rows. A row that is in memory and known not to be on disk costs nothing here. Once every row of a
 * table that is on disk has a standing, the table is complete: what has none is not on disk.
 */
export class Standings {
  readonly #tables = new Map<string, TableStandings>();
  /** Tables on disk with rows that have no standing; undefined until the database has been looked at. */
  #incomplete: Set<string> | undefined;
  /** Whether the standing of what the present commit restores was noted beforehand. */
  isNoted = false;
  /** Whether another tab has evicted something. */
  #isInDoubt = false;

  get(table: string, pk: string): Standing | undefined {
    const rows = this.#tables.get(table);
    if (rows === undefined) return undefined;
    return rows.others.get(pk) ?? (rows.merged.has(pk) ? 'merged' : undefined);
  }

  set(table: string, pk: string, standing: Standing): void {
    const { merged, others } = this.#of(table);
    if (standing === 'merged') {
      merged.add(pk);
      others.delete(pk);
    } else {
      others.set(pk, standing);
      merged.delete(pk);
    }
  }

  /**
   * Has the rows of a shard merged, if none of them has a standing.
   *
   * @param of - how many shards the table has
   * @returns false, with nothing changed, where one of them may have
   */
  beginShard(table: string, of: number, pks: readonly string[]): boolean {
    const { merged, others } = this.#of(table);
    if (others.size > 0 && pks.some((pk) => others.has(pk))) return false;
    return merged.addShard(of, pks);
  }

  /**
   * Takes note of what was read, and of what that names.
   *
   * @param known - the last place of the log that is known of now: where that is not what it was, others may have
   * written the rows again
   * @returns the rows that are to be merged into memory
   */
  observeFound({ rows, missing, known: then }: Found, known: number): readonly DiskRow[] {
    const valid = rows.filter(({ table, pk }) => this.get(table, pk) !== 'erased');
    for (const { table, pk } of rows) this.set(table, pk, then === known ? 'merged' : 'arrived');
    for (const [table, pk] of named(missing))
      if (this.get(table, pk) === undefined) this.set(table, pk, 'away');
    return valid;
  }

  /** Takes note of a commit that merged what was on disk into memory. It is not written back. */
  observeRestored({ baseChanges }: Commit): void {
    if (this.isNoted) return;
    for (const [table, rows] of baseChanges.rows)
      for (const pk of rows.keys()) if (this.get(table, pk) !== 'arrived') this.set(table, pk, 'merged');
  }

  delete(table: string, pk: string): void {
    const rows = this.#tables.get(table);
    rows?.merged.delete(pk);
    rows?.others.delete(pk);
  }

  /** Whether any row of the table has a standing. */
  has(table: string): boolean {
    const rows = this.#tables.get(table);
    return rows !== undefined && rows.merged.size + rows.others.size > 0;
  }

  isComplete(table: string): boolean {
    return this.#incomplete !== undefined && !this.#incomplete.has(table);
  }

  /** Whether memory holds all that disk has of a table, as far as is known. */
  isInMemory(table: string): boolean {
    if (!this.isComplete(table)) return false;
    for (const standing of this.#tables.get(table)?.others.values() ?? [])
      if (standing !== 'erased') return false;
    return true;
  }

  /** Every row of the table that is on disk has a standing now. */
  complete(table: string): void {
    this.#incomplete?.delete(table);
  }

  /** These tables are on disk. Standings from before that was known stay. */
  opened(tables: Iterable<string>): void {
    this.#incomplete = new Set(tables);
  }

  /** Another tab has written a row. */
  written(table: string, pk: string, isInMemory: boolean): void {
    this.set(table, pk, isInMemory ? 'arrived' : 'away');
  }

  /** Other tabs may have written anything: what memory holds of these tables has to meet the disk again. */
  missed(tables: Iterable<string>, state: State): void {
    this.opened(tables);
    for (const [table, rows] of Object.entries(state.tables)) {
      if (this.isComplete(table)) continue;
      for (const [pk] of rows.entries()) {
        const standing = this.get(table, pk);
        if (standing === 'merged') this.set(table, pk, 'arrived');
        else if (standing === undefined) this.set(table, pk, 'unknown');
      }
    }
  }

  /** Another tab has evicted something. */
  doubt(): void {
    this.#isInDoubt = true;
    for (const { merged, others } of this.#tables.values()) {
      for (const pk of merged) others.set(pk, 'arrived');
      merged.clear();
    }
  }

  /** Whether a row may have been evicted that memory has: then whatever names it has it written once more. */
  isInDoubt(standing: Standing | undefined): boolean {
    return this.#isInDoubt && standing === 'arrived';
  }

  /** The rows in memory of which disk may have a version that memory has not seen. */
  unmet(isInMemory: (table: string, pk: string) => boolean): Refs {
    const unmet: string[] = [];
    for (const [table, rows] of this.#tables)
      for (const [pk, standing] of rows.others)
        if (isUnmet(standing) && isInMemory(table, pk)) unmet.push(table, pk);
    return unmet;
  }

  /** Nothing is on disk any more. */
  clear(): void {
    this.#tables.clear();
    this.#incomplete = new Set();
    this.#isInDoubt = false;
  }

  #of(table: string): TableStandings {
    let rows = this.#tables.get(table);
    if (rows === undefined) this.#tables.set(table, (rows = { merged: new MergedRows(), others: new Map() }));
    return rows;
  }
}
