/** Whether a value is a plain object: neither a list nor an instance of a class. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // A plain object of another realm (an iframe, a test environment) has that realm's Object.prototype.
  return (
    Object.prototype.toString.call(value) === '[object Object]' && Object.getPrototypeOf(prototype) === null
  );
}

/**
 * In development, whether an object is more than its fields, of which it has none, such as a promise or a `Map`. Read
 * as an object of fields, it would be an empty one.
 */
export function isOpaque(value: object): boolean {
  return process.env.NODE_ENV !== 'production' && !isPlain(value) && Object.keys(value).length === 0;
}
