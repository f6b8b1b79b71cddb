import type { Restored } from '../controller/Plugin.ts';
import type { State, StoredResult, StoredRow } from '../store/State.ts';

/** Rows and results that come together. */
export type Brought = Pick<Restored, 'rows' | 'results'>;

/** What `state` has and `since` has not, or has in another version. Costs a look at each table that differs. */
export function changesSince(state: State, since: State | undefined): Brought {
  const rows: [table: string, pk: string, row: StoredRow][] = [];
  for (const [name, table] of Object.entries(state.tables)) {
    const former = since?.tables[name];
    if (table === former) continue;
    for (const [pk, row] of table.entries()) if (row !== former?.get(pk)) rows.push([name, pk, row]);
  }
  const results: [key: string, result: StoredResult][] = [];
  if (state.results !== since?.results)
    for (const [key, result] of state.results.entries())
      if (result !== since?.results.get(key)) results.push([key, result]);
  return { rows, results };
}
