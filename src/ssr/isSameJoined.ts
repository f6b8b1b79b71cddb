/**
 * Whether two joined values show the same: entities of one class and plain objects by their fields, lists by their
 * items, Dates by their time, all else by identity. Iterative, and ends where the values are circular.
 */
export function isSameJoined(first: unknown, second: unknown): boolean {
  const met = new Map<object, object>();
  const waiting: [unknown, unknown][] = [[first, second]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    const known = met.get(left);
    if (known === right) continue;
    // One object on the left that is two on the right is no harm to call different.
    if (known !== undefined || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    met.set(left, right);
    if (left instanceof Date) {
      if (!Object.is(left.getTime(), (right as Date).getTime())) return false; // of the same class
      continue;
    }
    const fields = Object.keys(left);
    // Maps, Temporal's classes and the like have what they hold elsewhere.
    if (fields.length !== Object.keys(right).length || (fields.length === 0 && isOpaque(left))) return false;
    for (const field of fields) {
      if (!Object.hasOwn(right, field)) return false;
      waiting.push([(left as Fields)[field], (right as Fields)[field]]); // own fields of both
    }
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isOpaque(value: object): boolean {
  return !Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]';
}
