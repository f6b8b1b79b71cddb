import { hasUnreadAdditions } from '../store/lazyListRow.ts';
import type { StoredResult, StoredRow } from '../store/State.ts';

/** Whether two rows give the same view, without computing the value of a lazy list row. */
export function rowsViewEqual(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    !hasUnreadAdditions(before) &&
    !hasUnreadAdditions(after) &&
    before.value === after.value &&
    before.movedTo === after.movedTo
  );
}

/** Whether two results give the same view. */
export function resultsViewEqual(before: StoredResult | undefined, after: StoredResult | undefined): boolean {
  return (
    before?.value === after?.value &&
    before?.invalidated === after?.invalidated &&
    before?.shape === after?.shape
  );
}

/** Whether a row was added to its table or removed from it. */
export function hasEnteredOrLeft(before: StoredRow | undefined, after: StoredRow | undefined): boolean {
  return (before?.value === undefined) !== (after?.value === undefined) || before === undefined;
}
