import type { Entry } from './Entry.ts';
import { predictedRows, type MutationArgs } from './MutationArgs.ts';
import { compareEntries } from './SortedEntries.ts';
import { runIsolated } from '../../shared/runIsolated.ts';
import { SetMap } from '../../shared/SetMap.ts';

/** The entries that are in the outbox. */
interface KnownEntries {
  readonly args: MutationArgs | undefined;
  has(entry: Entry): boolean;
}

/**
 * The rows that entries affect: those in the prediction of a waiting entry, and the row that a dead letter would have
 * changed. Updated on access, and only for changed entries.
 */
export class PendingRows {
  readonly #entries = new SetMap<string, Entry>();
  readonly #changed = new Set<Entry>();
  readonly #listeners = new SetMap<string, { readonly listener: () => void }>();
  readonly #known: KnownEntries;
  /** Rows whose listeners are to be notified. */
  readonly #affected = new Set<string>();

  constructor(known: KnownEntries) {
    this.#known = known;
  }

  /** An entry, or its prediction, has changed. Listeners are notified after the current task. */
  change(entry: Entry): void {
    const isFirst = this.#changed.size === 0;
    if (this.#known.has(entry) || entry.rows.length > 0) this.#changed.add(entry);
    else this.#changed.delete(entry);
    if (isFirst && this.#listeners.size > 0) queueMicrotask(() => this.#notify());
  }

  #notify(): void {
    this.#update();
    const rows = [...this.#affected];
    this.#affected.clear();
    for (const row of rows) for (const { listener } of [...this.#listeners.get(row)]) runIsolated(listener);
  }

  /** The entries that affect this row, in order. */
  of(row: string): readonly Entry[] {
    this.#update();
    return [...this.#entries.get(row)].sort(compareEntries);
  }

  /** Calls `listener` when the entries of this row may have changed. */
  subscribe(row: string, listener: () => void): () => void {
    this.#update();
    const subscription = { listener };
    this.#listeners.add(row, subscription);
    return () => this.#listeners.delete(row, subscription);
  }

  #update(): void {
    if (this.#changed.size === 0) return;
    for (const entry of this.#changed) {
      const before = entry.rows;
      entry.rows = this.#known.has(entry) ? this.#rowsOf(entry) : [];
      for (const row of before) this.#entries.delete(row, entry);
      for (const row of entry.rows) this.#entries.add(row, entry);
      if (this.#listeners.size > 0) for (const row of [...before, ...entry.rows]) this.#affected.add(row);
    }
    this.#changed.clear();
  }

  #rowsOf(entry: Entry): readonly string[] {
    const { mutation, isDeadLetter } = entry;
    if (isDeadLetter) {
      const row = mutation && this.#known.args?.pathRow(mutation);
      return row === undefined ? [] : [rowName(...row)];
    }
    return mutation === undefined ? [] : predictedRows(mutation).map((row) => rowName(...row));
  }
}

/** Unique, whatever the names contain; it differs from any temporary pk. */
export function rowName(table: string, pk: string): string {
  return `${table.length} ${table}${pk}`;
}
