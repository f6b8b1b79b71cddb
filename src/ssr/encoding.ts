import { isPlain } from '../util/isPlain.ts';

/** The only member of an object that represents a value without a JSON form: `{ "@": [kind, …] }`. */
const TAG = '@';

/** Thrown for a value that cannot be represented: a function, a class instance, a Blob. */
export class NotSerializable extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('There is no form for this value');
    this.value = value;
  }
}

/**
 * Encodes stored data as JSON values.
 *
 * @throws NotSerializable
 */
export function encode(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged('n', numberText(value));
  if (value === undefined) return tagged('u');
  if (typeof value === 'bigint') return tagged('i', value.toString());
  if (Array.isArray(value)) return Array.from(value, encode);
  // Instances of another realm, such as a test environment's, do not pass instanceof here.
  const kind = Object.prototype.toString.call(value);
  if (kind === '[object Date]') return tagged('d', dateNumber((value as Date).getTime())); // by its kind
  if (kind === '[object Map]') return tagged('m', [...(value as Map<unknown, unknown>)].map(encode)); // as above
  if (kind === '[object Set]') return tagged('s', [...(value as Set<unknown>)].map(encode)); // as above
  if (!isPlain(value)) throw new NotSerializable(value);
  const members = Object.entries(value).map(([name, member]) => [name, encode(member)] as const);
  // Defined rather than assigned: a member named `__proto__` is one like any other.
  return Object.hasOwn(value, TAG) ? tagged('o', members) : Object.fromEntries(members);
}

/** Decodes encoded data. It changes the parsed JSON in place. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && Object.hasOwn(value, TAG))
    return untagged((value as Record<typeof TAG, [kind: string, content: unknown]>)[TAG]); // as tagged() makes it
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

function tagged(kind: string, content?: unknown): unknown {
  return { [TAG]: [kind, content] };
}

function untagged([kind, content]: readonly [kind: string, content: unknown]): unknown {
  // As encode() creates each kind.
  if (kind === 'n') return Number(content);
  if (kind === 'i') return BigInt(content as string);
  if (kind === 'd') return new Date((content as number | null) ?? NaN);
  if (kind === 'u') return undefined;
  const items = decode(content) as unknown[];
  if (kind === 's') return new Set(items);
  if (kind === 'm') return new Map(items as [unknown, unknown][]);
  if (kind === 'o') return Object.fromEntries(items as [string, unknown][]);
  throw new TypeError(`there is no kind ${kind}`);
}

function numberText(value: number): string {
  return value === 0 ? '-0' : String(value);
}

function dateNumber(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}
