import type { TableInfo } from './header.ts';

/** A table to restore. */
export interface TableOnDisk {
  readonly table: string;
  /** How many shards it has; one that is in the log alone counts as one. */
  readonly shards: number;
}

/**
 * Tables in the order in which they are restored: those that others name before those that name them, as far as there
 * are no cycles.
 *
 * @param folded - those that have shards
 * @param logged - the names of those that the log has rows of
 */
export function tableOrder(
  folded: ReadonlyMap<string, TableInfo>,
  logged: readonly string[],
): readonly TableOnDisk[] {
  const ordered = new Set<string>();
  const entered = new Set<string>();
  const visit = (table: string): void => {
    const info = folded.get(table);
    if (entered.has(table) || info === undefined) return;
    entered.add(table);
    info.refs.forEach(visit);
    ordered.add(table);
  };
  for (const table of folded.keys()) visit(table);
  for (const table of logged) ordered.add(table);
  return [...ordered].map((table) => ({ table, shards: Math.max(1, folded.get(table)?.shards ?? 0) }));
}
