/** The field under which a value that JSON does not have is written, as `[tag, content]`. */
const MARK = '$';

/**
 * Text for what a record holds: JSON, and beyond it what structured clone keeps and JSON loses, such as Dates, `Infinity`
 * and `undefined`. This is what a codec gets: it only has to turn text into bytes and back.
 *
 * @throws DOMException `DataCloneError` for what has no text, such as a function or a Blob
 */
export function toText(record: unknown): string {
  return JSON.stringify(write(record));
}

/** The record that a text was made of. */
export function fromText(text: string): unknown {
  return read(JSON.parse(text));
}

function write(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return Array.from(value, write);
  // Objects of another realm are no instances of this realm's classes, but have their tags.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object') return { [MARK]: [tag, contentOf(tag, value)] };
  const fields = Object.entries(value as object).map(([field, member]) => [field, write(member)]); // by its tag
  // As a list where a field could be taken for something else.
  const isPlain = fields.every(([field]) => field !== MARK && field !== '__proto__');
  return isPlain ? Object.fromEntries(fields) : { [MARK]: [tag, fields] };
}

function contentOf(tag: string, value: unknown): unknown {
  if (tag === 'Number' || tag === 'BigInt') return String(value);
  if (tag === 'Date') return write(Number(value));
  if (tag === 'Map' || tag === 'Set' || tag === 'Uint8Array') return write([...(value as Iterable<unknown>)]); // by its tag
  if (tag === 'Undefined') return null;
  throw new DOMException(`${tag} cannot be written as text`, 'DataCloneError');
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(read);
  const marked = (value as Readonly<Record<string, unknown>>)[MARK]; // any object
  if (Array.isArray(marked)) return valueOf(marked[0], read(marked[1]));
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, read(member)]));
}

/** @param content - as `contentOf` made it for this tag, which is why it may be taken for what it must be */
function valueOf(tag: unknown, content: unknown): unknown {
  if (tag === 'Number') return Number(content);
  if (tag === 'BigInt') return BigInt(content as string);
  if (tag === 'Date') return new Date(content as number);
  if (tag === 'Map') return new Map(content as [unknown, unknown][]);
  if (tag === 'Set') return new Set(content as unknown[]);
  if (tag === 'Uint8Array') return Uint8Array.from(content as number[]);
  if (tag === 'Object') return Object.fromEntries(content as [string, unknown][]);
  return undefined;
}
