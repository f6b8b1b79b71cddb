import type { Commit, State, StoredResult, StoredRow } from 'holdfast';
import type { Refs } from '../records/records.ts';
import type { SideChange } from './side.ts';
import type { SyncStates } from './SyncStates.ts';
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** A row that has changed since the last flush. */
export interface PendingRow {
  /** The collected row; undefined while it is in memory. */
  readonly collectedRow?: StoredRow;
}

/** A result to write, with its references if they are already known. */
export interface PendingResult extends StoredResult {
  readonly refs?: Refs;
}

/**
 * What has changed since the last flush: only keys, since the values are in the state. Costs as much as a commit
 * changes, not as much as is stored.
 */
export class PendingWrites {
  rows = new Map<string, Map<string, PendingRow>>();
  /** Endpoint key → the result to write if memory has none: it was collected, or the last request failed. */
  results = new Map<string, PendingResult | undefined>();
  side = new Map<string, SideChange>();

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.results.size === 0 && this.side.size === 0;
  }

  /** Records a commit of others. */
  observe({ base, baseChanges }: Commit, syncStates: SyncStates): void {
    for (const [table, rows] of baseChanges.rows) {
      for (const [pk, before] of rows) {
        const after = base.tables[table]?.get(pk);
        if (after === undefined) this.#onRowCollected(table, pk, before, syncStates);
        else this.#onRowWritten(table, pk, before, after, syncStates);
      }
    }
    for (const [key, before] of baseChanges.results)
      this.#onResultChanged(key, before, base.results.get(key));
  }

  markRow(table: string, pk: string, row: PendingRow = {}): void {
    getOrInsert(this.rows, table, () => new Map<string, PendingRow>()).set(pk, row);
  }

  /** Marks everything in memory as changed. */
  markAll({ tables, results }: State): void {
    for (const [table, rows] of Object.entries(tables))
      for (const [pk] of rows.entries()) if (this.rows.get(table)?.has(pk) !== true) this.markRow(table, pk);
    for (const [key] of results.entries()) if (!this.results.has(key)) this.results.set(key, undefined);
  }

  /** A later record replaces an earlier one of the same key. */
  addSideChange(change: SideChange): void {
    this.side.set(JSON.stringify([change.plugin, change.key]), change);
  }

  /**
   * Takes all pending changes for a flush. Other plugins' records stay pending until they are written: a reset may keep
   * them, and discard everything else.
   */
  take(): PendingWrites {
    const taken = new PendingWrites();
    [taken.rows, this.rows] = [this.rows, taken.rows];
    [taken.results, this.results] = [this.results, taken.results];
    taken.side = new Map(this.side);
    return taken;
  }

  /** These records of other plugins are written. */
  endSideChanges(written: ReadonlyMap<string, SideChange>): void {
    for (const [key, change] of written) if (this.side.get(key) === change) this.side.delete(key);
  }

  /** Adds changes that could not be written; newer changes win. */
  requeue(earlier: PendingWrites): void {
    for (const [table, rows] of earlier.rows) {
      for (const [pk, row] of rows) if (this.rows.get(table)?.has(pk) !== true) this.markRow(table, pk, row);
    }
    for (const [key, result] of earlier.results) if (!this.results.has(key)) this.results.set(key, result);
  }

  /** Discards rows and results. Other plugins decide about their own records. */
  clear(): void {
    this.rows.clear();
    this.results.clear();
  }

  #onRowWritten(
    table: string,
    pk: string,
    before: StoredRow | undefined,
    after: StoredRow,
    syncStates: SyncStates,
  ): void {
    const syncState = syncStates.get(table, pk);
    const mayBeOnDisk =
      syncState === 'unverified' ||
      (before === undefined && syncState === undefined && !syncStates.isComplete(table));
    if (
      after.value === undefined &&
      (mayBeOnDisk || syncState === 'diskOnly' || syncState === 'needsMerge')
    ) {
      // A tombstone replaces whatever is on disk, so nothing has to be reconciled.
      syncStates.set(table, pk, mayBeOnDisk ? 'deleted' : 'synced');
    } else if (before === undefined) {
      // Disk may have more of the row than memory, also if it was just read but is not merged yet.
      if (syncState === 'diskOnly' || syncState === 'synced') syncStates.set(table, pk, 'needsMerge');
      else if (mayBeOnDisk) syncStates.set(table, pk, 'unverified');
    } else if (syncState === 'synced' && before.value === after.value && before.movedTo === after.movedTo) {
      // Only the times have changed; a stale copy on disk costs at worst a request.
      return;
    }
    this.markRow(table, pk);
  }

  /** Memory has collected a row; the disk keeps it. */
  #onRowCollected(table: string, pk: string, before: StoredRow | undefined, syncStates: SyncStates): void {
    const syncState = syncStates.get(table, pk);
    if (syncState === 'synced' || syncState === 'needsMerge') syncStates.set(table, pk, 'diskOnly');
    if (syncState === 'unverified') syncStates.delete(table, pk);
    if (this.rows.get(table)?.has(pk) !== true) return;
    // An unreconciled row would overwrite the version on disk.
    if (before === undefined || syncState === 'unverified' || syncState === 'needsMerge')
      this.rows.get(table)?.delete(pk);
    else this.markRow(table, pk, { collectedRow: before });
  }

  #onResultChanged(key: string, before: StoredResult | undefined, after: StoredResult | undefined): void {
    if (after !== undefined && after.error === undefined) {
      this.results.set(key, undefined);
    } else if (this.results.has(key) && before !== undefined && before.error === undefined) {
      this.results.set(key, before);
    }
  }
}
