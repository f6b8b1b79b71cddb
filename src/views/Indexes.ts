import type { State } from '../store/State.ts';
import { RowIndex } from './RowIndex.ts';

/** The indexes of one state, by table and field. Each is built when it is first asked for. */
export class Indexes {
  readonly #tables = new Map<string, Map<string, RowIndex>>();

  of(state: State, table: string, field: string): RowIndex {
    let indexes = this.#tables.get(table);
    if (indexes === undefined) this.#tables.set(table, (indexes = new Map<string, RowIndex>()));
    let index = indexes.get(field);
    if (index === undefined) indexes.set(field, (index = new RowIndex(field, state.tables[table])));
    return index;
  }

  /** The indexes that a change of a table's rows concerns. */
  concerned(table: string): readonly RowIndex[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }
}
