import { HoldfastError } from '../util/errors.ts';

/** Deepest nesting of arguments. */
const MAX_DEPTH = 100;

/**
 * JSON with sorted keys, so that equal values give equal text. Members that are undefined are left out; bigints,
 * dates and numbers that JSON lacks are distinguished. Of a function or symbol only the kind counts.
 *
 * @throws HoldfastError `HF_TOO_DEEP`
 */
export function stableJson(value: unknown, depth = 0): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' || value === undefined) return String(value);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol'
      ? `"${typeof value}"`
      : JSON.stringify(value);
  if (depth > MAX_DEPTH)
    throw new HoldfastError(
      'HF_TOO_DEEP',
      `Arguments nest more than ${MAX_DEPTH} objects or lists, perhaps in a cycle; pass flat ones`,
    );
  // Every read makes a key, so this makes no lists and no closures.
  let members = '';
  if (Array.isArray(value)) {
    if (value.every(isSimple)) return JSON.stringify(value);
    for (let index = 0; index < value.length; index++) {
      if (index > 0) members += ',';
      members += stableJson(value[index], depth + 1);
    }
    return `[${members}]`;
  }
  if (hasToJson(value)) return stableJson(value.toJSON(), depth + 1);
  const fields = value as Readonly<Record<string, unknown>>; // an object that is no list
  if (isSimple(fields)) return JSON.stringify(fields);
  const keys = Object.keys(fields);
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const member = fields[key];
    if (member === undefined) continue;
    if (members !== '') members += ',';
    members += `${JSON.stringify(key)}:${stableJson(member, depth + 1)}`;
  }
  return `{${members}}`;
}

/** Whether `JSON.stringify` writes the same, as one text instead of several: most arguments are like this. */
function isSimple(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' || Number.isFinite(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let last = '';
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key]; // it has it
    if (key < last || (typeof member !== 'string' && !Number.isFinite(member))) return false;
    last = key;
  }
  return true;
}

/** Whether a value says itself what it is in JSON, as dates do. */
export function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
