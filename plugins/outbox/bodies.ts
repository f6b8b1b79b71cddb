import { HoldfastError } from 'holdfast';

/** Stands in a record for a body that structured clone cannot copy, or not everywhere. */
type Standing =
  | { readonly holdfast: 'FormData' | 'URLSearchParams'; readonly entries: readonly StoredField[] }
  | StoredFile;

type StoredField = readonly [name: string, value: string | StoredFile];

/** Node clones files without their names. */
interface StoredFile {
  readonly holdfast: 'File';
  readonly blob: Blob;
  readonly name: string;
  readonly lastModified: number;
}

/** Arguments as they are stored. Blobs and buffers go as they are. */
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
    return { holdfast: kind, entries } satisfies Standing;
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
 * A copy of arguments as they are stored: what the app changes in its objects later on is not what it asked for.
 *
 * @throws HoldfastError `HF_OUTBOX_ARGS` for what cannot be cloned, or where nothing can
 */
export function storedArgs(name: string, args: readonly unknown[]): readonly unknown[] {
  if (typeof structuredClone === 'undefined')
    throw new HoldfastError(
      'HF_OUTBOX_ARGS',
      `${name} was not sent, since structuredClone is missing here, as in jsdom; test with jest-fixed-jsdom, or define it`,
    );
  try {
    return structuredClone(encodeArgs(args));
  } catch (cause) {
    throw new HoldfastError(
      'HF_OUTBOX_ARGS',
      `${name} was given an argument that cannot be stored, such as a function or a stream, so it was not sent; pass plain data, FormData, Blob or the like`,
      { cause },
    );
  }
}

/**
 * A copy of arguments, as they come back from the disk.
 *
 * @throws HoldfastError `HF_OUTBOX_ARGS` for what cannot be cloned
 */
export function copiedArgs(name: string, args: readonly unknown[]): readonly unknown[] {
  return decodeArgs(storedArgs(name, args));
}

/** Arguments as the endpoint was given them. */
export function decodeArgs(stored: readonly unknown[]): readonly unknown[] {
  return stored.map((arg) => {
    if (!isStanding(arg)) return arg;
    if (arg.holdfast === 'File') return fileOf(arg);
    const body = arg.holdfast === 'FormData' ? new FormData() : new URLSearchParams();
    for (const [name, value] of arg.entries)
      body.append(name, (typeof value === 'string' ? value : fileOf(value)) as string); // only those of a form may be files
    return body;
  });
}

/** The kind of a value, also of one that another realm has made. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function isStanding(arg: unknown): arg is Standing {
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
    (typeof value === 'string' || (isStanding(value) && value.holdfast === 'File'))
  );
}
