import type { Commit, State, StoredResult, StoredRow } from 'holdfast';
import type { Refs } from './records.ts';
import type { SideChange } from './side.ts';
import type { Standings } from './Standings.ts';

/** What was touched of a row since it was last written. */
export interface TouchedRow {
  /** The row as memory let go of it; what it holds otherwise is in the state. */
  readonly left?: StoredRow;
}

/** A result to write, with what it names where that is known already. */
export interface TouchedResult extends StoredResult {
  readonly refs?: Refs;
}

/**
 * What has changed since it was last written: keys only, since the values are in the state. Costs what a commit
 * touches, however much is stored.
 */
export class Pending {
  rows = new Map<string, Map<string, TouchedRow>>();
  /** Endpoint key → what to write where memory has nothing that may be written: it let go, or the last request failed. */
  results = new Map<string, TouchedResult | undefined>();
  side = new Map<string, SideChange>();

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.results.size === 0 && this.side.size === 0;
  }

  /** Takes note of a commit that others made. */
  observe({ base, baseChanges }: Commit, standings: Standings): void {
    for (const [table, rows] of baseChanges.rows) {
      for (const [pk, before] of rows) {
        const after = base.tables[table]?.get(pk);
        if (after === undefined) this.#rowLeft(table, pk, before, standings);
        else this.#rowCame(table, pk, before, after, standings);
      }
    }
    for (const [key, before] of baseChanges.results) this.#result(key, before, base.results.get(key));
  }

  touch(table: string, pk: string, touched: TouchedRow = {}): void {
    let rows = this.rows.get(table);
    if (rows === undefined) this.rows.set(table, (rows = new Map<string, TouchedRow>()));
    rows.set(pk, touched);
  }

  /** Everything is to be written that is in memory. */
  touchAll({ tables, results }: State): void {
    for (const [table, rows] of Object.entries(tables))
      for (const [pk] of rows.entries()) this.touch(table, pk);
    for (const [key] of results.entries()) this.results.set(key, undefined);
  }

  /** A later record under the same key stands for both. */
  sideChange(change: SideChange): void {
    this.side.set(JSON.stringify([change.plugin, change.key]), change);
  }

  /** Hands over everything. */
  take(): Pending {
    const taken = new Pending();
    [taken.rows, this.rows] = [this.rows, taken.rows];
    [taken.results, this.results] = [this.results, taken.results];
    [taken.side, this.side] = [this.side, taken.side];
    return taken;
  }

  /** Takes in what was touched earlier and could not be written. What was touched since then stands. */
  putBack(earlier: Pending): void {
    for (const [table, rows] of earlier.rows) {
      for (const [pk, row] of rows) if (this.rows.get(table)?.has(pk) !== true) this.touch(table, pk, row);
    }
    for (const [key, result] of earlier.results) if (!this.results.has(key)) this.results.set(key, result);
    this.putBackSide(earlier);
  }

  /** Takes in only the records of other plugins. */
  putBackSide(earlier: Pending): void {
    for (const [key, change] of earlier.side) if (!this.side.has(key)) this.side.set(key, change);
  }

  /** Forgets rows and results. Whether the records of other plugins are void is for them to say. */
  clear(): void {
    this.rows.clear();
    this.results.clear();
  }

  /** Forgets whatever is not in this state. */
  keepOnly(state: State): void {
    for (const [table, rows] of this.rows) {
      for (const pk of rows.keys()) if (state.tables[table]?.get(pk) === undefined) rows.delete(pk);
      if (rows.size === 0) this.rows.delete(table);
    }
    for (const key of this.results.keys()) if (state.results.get(key) === undefined) this.results.delete(key);
  }

  #rowCame(
    table: string,
    pk: string,
    before: StoredRow | undefined,
    after: StoredRow,
    standings: Standings,
  ): void {
    const standing = standings.get(table, pk);
    const mayBeOnDisk =
      standing === 'unknown' ||
      (before === undefined && standing === undefined && !standings.isComplete(table));
    if (after.value === undefined && (mayBeOnDisk || standing === 'away' || standing === 'arrived')) {
      // A deletion replaces whatever there is: nothing on disk could add to it, or to what comes after it.
      standings.set(table, pk, mayBeOnDisk ? 'erased' : 'merged');
    } else if (before === undefined) {
      // Memory may lack what disk has of it, also where it was just read but has not been merged yet.
      if (standing === 'away' || standing === 'merged') standings.set(table, pk, 'arrived');
      else if (mayBeOnDisk) standings.set(table, pk, 'unknown');
    } else if (standing === 'merged' && before.value === after.value) {
      // Only its times are new: on disk it seems older than it is, which at worst costs a request.
      return;
    }
    this.touch(table, pk);
  }

  /** Memory let go of a row. Disk keeps it. */
  #rowLeft(table: string, pk: string, before: StoredRow | undefined, standings: Standings): void {
    const standing = standings.get(table, pk);
    if (standing === 'merged' || standing === 'arrived') standings.set(table, pk, 'away');
    if (standing === 'unknown') standings.delete(table, pk);
    if (this.rows.get(table)?.has(pk) !== true) return;
    // What was never merged with disk's version could only replace it.
    if (before === undefined || standing === 'unknown' || standing === 'arrived')
      this.rows.get(table)?.delete(pk);
    else this.touch(table, pk, { left: before });
  }

  #result(key: string, before: StoredResult | undefined, after: StoredResult | undefined): void {
    if (after !== undefined && after.error === undefined) {
      this.results.set(key, undefined);
    } else if (this.results.has(key) && before !== undefined && before.error === undefined) {
      this.results.set(key, before);
    }
  }
}
