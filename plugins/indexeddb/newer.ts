import { isOlder, type Meta } from 'holdfast';
import { named, type DiskRow, type Refs } from './records.ts';

/** The newer of two versions of one row or result; the later written where neither is older. */
export function newer<T extends { readonly meta: Meta }>(earlier: T | undefined, later: T): T {
  return earlier !== undefined && isOlder(later.meta, earlier.meta) ? earlier : later;
}

/** The newer of two versions of a row, with what it names. */
export function newerRow(earlier: DiskRow | undefined, later: DiskRow): DiskRow {
  const row = newer(earlier, later);
  if (earlier === undefined || row === earlier || row.value === undefined) return row;
  const kept = unmentioned(earlier.refs, row.refs);
  return kept.length === 0 ? row : { ...row, refs: [...row.refs, ...kept] };
}

/**
 * The references to tables that the later version names no row of. Perhaps it names none; perhaps the session that
 * wrote it had not met the class that declares the relation, as where only a list of summaries was shown. A reference
 * too many brings a row too many into memory; one too few loses what it names.
 */
function unmentioned(earlier: Refs, later: Refs): Refs {
  if (earlier.length === 0) return earlier;
  const tables = new Set<string>();
  for (const [table] of named(later)) tables.add(table);
  const kept: string[] = [];
  for (const [table, pk] of named(earlier)) if (!tables.has(table)) kept.push(table, pk);
  return kept;
}
