/** A value's members by name, in the order in which they are shown. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/** Whether a value has members to list. Bytes are not listed: millions of them would take many seconds. */
export function hasMembers(value: unknown): value is object {
  const isBranch =
    typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value);
  return isBranch && sizeOf(value) > 0;
}

/** The members of an object. */
export function membersOf(value: object): Members {
  if (value instanceof Error) return errorMembers(value);
  if (value instanceof Map) return [...value].map(([key, member]) => [scalarText(key), member]);
  if (value instanceof Set) return [...value].map((member, index) => [String(index), member]);
  if (value instanceof Blob) return blobMembers(value);
  return Object.entries(value);
}

/** The first few. */
export function firstMembers(value: object, count: number): Members {
  // So that a list of thousands is not copied for its preview.
  return Array.isArray(value) ? membersOf(value.slice(0, count)) : membersOf(value).slice(0, count);
}

/** A short form of its type, such as `[3]`, or the key of an entity's class; `{7}` for a plain object. */
export function classOf(value: object): string {
  const size = sizeOf(value).toLocaleString('en');
  if (Array.isArray(value)) return `[${size}]`;
  const { constructor } = value as { constructor?: { key?: unknown; name?: unknown } }; // null prototypes have none
  // In minified code, the key of an entity and the name of an error are the only readable ones.
  const named = value instanceof Error && value.name !== 'Error' ? value : constructor;
  const name = typeof constructor?.key === 'string' ? constructor.key : named?.name;
  return typeof name === 'string' && name !== 'Object' ? `${name} {${size}}` : `{${size}}`;
}

function sizeOf(value: object): number {
  return Array.isArray(value) ? value.length : membersOf(value).length;
}

/** Properties of interest that are not enumerable. */
function errorMembers(error: Error): Members {
  const { name, message } = error;
  const own = Object.entries(error).filter(([member]) => member !== 'name' && member !== 'message');
  return [['name', name], ['message', message], ...own];
}

/** The contents of a file are not read. */
function blobMembers(blob: Blob): Members {
  const { size, type } = blob;
  return [...(blob instanceof File ? [['name', blob.name] as const] : []), ['size', size], ['type', type]];
}

/** A value without members, as text. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return value.toString();
    case 'undefined':
    case 'function':
      return typeof value;
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
      if (value === null) return 'null';
      if (ArrayBuffer.isView(value)) return bytesText(value);
      return Array.isArray(value) ? '[]' : '{}';
  }
}

/** The number of bytes that are shown. */
const SHOWN_BYTES = 32;

function bytesText({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const first = new Uint8Array(buffer, byteOffset, Math.min(byteLength, SHOWN_BYTES));
  const rest = byteLength > SHOWN_BYTES ? ' …' : '';
  return `${byteLength.toLocaleString('en')} bytes: ${first.join(' ')}${rest}`;
}

/**
 * A value as JSON, with Maps and Sets as lists, and only the first of many bytes. Circular references are replaced by the
 * name of their class.
 */
export function jsonOf(value: unknown): string {
  const ancestors: object[] = [];
  const text = JSON.stringify(
    value,
    function (this: object, _name, member: unknown) {
      // `this` is the object that has the member, so all objects after it on the stack are complete.
      ancestors.length = ancestors.lastIndexOf(this) + 1;
      if (typeof member !== 'object' || member === null)
        return typeof member === 'bigint' ? String(member) : member;
      if (ArrayBuffer.isView(member)) return bytesText(member);
      if (ancestors.includes(member)) return `[circle to ${classOf(member)}]`;
      const shown: object = member instanceof Map || member instanceof Set ? [...member] : member;
      // `this` of its members is what is shown in its place.
      ancestors.push(member, shown);
      return shown;
    },
    2,
  ) as string | undefined; // for functions and undefined
  return text ?? String(value);
}
