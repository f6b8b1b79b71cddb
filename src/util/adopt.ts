import { HoldfastError } from './errors.ts';
import { isPlain } from './isPlain.ts';

/** Deepest nesting of plain objects and lists in one stored value. */
const MAX_DEPTH = 1_000;

/** The previous value of a field that did not exist; equal to nothing. */
const ABSENT = Symbol('absent');

/**
 * Makes a value safe to store: plain objects and lists are copied (and frozen in development), so that code outside
 * cannot change stored data. Parts that equal parts of `previous` are replaced by those, so that a value without
 * changes keeps its identity. Other objects (Date, Blob, …) are kept. Takes one pass.
 *
 * @throws HoldfastError `HF_TOO_DEEP`
 */
export function adopt<T>(value: T, previous: unknown, depth?: number): T;
export function adopt(value: unknown, previous: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value === previous) return value;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return adoptList(value, previous, depth);
  if (isPlain(value)) return adoptFields(value, previous, depth, false);
  return equal(value, previous) ? previous : value;
}

/** `adopt` for a new plain object that was created for the store, and so need not be copied unless it is frozen. */
export function adoptOwn(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return adoptFields(value, undefined, 0, !Object.isFrozen(value));
}

/**
 * Makes a value safe to store that no other code references: it is only frozen in development.
 *
 * @throws HoldfastError `HF_TOO_DEEP`, in development
 */
export function own(value: unknown, depth = 0): void {
  if (process.env.NODE_ENV === 'production') return;
  // A frozen value was stored as a whole before.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  if (!Array.isArray(value) && !isPlain(value)) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  Object.freeze(value);
  for (const member of Object.values<unknown>(value)) own(member, depth + 1);
}

function tooDeep(): HoldfastError {
  return new HoldfastError(
    'HF_TOO_DEEP',
    `A value nests more than ${MAX_DEPTH} objects or lists; store flatter data`,
  );
}

function adoptList(value: readonly unknown[], previous: unknown, depth: number): readonly unknown[] {
  const existing: readonly unknown[] | undefined = Array.isArray(previous) ? previous : undefined;
  let isSame = existing?.length === value.length;
  const own = value.slice();
  for (let index = 0; index < own.length; index++) {
    const item = own[index];
    if (typeof item === 'object' && item !== null) own[index] = adopt(item, existing?.[index], depth + 1);
    isSame &&= Object.is(own[index], existing?.[index]);
  }
  return isSame && existing !== undefined ? existing : freeze(own);
}

/** @param isOwn - whether the fields of `value` may be set in place */
function adoptFields(
  value: Readonly<Record<string, unknown>>,
  previous: unknown,
  depth: number,
  isOwn: boolean,
): Readonly<Record<string, unknown>> {
  const existing = isPlain(previous) ? previous : undefined;
  const own = isOwn ? (value as Record<string, unknown>) : { ...value }; // the caller says that it may be written
  let fields = 0;
  for (const field in own) {
    const member = own[field];
    const before = existing !== undefined && Object.hasOwn(existing, field) ? existing[field] : ABSENT;
    if (typeof member === 'object' && member !== null) own[field] = adopt(member, before, depth + 1);
    if (Object.is(own[field], before)) fields += 1;
    else fields = -Infinity;
  }
  return existing !== undefined && fields === Object.keys(existing).length ? existing : freeze(own);
}

/**
 * Deep equality of plain data: primitives, plain objects, lists and Dates; other objects by identity.
 *
 * @param depth - where this is within a larger value; below `MAX_DEPTH`, objects are equal only if they are identical
 */
export function equal(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  // Deeper than any stored value: returning false is always safe.
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) {
      if (!equal(left[index], right[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlain(left)) return isDate(left) && isDate(right) && Object.is(Number(left), Number(right));
  if (!isPlain(right)) return false;
  let fields = 0;
  for (const field in left) {
    if (!Object.hasOwn(right, field) || !equal(left[field], right[field], depth + 1)) return false;
    fields += 1;
  }
  return fields === Object.keys(right).length;
}

/** Whether two values are the same, or two lists, plain objects or Dates with the same members. */
export function isShallowlyEqual(left: unknown, right: unknown): boolean {
  return equal(left, right, MAX_DEPTH);
}

/** By its tag: instances of another realm (an iframe, a test environment) do not pass instanceof here. */
function isDate(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Date]';
}

function freeze<T extends object>(value: T): T {
  return process.env.NODE_ENV !== 'production' ? Object.freeze(value) : value;
}
