import { deepStrictEqual, fail } from 'node:assert/strict';

/**
 * Checks what an example says that it shows.
 *
 * @param place - page and line of the example
 * @param show - gives what it shows
 * @param expected - what it says; or the code of the error that it says is thrown
 */
export async function shows(
  place: string,
  show: () => unknown,
  expected: { readonly value: unknown } | { readonly throws: string },
): Promise<void> {
  let shown: unknown;
  try {
    shown = await show();
  } catch (error) {
    if (!('throws' in expected)) throw error;
    deepStrictEqual((error as { code?: unknown }).code, expected.throws, place); // any error may lack it
    return;
  }
  if ('throws' in expected) fail(`${place} does not throw ${expected.throws}`);
  deepStrictEqual(plain(shown), plain(expected.value), place);
}

/** The same data without classes: an example shows an entity as its fields. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
