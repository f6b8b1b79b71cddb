import type { State } from '../store/State.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { RowIndex } from './RowIndex.ts';

/** The indexes of one state, by table and field. Each is built on first use. */
export class Indexes {
  readonly #tables = new Map<string, Map<string, RowIndex>>();

  of(state: State, table: string, field: string): RowIndex {
    const indexes = getOrInsert(this.#tables, table, () => new Map<string, RowIndex>());
    return getOrInsert(indexes, field, () => new RowIndex(field, state.tables[table]));
  }

  /** The indexes of a table. */
  ofTable(table: string): readonly RowIndex[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }
}
