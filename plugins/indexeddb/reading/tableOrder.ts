import { RENAMES } from 'holdfast';
import type { TableInfo } from '../records/header.ts';

/**
 * Tables in the order in which they are restored: referenced tables before those that refer to them, as far as there
 * are no cycles. A list that was restored before its members would be read without them.
 *
 * @param sharded - tables with shards
 * @param logged - the tables with rows in the log, with the tables that these refer to
 */
export function tableOrder(
  sharded: ReadonlyMap<string, TableInfo>,
  logged: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const ordered: string[] = [];
  const entered = new Set<string>();
  const visit = (table: string): void => {
    const info = sharded.get(table);
    const named = logged.get(table);
    if (entered.has(table) || (info ?? named) === undefined) return;
    entered.add(table);
    info?.refs.forEach(visit);
    named?.forEach(visit);
    ordered.push(table);
  };
  // What references mean depends on it.
  visit(RENAMES);
  for (const table of sharded.keys()) visit(table);
  for (const table of logged.keys()) visit(table);
  return ordered;
}
