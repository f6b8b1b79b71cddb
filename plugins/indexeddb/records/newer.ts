import { isOlder, type Meta } from 'holdfast';
import { rowRefs, type DiskRow, type Refs } from './records.ts';

/** The newer of two versions; the later one if neither is older. */
export function newer<T extends { readonly meta: Meta }>(earlier: T | undefined, later: T): T {
  return earlier !== undefined && isOlder(later.meta, earlier.meta) ? earlier : later;
}

/** The newer of two versions of a row, with merged references. */
export function newerRow(earlier: DiskRow | undefined, later: DiskRow): DiskRow {
  const row = newer(earlier, later);
  if (earlier === undefined || row === earlier || row.value === undefined) return row;
  const kept = referencesToOtherTables(earlier.refs, row.refs);
  return kept.length === 0 ? row : { ...row, refs: [...row.refs, ...kept] };
}

/**
 * References to tables that the later version does not refer to. It may have none, or its session did not know the
 * class with the relation, for example because only a list of summaries was shown. A superfluous reference restores a
 * row too many; a missing one loses data.
 */
function referencesToOtherTables(earlier: Refs, later: Refs): Refs {
  if (earlier.length === 0) return earlier;
  const tables = new Set<string>();
  for (const [table] of rowRefs(later)) tables.add(table);
  const kept: string[] = [];
  for (const [table, pk] of rowRefs(earlier)) if (!tables.has(table)) kept.push(table, pk);
  return kept;
}
