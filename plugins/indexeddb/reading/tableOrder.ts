import { RENAMES } from 'holdfast';
import type { TableInfo } from '../records/header.ts';

/** A table to restore. */
export interface TableOnDisk {
  readonly table: string;
  /** The number of shards; a table that is only in the log counts as one. */
  readonly shards: number;
}

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
): readonly TableOnDisk[] {
  const ordered: TableOnDisk[] = [];
  const entered = new Set<string>();
  const visit = (table: string): void => {
    const info = sharded.get(table);
    const named = logged.get(table);
    if (entered.has(table) || (info ?? named) === undefined) return;
    entered.add(table);
    info?.refs.forEach(visit);
    named?.forEach(visit);
    ordered.push({ table, shards: Math.max(1, info?.shards ?? 0) });
  };
  // What references mean depends on it.
  visit(RENAMES);
  for (const table of sharded.keys()) visit(table);
  for (const table of logged.keys()) visit(table);
  return ordered;
}
