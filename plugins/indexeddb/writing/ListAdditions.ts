import type { Commit, ListAddition, StoredRow } from 'holdfast';
import type { DiskRow } from '../records/records.ts';

/** Lists that are only on disk, with their pending additions applied. */
export interface ExtendedLists {
  /** How many additions they include. */
  readonly count: number;
  /** The last WAL sequence number taken into account. */
  readonly lastSeen: number;
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow])[];
}

/** How many durable additions are kept for reads that began before: few read that long. */
const KEPT = 1_000;

/** No lists. */
export const NO_LISTS: ExtendedLists = { count: 0, lastSeen: -1, rows: [] };

/**
 * Pending additions to lists. A list that is only on disk gets them in the batch that contains the added rows, so it
 * need not be loaded into memory.
 */
export class ListAdditions {
  /** Additions that are not durable yet. */
  #waiting: ListAddition[] = [];
  /** Additions that are durable, with the sequence number of their record: reads that began before do not find them. */
  #durable: readonly { readonly addition: ListAddition; readonly sequence: number }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Records the additions of a commit, unless another tab made it and writes them itself. */
  observe({ action, additions }: Commit): void {
    if (action.type === 'apply') return;
    for (const addition of additions) if (addition.pk === undefined) this.#waiting.push(addition);
  }

  /**
   * The additions that lists lack which have just been read from disk.
   *
   * @param lastSeen - the last WAL sequence number that the read took into account
   */
  forRows(rows: readonly DiskRow[], lastSeen: number): readonly ListAddition[] {
    const later = this.#durable.filter(({ sequence }) => sequence > lastSeen);
    const missing = [...later.map(({ addition }) => addition), ...this.#waiting];
    if (missing.length === 0) return missing;
    const tables = new Set(rows.map(({ table }) => table));
    return missing.filter(({ table }) => tables.has(table));
  }

  /** Whether the lists have to be read again. */
  isDue({ count, lastSeen }: ExtendedLists, lastSeenNow: number): boolean {
    return this.#waiting.length > count || (count > 0 && lastSeen !== lastSeenNow);
  }

  /** The additions that are not durable yet. */
  get waiting(): readonly ListAddition[] {
    return this.#waiting;
  }

  /**
   * The first additions are durable now.
   *
   * @param sequence - the sequence number of the last record that contains them
   */
  markDurable(count: number, sequence: number): void {
    const added = this.#waiting.splice(0, count).map((addition) => ({ addition, sequence }));
    if (added.length > 0) this.#durable = [...this.#durable, ...added].slice(-KEPT);
  }

  clear(): void {
    this.#waiting = [];
    this.#durable = [];
  }
}
