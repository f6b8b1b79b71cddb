/** A member that differs, and its path. */
export interface Difference {
  /** Such as `value.total`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences between two values: objects are compared member by member, lists as a whole. */
export function* differences(before: unknown, after: unknown, path = ''): Iterable<Difference> {
  if (before === after) return;
  if (!isRecord(before) || !isRecord(after)) {
    yield { path, before, after };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(before[name], after[name], path === '' ? name : `${path}.${name}`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
