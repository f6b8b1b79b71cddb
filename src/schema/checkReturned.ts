import { describe, HoldfastError } from '../util/errors.ts';
import { isThenable } from '../util/isThenable.ts';

/**
 * The fields that a function of the app returned, such as a class's `merge`. Without this check, undefined would delete
 * the row, a promise would empty it, and lists whose `argsKey` returned nothing would replace each other.
 *
 * @param owner - the class that has the function
 * @throws HoldfastError `HF_PROCESS` unless it is an object
 */
export function checkReturned<T>(owner: string, method: string, returned: T): T & object {
  if (isFields(returned)) return returned;
  throw new HoldfastError(
    'HF_PROCESS',
    `${owner}.${method}() returned ${describe(returned)}; return an object`,
  );
}

/** Whether a value has fields to store. A promise has none: without types, a function may be async. */
export function isFields<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isThenable(value);
}
