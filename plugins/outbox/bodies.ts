/** Stands in a record for a body that structured clone cannot copy. */
interface Standing {
  readonly holdfast: 'FormData' | 'URLSearchParams';
  readonly entries: readonly (readonly [name: string, value: FormDataEntryValue])[];
}

/** Arguments as they are stored. Blobs, files and buffers go as they are. */
export function encodeArgs(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => {
    const kind = tagOf(arg);
    if (kind !== 'FormData' && kind !== 'URLSearchParams') return arg;
    const entries = [...(arg as FormData | URLSearchParams).entries()]; // by its tag
    return { holdfast: kind, entries } satisfies Standing;
  });
}

/** Arguments as the endpoint was given them. */
export function decodeArgs(stored: readonly unknown[]): readonly unknown[] {
  return stored.map((arg) => {
    if (!isStanding(arg)) return arg;
    const body = arg.holdfast === 'FormData' ? new FormData() : new URLSearchParams();
    for (const [name, value] of arg.entries) body.append(name, value as string); // only those of a form may be files
    return body;
  });
}

/** The kind of a value, also of one that another realm has made. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function isStanding(arg: unknown): arg is Standing {
  return (
    typeof arg === 'object' &&
    arg !== null &&
    'holdfast' in arg &&
    (arg.holdfast === 'FormData' || arg.holdfast === 'URLSearchParams') &&
    'entries' in arg &&
    Array.isArray(arg.entries)
  );
}
