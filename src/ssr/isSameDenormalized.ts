/**
 * Whether two denormalized values look the same: entities of one class and plain objects by their fields, lists by
 * their items, Dates by their time, all else by identity. Iterative, and terminates for circular values.
 */
export function isSameDenormalized(first: unknown, second: unknown): boolean {
  const visited = new Map<object, object>();
  const stack: [unknown, unknown][] = [[first, second]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    const known = visited.get(left);
    if (known === right) continue;
    // If one object on the left is two on the right, calling them different does no harm.
    if (known !== undefined || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    visited.set(left, right);
    if (left instanceof Date) {
      if (!Object.is(left.getTime(), (right as Date).getTime())) return false; // of the same class
      continue;
    }
    const fields = Object.keys(left);
    // Maps, Temporal's classes and others store their contents elsewhere.
    if (fields.length !== Object.keys(right).length || (fields.length === 0 && isOpaque(left))) return false;
    for (const field of fields) {
      if (!Object.hasOwn(right, field)) return false;
      stack.push([(left as Fields)[field], (right as Fields)[field]]); // own fields of both
    }
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isOpaque(value: object): boolean {
  return !Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]';
}
