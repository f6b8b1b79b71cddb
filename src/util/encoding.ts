import { isPlain } from './isPlain.ts';

/** The only member of an object that represents a value without a JSON form: `{ "@": [kind, …] }`. */
const TAG = '@';

/** Thrown for a value that cannot be represented: a function, a class instance, a Blob. */
export class NotSerializable extends Error {
  /** As structured clone names it. */
  override readonly name = 'DataCloneError';
  readonly value: unknown;

  constructor(value: unknown) {
    super('There is no form for this value');
    this.value = value;
  }
}

/**
 * Encodes stored data as text: JSON that also has a form for `Infinity`, `NaN`, `-0`, `undefined`, bigints, Dates,
 * Maps, Sets and Uint8Arrays.
 *
 * @throws an error named `DataCloneError` for anything else, such as a function, a class instance or a Blob
 */
export function encodeText(value: unknown): string {
  return JSON.stringify(encode(value));
}

/** Decodes the text of `encodeText`. */
export function decodeText(text: string): unknown {
  return decode(JSON.parse(text));
}

/**
 * Encodes stored data as JSON values.
 *
 * @throws NotSerializable
 */
export function encode(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (Array.isArray(value)) return Array.from(value, encode);
  // Instances of another realm, such as a test environment's, do not pass instanceof here, but have their tags.
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (!isPlain(value)) return { [TAG]: [kind, contentOf(kind, value)] };
  const members = Object.entries(value).map(([name, member]) => [name, encode(member)] as const);
  // Defined rather than assigned: a member named `__proto__` is one like any other.
  return Object.hasOwn(value, TAG) ? { [TAG]: [kind, members] } : Object.fromEntries(members);
}

function contentOf(kind: string, value: unknown): unknown {
  if (kind === 'Undefined') return null;
  if (kind === 'Number' || kind === 'BigInt') return Object.is(value, -0) ? '-0' : String(value);
  if (kind === 'Date') return encode(Number(value));
  if (kind === 'Map' || kind === 'Set' || kind === 'Uint8Array')
    return encode([...(value as Iterable<unknown>)]); // by its kind
  throw new NotSerializable(value);
}

/** Decodes encoded data. It changes the parsed JSON in place. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && Object.hasOwn(value, TAG))
    return untagged((value as Record<typeof TAG, [kind: string, content: unknown]>)[TAG]); // as encode() makes it
  const members = value as Record<string, unknown>; // a list has its indexes
  // The property exists already, so that assigning `__proto__` calls no setter.
  for (const name of Object.keys(members)) members[name] = decode(members[name]);
  return value;
}

/** Whether JSON text contains encoded values. */
export function isEncoded(text: string): boolean {
  // Inside a string, a quote would have a backslash before it.
  return text.includes(`"${TAG}":`);
}

/** @param content - as `contentOf` makes it for this kind */
function untagged([kind, content]: readonly [kind: string, content: unknown]): unknown {
  const value = decode(content);
  if (kind === 'Undefined') return undefined;
  if (kind === 'Number') return Number(value);
  if (kind === 'BigInt') return BigInt(value as string);
  if (kind === 'Date') return new Date(value as number);
  if (kind === 'Map') return new Map(value as [unknown, unknown][]);
  if (kind === 'Set') return new Set(value as unknown[]);
  if (kind === 'Uint8Array') return Uint8Array.from(value as number[]);
  if (kind === 'Object') return Object.fromEntries(value as [string, unknown][]);
  throw new TypeError(`there is no kind ${kind}`);
}
