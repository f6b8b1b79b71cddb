/** Whether two values are the same, or two lists or two plain objects with the same members. */
export function isShallowlyEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const prototype: unknown = Object.getPrototypeOf(left);
  if (prototype !== Object.getPrototypeOf(right)) return false;
  // Meant for lists of many thousand members: it does not enumerate their keys.
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) if (!Object.is(left[at], right[at])) return false;
    return true;
  }
  if (prototype !== Object.prototype && prototype !== null) return false;
  const [before, after] = [left as Record<string, unknown>, right as Record<string, unknown>]; // read by own keys
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => Object.hasOwn(after, key) && Object.is(before[key], after[key]))
  );
}
