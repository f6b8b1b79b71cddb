import { tagOf } from './bodies.ts';

/** What the Controller gives to what has no pk of its own yet, wherever it stands in a text. */
const TEMPORARY_PK = /optimistic-\d+-[a-z\d]+/g;

/** The server's pk of each temporary one that has been answered. */
export type Replacements = ReadonlyMap<string, string | number>;

/** The temporary pks that args hold, in objects and their keys, lists, forms and within texts such as paths. */
export function temporaryPksIn(args: unknown): Set<string> {
  const found = new Set<string>();
  mapTexts(args, (text) => {
    for (const [pk] of text.matchAll(TEMPORARY_PK)) found.add(pk);
    return text;
  });
  return found;
}

/**
 * Args with the server's pks in place of temporary ones. A text that is nothing but a temporary pk becomes the
 * server's as it is, number or string. What holds none stays the same object.
 */
export function withServerPks<T>(args: T, pks: Replacements): T {
  const replaced = mapTexts(args, (text) => {
    const whole = pks.get(text);
    if (whole !== undefined) return whole;
    return text.includes('optimistic-')
      ? text.replaceAll(TEMPORARY_PK, (pk) => String(pks.get(pk) ?? pk))
      : text;
  });
  return replaced as T; // of the same shape, other texts
}

/** A copy with other texts; the same value where none is another. */
function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((member: unknown) => mapTexts(member, change));
    return list.every((member, index) => member === value[index]) ? value : list;
  }
  const kind = tagOf(value);
  if (kind === 'FormData') return mapForm(value as FormData, new FormData(), change); // by its tag
  if (kind === 'URLSearchParams') return mapForm(value as URLSearchParams, new URLSearchParams(), change); // by its tag
  if (kind !== 'Object') return value;
  const fields = value as Readonly<Record<string, unknown>>; // an object without a special kind
  const entries = Object.entries(fields);
  const mapped = entries.map(([name, field]) => [String(change(name)), mapTexts(field, change)] as const);
  const isSame = mapped.every(
    ([name, field], place) => name === entries[place]?.[0] && field === fields[name],
  );
  return isSame ? value : Object.fromEntries(mapped);
}

function mapForm<T extends FormData | URLSearchParams>(
  form: T,
  copy: T,
  change: (text: string) => unknown,
): T {
  let isOther = false;
  for (const [name, value] of form.entries() as Iterable<[string, FormDataEntryValue]>) {
    const mapped = typeof value === 'string' ? String(change(value)) : value;
    isOther ||= mapped !== value;
    copy.append(name, mapped as string); // only those of a form may be files
  }
  return isOther ? copy : form;
}
