/** Whether a value is a promise. Not by `instanceof`: it may come from another realm, such as a frame or a test runner. */
export function isThenable<T extends object>(value: T | Promise<T>): value is Promise<T> {
  return 'then' in value && typeof value.then === 'function';
}
