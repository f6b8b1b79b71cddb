import { HoldfastError } from 'holdfast';

/** Replaces a body that structured clone cannot copy, or not in every browser. */
type StoredBody =
  | { readonly holdfast: 'FormData' | 'URLSearchParams'; readonly entries: readonly StoredField[] }
  | StoredFile;

type StoredField = readonly [name: string, value: string | StoredFile];

/** Node clones a file as a Blob without its name (observed in Node 20; no bug found). */
interface StoredFile {
  readonly holdfast: 'File';
  readonly blob: Blob;
  readonly name: string;
  readonly lastModified: number;
}

/** Encodes args for storage. Blobs and buffers are stored as they are. */
export function encodeArgs(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => {
    const kind = tagOf(arg);
    if (kind === 'File') return storedFile(arg as File); // by its tag
    if (kind !== 'FormData' && kind !== 'URLSearchParams') return arg;
    const fields = [...(arg as FormData | URLSearchParams).entries()]; // by its tag
    const entries = fields.map(([name, value]): StoredField => [
      name,
      typeof value === 'string' ? value : storedFile(value),
    ]);
    return { holdfast: kind, entries } satisfies StoredBody;
  });
}

function storedFile(file: File): StoredFile {
  const { name, type, lastModified } = file;
  return { holdfast: 'File', blob: new Blob([file], { type }), name, lastModified };
}

function fileOf({ blob, name, lastModified }: StoredFile): File {
  return new File([blob], name, { type: blob.type, lastModified });
}

/**
 * The args as they are now: copies of objects, lists, forms and buffers, which the app may change later. A value with
 * `toJSON()`, such as a `Temporal` or a Day.js object, becomes what is sent of it: structured clone rejects it, or keeps only its
 * fields. Other instances of classes stay, because entities stand for their rows.
 *
 * @throws HoldfastError `HF_OUTBOX_ARGS` for a value that contains itself, or whose `toJSON()` throws
 */
export function snapshotArgs(name: string, args: readonly unknown[]): readonly unknown[] {
  return storable(name, () => args.map(snapshot));
}

function snapshot(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(snapshot);
  const kind = tagOf(value);
  if (kind === 'FormData' || kind === 'URLSearchParams') return decodeArgs(encodeArgs([value]))[0];
  // The app may fill a buffer again, or transfer it, which empties it.
  if (kind === 'ArrayBuffer' || ArrayBuffer.isView(value)) return structuredClone(value);
  const { toJSON } = value as { readonly toJSON?: unknown }; // read by name
  if (typeof toJSON === 'function' && kind !== 'Date') return snapshot(toJSON.call(value));
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of plain objects, in each realm, is the only one that has none.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, snapshot(member)]));
}

/**
 * A copy of the args, from `snapshotArgs`, as they are stored.
 *
 * @throws HoldfastError `HF_OUTBOX_ARGS` for a value that cannot be cloned, or without structuredClone
 */
export function storedArgs(name: string, args: readonly unknown[]): readonly unknown[] {
  if (typeof structuredClone === 'undefined')
    throw new HoldfastError(
      'HF_OUTBOX_ARGS',
      `${name} was not sent, since structuredClone is missing here, as in jsdom; test with jest-fixed-jsdom, or define it`,
    );
  return storable(name, () => structuredClone(encodeArgs(args)));
}

/** The result of `copy`, whose errors become coded ones. */
function storable<T>(name: string, copy: () => T): T {
  try {
    return copy();
  } catch (cause) {
    throw new HoldfastError(
      'HF_OUTBOX_ARGS',
      `${name} has an argument that cannot be stored, such as a function or a stream, so it was not sent; pass plain data, FormData or Blobs`,
      { cause },
    );
  }
}

/** Decodes stored args. */
export function decodeArgs(stored: readonly unknown[]): readonly unknown[] {
  return stored.map((arg) => {
    if (!isStoredBody(arg)) return arg;
    if (arg.holdfast === 'File') return fileOf(arg);
    const body = arg.holdfast === 'FormData' ? new FormData() : new URLSearchParams();
    for (const [name, value] of arg.entries)
      body.append(name, (typeof value === 'string' ? value : fileOf(value)) as string); // only forms contain files
    return body;
  });
}

/** The tag of a value, also of another realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function isStoredBody(arg: unknown): arg is StoredBody {
  if (typeof arg !== 'object' || arg === null || !('holdfast' in arg)) return false;
  if (arg.holdfast === 'File') return 'blob' in arg;
  const isForm = arg.holdfast === 'FormData' || arg.holdfast === 'URLSearchParams';
  return isForm && 'entries' in arg && Array.isArray(arg.entries) && arg.entries.every(isField);
}

function isField(field: unknown): field is StoredField {
  if (!Array.isArray(field)) return false;
  const [name, value] = field as readonly unknown[]; // of any members
  return (
    typeof name === 'string' &&
    (typeof value === 'string' || (isStoredBody(value) && value.holdfast === 'File'))
  );
}
