import { jsonOf } from '../data/jsonOf.ts';

/**
 * The fields of a row that differ in an edited text. A field that JSON cannot express, such as a Date, stays as it is
 * unless its text was changed; a field that the text lacks stays as well.
 *
 * @param text - the fields as JSON
 * @returns a sentence if the text is not a JSON object
 */
export function changedFields(value: object, text: string): Readonly<Record<string, unknown>> | string {
  let edited: unknown;
  try {
    edited = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${String(error instanceof Error ? error.message : error)}`;
  }
  if (typeof edited !== 'object' || edited === null || Array.isArray(edited))
    return 'A row is an object: { "field": value }';
  const stored = value as Readonly<Record<string, unknown>>; // read by name
  return Object.fromEntries(
    Object.entries(edited).filter(([field, member]) => jsonOf(member) !== jsonOf(stored[field])),
  );
}
