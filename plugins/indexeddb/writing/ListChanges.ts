import { isDerivedList, isOlder, withListChange, type Commit, type ListChange } from 'holdfast';
import type { Meta, State, StoredRow } from 'holdfast';
import type { ControllerApi } from '../ControllerApi.ts';
import type { DiskRow } from '../records/records.ts';
import { runIsolated } from '../../shared/runIsolated.ts';

/** Lists that are only on disk, with their pending changes applied. */
export interface ExtendedLists {
  /** How many changes they include. */
  readonly count: number;
  /** The last WAL sequence number taken into account. */
  readonly lastSeen: number;
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow])[];
}

/** How many log records a change is kept for after its own, for reads that began before: few read that long. */
const KEPT_FOR = 1_000;

/** No lists. */
export const NO_LISTS: ExtendedLists = { count: 0, lastSeen: -1, rows: [] };

/**
 * Pending changes of lists. A list that is only on disk gets them in the batch that contains the added rows, so it
 * need not be loaded into memory.
 */
export class ListChanges {
  /** Changed lists → the meta of the version that was changed. */
  readonly #bases = new WeakMap<StoredRow, Meta>();
  /** Changes that are not durable yet. */
  waiting: ListChange[] = [];
  /** Changes that are durable, with the sequence number of their record: reads that began before do not find them. */
  #durable: { readonly change: ListChange; readonly sequence: number }[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /**
   * Records the list changes of a commit, unless another tab made it and writes them itself.
   *
   * @param isUsable - whether the database is. If it is not, it may never be, so few are kept
   */
  observe({ action, listChanges, base, baseChanges }: Commit, isUsable: boolean): void {
    if (action.type === 'apply' || (!isUsable && this.waiting.length > KEPT_FOR)) return;
    // A page belongs to one list, which its request has restored.
    const forAll = listChanges.filter(({ pk }) => pk === undefined);
    for (const change of forAll) this.waiting.push(change);
    for (const table of new Set(forAll.map((change) => change.table)))
      for (const [pk, before] of baseChanges.rows.get(table) ?? []) {
        const after = base.tables[table]?.get(pk);
        if (before !== undefined && after !== undefined && isDerivedList(before, after))
          this.#bases.set(after, this.#bases.get(before) ?? before.meta);
      }
  }

  /** Whether a list in memory consists of changes of a version older than this one. */
  isBasedOnOlder(row: StoredRow | undefined, meta: Meta): boolean {
    const base = row && this.#bases.get(row);
    return base !== undefined && isOlder(base, meta);
  }

  /**
   * The changes that lists lack which have just been read from disk.
   *
   * @param lastSeen - the last WAL sequence number that the read took into account
   */
  forRows(rows: readonly DiskRow[], lastSeen: number): readonly ListChange[] {
    const later = this.#durable.filter(({ sequence }) => sequence > lastSeen);
    const missing = [...later.map(({ change }) => change), ...this.waiting];
    if (missing.length === 0) return missing;
    const tables = new Set(rows.map(({ table }) => table));
    return missing.filter(({ table }) => tables.has(table));
  }

  /** Whether the lists have to be read again. */
  isDue({ count, lastSeen }: ExtendedLists, lastSeenNow: number): boolean {
    return this.waiting.length > count || (count > 0 && lastSeen !== lastSeenNow);
  }

  /**
   * The first changes are durable now.
   *
   * @param sequence - the sequence number of the last record that contains them
   */
  markDurable(count: number, sequence: number): void {
    const durable = this.waiting.splice(0, count).map((change) => ({ change, sequence }));
    if (durable.length === 0) return;
    const firstKept = this.#durable.findIndex((kept) => kept.sequence > sequence - KEPT_FOR);
    this.#durable.splice(0, firstKept < 0 ? Infinity : firstKept);
    for (const each of durable) this.#durable.push(each);
  }

  clear(): void {
    this.waiting = [];
    this.#durable = [];
  }
}

interface WithState {
  readonly controller: ControllerApi;
  readonly state: State | undefined;
}

/**
 * A list from disk with the changes that it lacks, except those of which the function of the app throws; the same row if
 * there are none.
 */
export function withChanges(
  { controller, state }: WithState,
  table: string,
  pk: string,
  stored: StoredRow,
  listChanges: readonly ListChange[],
): StoredRow {
  const schema = controller.entitiesOf(table)[0]?.schema;
  let row = stored;
  for (const change of listChanges)
    if (change.table === table)
      runIsolated(() => {
        row = withListChange(row, pk, change, state, schema) ?? row;
      });
  return row;
}
