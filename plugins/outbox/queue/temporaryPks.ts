import { replaceTemporaryPks } from 'holdfast';
import { tagOf } from '../storage/bodies.ts';
import type { MoveRecord } from '../storage/record.ts';

/**
 * The temporary pks of the mutations that args refer to: in objects, lists and forms, in the names of members and files,
 * and within texts such as paths.
 */
export function temporaryPksIn(args: unknown): Set<string> {
  const found = new Set<string>();
  mapTexts(args, (text) =>
    replaceTemporaryPks(text, (pk, ofMutation) => {
      found.add(ofMutation);
      return pk;
    }),
  );
  return found;
}

/**
 * Args with the server's pks in place of temporary ones. A text that is only a temporary pk becomes the server's
 * value of that field, a number or string. Values without temporary pks stay the same objects.
 */
export function withServerPks<T>(
  args: T,
  moves: ReadonlyMap<string, Pick<MoveRecord, 'id' | 'ids' | 'others'>>,
): T {
  const replaced = mapTexts(args, (text, field) => {
    let whole: Pick<MoveRecord, 'id' | 'ids'> | undefined;
    const changed = replaceTemporaryPks(text, (pk, ofMutation) => {
      const move = moves.get(ofMutation);
      const found = pk === ofMutation ? move : move?.others?.[pk];
      if (pk === text) whole = found;
      return String(found?.id ?? pk);
    });
    if (whole === undefined) return changed;
    return field !== undefined && Object.hasOwn(whole.ids, field) ? whole.ids[field] : whole.id;
  });
  return replaced as T; // of the same shape, other texts
}

/** Returns the replacement of a text. */
type Change = (text: string, field: string | undefined) => unknown;

/**
 * A copy with replaced texts; the same value if none changes.
 *
 * @param name - the field that holds the value
 */
function mapTexts(value: unknown, change: Change, name?: string): unknown {
  if (typeof value === 'string') return change(value, name);
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
  const mapped = entries.map(
    ([field, member]) => [String(change(field, undefined)), mapTexts(member, change, field)] as const,
  );
  const isSame = mapped.every(
    ([field, member], place) => field === entries[place]?.[0] && member === fields[field],
  );
  return isSame ? value : Object.fromEntries(mapped);
}

function mapForm<T extends FormData | URLSearchParams>(form: T, copy: T, change: Change): T {
  let isOther = false;
  for (const [name, value] of form.entries() as Iterable<[string, FormDataEntryValue]>) {
    const mappedName = String(change(name, undefined));
    const mapped = typeof value === 'string' ? String(change(value, name)) : mapFile(value, change);
    isOther ||= mappedName !== name || mapped !== value;
    copy.append(mappedName, mapped as string); // only those of a form may be files
  }
  return isOther ? copy : form;
}

/** Only its name: what is inside is not searched. */
function mapFile(file: File, change: Change): File {
  const name = String(change(file.name, undefined));
  return name === file.name ? file : new File([file], name, file);
}
