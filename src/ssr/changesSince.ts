import type { Restored } from '../controller/plugins/StoragePlugin.ts';
import type { State, StoredResult, StoredRow } from '../store/State.ts';

/** Rows and results that belong together. */
export type StateDelta = Pick<Restored, 'rows' | 'results'>;

/**
 * The rows and results that `state` has and `since` lacks or has in another version. The cost is proportional to the
 * tables that differ.
 */
export function changesSince(state: State, since: State | undefined): StateDelta {
  const rows: [table: string, pk: string, row: StoredRow][] = [];
  for (const [name, table] of Object.entries(state.tables)) {
    const previous = since?.tables[name];
    if (table === previous) continue;
    for (const [pk, row] of table.entries()) if (row !== previous?.get(pk)) rows.push([name, pk, row]);
  }
  const results: [key: string, result: StoredResult][] = [];
  if (state.results !== since?.results)
    for (const [key, result] of state.results.entries())
      if (result !== since?.results.get(key)) results.push([key, result]);
  return { rows, results };
}
