import { isGrowing } from '../store/grownRow.ts';
import type { StoredResult, StoredRow } from '../store/State.ts';

/** Whether two rows join alike, as far as that can be told without making a list that nobody may want to see. */
export function rowsJoinAlike(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    !isGrowing(before) &&
    !isGrowing(after) &&
    before.value === after.value &&
    before.movedTo === after.movedTo
  );
}

/** Whether two results join alike. */
export function resultsJoinAlike(before: StoredResult | undefined, after: StoredResult | undefined): boolean {
  return (
    before?.value === after?.value &&
    before?.invalidated === after?.invalidated &&
    before?.shape === after?.shape
  );
}

/** Whether a row has come into its table or left it. */
export function hasMoved(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  return (before?.value === undefined) !== (after?.value === undefined) || before === undefined;
}
