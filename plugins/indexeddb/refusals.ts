import type { Commit, HoldfastError } from 'holdfast';
import type { Persist } from './persisted.ts';
import type { References } from './References.ts';

/**
 * The errors for entities that a commit brings to be stored though they must not be, as far as that is known without
 * looking further: what results reach is known when they are written.
 */
export function refusals(
  { base, baseChanges }: Commit,
  persist: Persist | undefined,
  references: References,
): HoldfastError[] {
  if (typeof persist === 'function') return [];
  const errors: HoldfastError[] = [];
  for (const [table, rows] of baseChanges.rows) {
    const [pk] = rows.keys();
    // The rows that one commit brings to a table nearly always have one meta.
    const row = pk === undefined ? undefined : base.tables[table]?.get(pk);
    if (row === undefined || (persist !== 'all' && row.meta.expiresAt !== Infinity)) continue;
    const refusal = references.refusal(table);
    if (refusal !== undefined) errors.push(refusal);
  }
  return errors;
}
