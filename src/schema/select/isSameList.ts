/** Whether two lists have the same members in the same places. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (!Object.is(left[at], right[at])) return false;
  return true;
}
