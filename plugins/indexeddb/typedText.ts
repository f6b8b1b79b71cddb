/** The field that marks a value without a JSON form, as `[tag, content]`. */
const MARK = '$';

/**
 * Encodes a record as text: JSON, extended by what structured clone keeps and JSON loses, such as Dates, `Infinity`
 * and `undefined`. A codec only has to turn this text into bytes and back.
 *
 * @throws DOMException `DataCloneError` for what has no text form, such as a function or a Blob
 */
export function toText(record: unknown): string {
  return JSON.stringify(write(record));
}

/** Decodes a record. */
export function fromText(text: string): unknown {
  return read(JSON.parse(text));
}

function write(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return Array.from(value, write);
  // Objects of another realm are not instances of this realm's classes, but have their tags.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object') return { [MARK]: [tag, contentOf(tag, value)] };
  const fields = Object.entries(value as object).map(([field, member]) => [field, write(member)]); // by its tag
  // As entries, if a field could be mistaken for a mark.
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

/** @param content - encoded by `contentOf` for this tag */
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
