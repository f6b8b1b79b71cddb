import type { Meta, StoredResult, StoredRow, State } from 'holdfast';
import { emptyState } from '../../src/store/State.ts';

/** The times and order of a read that began at `order`. */
export function readMeta(order: number): Meta {
  return { requestedAt: order, receivedAt: order, expiresAt: order + 1_000, order, answered: 0 };
}

/** The times and order of a mutation that began at `order`. */
export function mutationMeta(order: number, answered: number): Meta {
  return { ...readMeta(order), answered };
}

export function row(fields: Record<string, unknown>, meta: Meta = readMeta(1)): StoredRow {
  return { value: fields, meta };
}

export function tombstone(meta: Meta): StoredRow {
  return { value: undefined, meta };
}

export function result(value: unknown, meta: Meta = readMeta(1)): StoredResult {
  return { value, meta };
}

/** What a state holds, as plain Maps by `table/pk` and by key. */
export function contents(state: State): {
  rows: Map<string, StoredRow>;
  results: Map<string, StoredResult>;
} {
  const rows = new Map<string, StoredRow>();
  for (const [name, table] of Object.entries(state.tables)) {
    for (const [pk, stored] of table.entries()) rows.set(`${name}/${pk}`, stored);
  }
  return { rows, results: new Map(state.results.entries()) };
}

export { emptyState };
