import type { Commit, State } from 'holdfast';
import { getOrInsert } from '../../shared/getOrInsert.ts';
import { rowRefs, type DiskRow, type DiskReadResult, type Refs } from '../records/records.ts';

/**
 * How a row in memory relates to its version on disk:
 * - `synced`: persisted, and memory has everything that disk has;
 * - `diskOnly`: persisted, or to be persisted once it arrives, but not in memory;
 * - `needsMerge`: it was only on disk, and memory has received it from elsewhere: disk may have a version that memory
 *   has not seen;
 * - `unverified`: memory has received it from elsewhere, and disk has not been checked;
 * - `deleted`: the same, but it was deleted in memory, so the version on disk does not matter;
 * - none: not on disk, or not in memory and not referenced.
 */
export type SyncState = 'synced' | 'diskOnly' | 'needsMerge' | 'unverified' | 'deleted';

/** Whether disk may have a version of a row in memory that memory has not seen, and needs. */
export function needsReconcile(syncState: SyncState | undefined): boolean {
  return syncState === 'needsMerge' || syncState === 'unverified';
}

/** The sync states of one table's rows, nearly all of which are synced. */
interface TableSyncStates {
  readonly synced: Set<string>;
  readonly others: Map<string, Exclude<SyncState, 'synced'>>;
}

/**
 * The sync states of rows. A row in memory that is not on disk takes no space here. A table is complete once every
 * row on disk has a state; then rows without one are not on disk.
 */
export class SyncStates {
  readonly #tables = new Map<string, TableSyncStates>();
  /**
   * Tables with rows on disk that have no state; undefined until the directory is loaded. Another set once other tabs may
   * have changed that.
   */
  #incomplete: Set<string> | undefined;

  get(table: string, pk: string): SyncState | undefined {
    const rows = this.#tables.get(table);
    if (rows === undefined) return undefined;
    return rows.others.get(pk) ?? (rows.synced.has(pk) ? 'synced' : undefined);
  }

  set(table: string, pk: string, syncState: SyncState): void {
    const { synced, others } = getOrInsert(this.#tables, table, () => ({
      synced: new Set(),
      others: new Map(),
    }));
    if (syncState === 'synced') {
      synced.add(pk);
      others.delete(pk);
    } else {
      others.set(pk, syncState);
      synced.delete(pk);
    }
  }

  /**
   * Records the rows that were read, and their references.
   *
   * @param lastSeen - the current last sequence number; if it differs from that of the read, other tabs may have
   * written the rows again
   * @returns the rows to merge into memory
   */
  recordRead(
    { rows, missing, lastSeen: lastSeenThen }: DiskReadResult,
    lastSeen: number,
  ): readonly DiskRow[] {
    const valid = rows.filter(({ table, pk }) => this.get(table, pk) !== 'deleted');
    for (const { table, pk } of rows)
      this.set(table, pk, lastSeenThen === lastSeen ? 'synced' : 'needsMerge');
    for (const [table, pk] of rowRefs(missing))
      if (this.get(table, pk) === undefined) this.set(table, pk, 'diskOnly');
    return valid;
  }

  /**
   * Records deletions while the database cannot be used: what it has of these rows does not matter, whatever is set of
   * them until it can.
   */
  recordDeletions({ base, baseChanges }: Commit): void {
    for (const [table, rows] of baseChanges.rows) {
      for (const pk of rows.keys()) {
        const row = base.tables[table]?.get(pk);
        if (row === undefined) this.delete(table, pk);
        else if (row.value === undefined) this.set(table, pk, 'deleted');
      }
    }
  }

  delete(table: string, pk: string): void {
    const rows = this.#tables.get(table);
    rows?.synced.delete(pk);
    rows?.others.delete(pk);
  }

  isComplete(table: string): boolean {
    return this.#incomplete !== undefined && !this.#incomplete.has(table);
  }

  /** Whether memory has everything that disk has of a table, as far as known. */
  isInMemory(table: string): boolean {
    if (!this.isComplete(table)) return false;
    for (const syncState of this.#tables.get(table)?.others.values() ?? [])
      if (syncState !== 'deleted') return false;
    return true;
  }

  /**
   * Begins to set the states of all rows of a table that are on disk.
   *
   * @returns to be called once they are set: the table is complete, unless other tabs have made it incomplete since
   */
  completing(table: string): () => void {
    const incomplete = this.#incomplete;
    return () => incomplete?.delete(table);
  }

  /** Sets the tables on disk. Existing states stay. */
  setTables(tables: Iterable<string>): void {
    this.#incomplete = new Set(tables);
  }

  /** Other tabs may have written anything: rows of these tables in memory have to be reconciled again. */
  recordMissed(tables: Iterable<string>, state: State): void {
    this.setTables(tables);
    for (const [table, rows] of Object.entries(state.tables)) {
      if (this.isComplete(table)) continue;
      for (const [pk] of rows.entries()) {
        const syncState = this.get(table, pk);
        if (syncState === 'synced') this.set(table, pk, 'needsMerge');
        else if (syncState === undefined) this.set(table, pk, 'unverified');
      }
    }
  }

  /** Another tab has evicted something: a row in memory may be gone, and whatever refers to it writes it again. */
  recordEviction(): void {
    this.#incomplete &&= new Set([...this.#incomplete, ...this.#tables.keys()]);
    for (const { synced, others } of this.#tables.values()) {
      for (const [pk, syncState] of others) if (syncState === 'needsMerge') others.set(pk, 'unverified');
      for (const pk of synced) others.set(pk, 'unverified');
      synced.clear();
    }
  }

  /** The rows in memory of which disk may have an unseen version. */
  unreconciled(isInMemory: (table: string, pk: string) => boolean): Refs {
    const found: string[] = [];
    for (const [table, rows] of this.#tables)
      for (const [pk, syncState] of rows.others)
        if (needsReconcile(syncState) && isInMemory(table, pk)) found.push(table, pk);
    return found;
  }

  /** The disk is empty. */
  clear(): void {
    this.#tables.clear();
    this.#incomplete = new Set();
  }
}
