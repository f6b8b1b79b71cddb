import { HoldfastError } from './errors.ts';

/** Deepest nesting of plain objects and lists in one stored value. */
const MAX_DEPTH = 1_000;

const NOTHING: Readonly<Record<string, unknown>> = {};

/**
 * Makes a value the store's own: plain objects and lists are copied (and frozen in development), so that nobody
 * outside can change what is stored. Parts that equal `previous` are `previous`' own parts, so that a value which
 * changes nothing keeps its identity. Other objects (Date, Blob, …) are kept as they are.
 *
 * @throws HoldfastError `HF_TOO_DEEP`
 */
export function adopt(value: unknown, previous: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (equal(value, previous, depth)) return previous;
  if (depth > MAX_DEPTH) {
    throw new HoldfastError(
      'HF_TOO_DEEP',
      `A value nests more than ${MAX_DEPTH} objects or lists; store flatter data`,
    );
  }
  if (Array.isArray(value)) {
    const former: readonly unknown[] = Array.isArray(previous) ? previous : [];
    const copy = value.slice() as unknown[];
    for (let index = 0; index < copy.length; index++) {
      const item = copy[index];
      if (typeof item === 'object' && item !== null) copy[index] = adopt(item, former[index], depth + 1);
    }
    return freeze(copy);
  }
  return isPlain(value) ? adoptFields({ ...value }, previous, depth) : value;
}

/**
 * `adopt` for a plain object that was made for the store, and so need not be copied again unless it is frozen.
 *
 * @returns `previous` when it equals that
 */
export function adoptOwn(value: Readonly<Record<string, unknown>>, previous: unknown): object {
  if (equal(value, previous)) return previous as object; // what equals an object is one
  return adoptFields(Object.isFrozen(value) ? { ...value } : value, previous, 0); // not frozen, so it may be written
}

function adoptFields(own: Record<string, unknown>, previous: unknown, depth: number): object {
  const former = isPlain(previous) ? previous : NOTHING;
  for (const field in own) {
    const member = own[field];
    if (typeof member === 'object' && member !== null)
      own[field] = adopt(member, Object.hasOwn(former, field) ? former[field] : undefined, depth + 1);
  }
  return freeze(own);
}

/** Deep equality of plain data: primitives, plain objects, lists and Dates; other objects by identity. */
export function equal(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  // Deeper than anything that is stored: calling it different is always safe.
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) {
      if (!equal(left[index], right[index], depth + 1)) return false;
    }
    return true;
  }
  if (left instanceof Date) return right instanceof Date && Object.is(left.getTime(), right.getTime());
  if (!isPlain(left) || !isPlain(right)) return false;
  let fields = 0;
  for (const field in left) {
    if (!Object.hasOwn(right, field) || !equal(left[field], right[field], depth + 1)) return false;
    fields += 1;
  }
  return fields === Object.keys(right).length;
}

/** Whether a value is an object of fields alone: no list, no instance of a class. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // A plain object of another realm (an iframe, a test environment) has that realm's Object.prototype.
  return (
    Object.prototype.toString.call(value) === '[object Object]' && Object.getPrototypeOf(prototype) === null
  );
}

function freeze<T extends object>(value: T): T {
  return process.env.NODE_ENV !== 'production' ? Object.freeze(value) : value;
}
