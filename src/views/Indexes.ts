import type { State } from '../store/State.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { RowIndex } from './RowIndex.ts';

/** The indexes of one state, by table and field. Each is built when it is first asked for. */
export class Indexes {
  readonly #tables = new Map<string, Map<string, RowIndex>>();

  of(state: State, table: string, field: string): RowIndex {
    const indexes = getOrInsert(this.#tables, table, () => new Map<string, RowIndex>());
    return getOrInsert(indexes, field, () => new RowIndex(field, state.tables[table]));
  }

  /** The indexes that a change of a table's rows concerns. */
  concerned(table: string): readonly RowIndex[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }
}
