import { references } from 'holdfast';
import type { QueuedMutation } from './QueuedMutation.ts';

/** The rows that something pending shows. Looks, when asked, only at what has changed since it was asked before. */
export class ShownRows {
  /** What each mutation showed when it was last looked at. */
  readonly #rows = new Map<QueuedMutation, readonly string[]>();
  /** How often each row is shown. */
  readonly #counts = new Map<string, number>();
  readonly #changed = new Set<QueuedMutation>();

  observe(mutation: QueuedMutation): void {
    mutation.onExpected = (changed) => void this.#changed.add(changed);
  }

  has(table: string, pk: string): boolean {
    for (const mutation of this.#changed) this.#look(mutation);
    this.#changed.clear();
    return this.#counts.has(nameOf(table, pk));
  }

  clear(): void {
    this.#rows.clear();
    this.#counts.clear();
    this.#changed.clear();
  }

  #look(mutation: QueuedMutation): void {
    for (const row of this.#rows.get(mutation) ?? []) this.#count(row, -1);
    const rows: string[] = [];
    if (mutation.expected !== undefined)
      references(mutation.endpoint.schema, mutation.expected, ({ key }, pk) => rows.push(nameOf(key, pk)));
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

/** Unlike that of any other row, whatever the names are made of. */
function nameOf(table: string, pk: string): string {
  return `${table.length} ${table}${pk}`;
}
