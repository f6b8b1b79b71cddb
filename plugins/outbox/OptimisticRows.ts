import { references } from 'holdfast';
import type { QueuedMutation } from './QueuedMutation.ts';

/** The rows that pending mutations affect. Updated on access, and only for changed mutations. */
export class OptimisticRows {
  /** The rows of each mutation as of the last access. */
  readonly #rows = new Map<QueuedMutation, readonly string[]>();
  /** How many mutations affect each row. */
  readonly #counts = new Map<string, number>();
  readonly #changed = new Set<QueuedMutation>();

  observe(mutation: QueuedMutation): void {
    mutation.onExpected = (changed) => void this.#changed.add(changed);
  }

  has(table: string, pk: string): boolean {
    for (const mutation of this.#changed) this.#update(mutation);
    this.#changed.clear();
    return this.#counts.has(rowName(table, pk));
  }

  clear(): void {
    this.#rows.clear();
    this.#counts.clear();
    this.#changed.clear();
  }

  #update(mutation: QueuedMutation): void {
    for (const row of this.#rows.get(mutation) ?? []) this.#count(row, -1);
    const rows: string[] = [];
    if (mutation.expected !== undefined)
      references(mutation.endpoint.schema, mutation.expected, ({ key }, pk) => rows.push(rowName(key, pk)));
    for (const row of rows) this.#count(row, 1);
    if (rows.length > 0) this.#rows.set(mutation, rows);
    else this.#rows.delete(mutation);
  }

  #count(row: string, more: number): void {
    const count = (this.#counts.get(row) ?? 0) + more;
    if (count > 0) this.#counts.set(row, count);
    else this.#counts.delete(row);
  }
}

/** Unique, whatever the names contain. */
function rowName(table: string, pk: string): string {
  return `${table.length} ${table}${pk}`;
}
