import type { Commit, HoldfastError } from 'holdfast';
import type { Persist } from './writing/persisted.ts';
import type { References } from './records/References.ts';

/**
 * The errors for entities without an explicit key that a commit would persist, as far as they are known now.
 * References of results are checked when they are written.
 */
export function defaultedKeyErrors(
  { base, baseChanges }: Commit,
  persist: Persist | undefined,
  references: References,
): HoldfastError[] {
  if (typeof persist === 'function') return [];
  const errors: HoldfastError[] = [];
  for (const [table, rows] of baseChanges.rows) {
    const [pk] = rows.keys();
    // The rows that one commit writes to a table nearly always share one meta.
    const row = pk === undefined ? undefined : base.tables[table]?.get(pk);
    if (row === undefined || (persist !== 'all' && row.meta.expiresAt !== Infinity)) continue;
    const refusal = references.defaultedKeyError(table);
    if (refusal !== undefined) errors.push(refusal);
  }
  return errors;
}
