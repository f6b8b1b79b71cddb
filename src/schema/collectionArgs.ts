import { isNoFilter } from './nonFilterArguments.ts';

/** The args that tell collections of one kind apart, as text. That of a stored list may have a `PATH` as well. */
export type CollectionArgs = Readonly<Record<string, string>>;

/** The name under which a list's args hold the path that it is fetched by. No argument of a URL has it. */
const PATH = '';

/** An empty list, of which a URL has nothing. */
const NO_TEXTS = '[]';

/**
 * The pk of a collection: its args as JSON, sorted, those that are undefined left out.
 *
 * @param path - of the endpoint whose list it is; undefined where the args alone identify it
 */
export function collectionPk(args: object, path?: string): string {
  const texts = { ...argTexts(args), ...(path !== undefined && { [PATH]: path }) };
  const entries = Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

/** The args that a pk was made of, its path included. */
export function collectionArgs(pk: string): CollectionArgs {
  return JSON.parse(pk) as CollectionArgs; // made by collectionPk
}

/** The path in the args of a stored list; undefined where the args alone identify it. */
export function pathOf(list: CollectionArgs): string | undefined {
  return Object.hasOwn(list, PATH) ? list[PATH] : undefined;
}

/** The args of a stored list without its path. */
export function withoutPath({ [PATH]: _path, ...args }: CollectionArgs): CollectionArgs {
  return args;
}

/** Args that do not decide membership, by name: some besides the usual ones, or a function that alone decides. */
export type ExemptArgs = RegExp | readonly string[] | ((name: string, value: string) => boolean) | undefined;

/** Args that something is added with, as text; a list of texts where one was given. */
type GivenArgs = Readonly<Record<string, string | readonly string[]>>;

/** Which lists something belongs in: those of whose args each that filters is as text among these. Plain data. */
export interface Membership {
  /** The path of the lists. Those that belong to no path are meant too, where they have one of these args. */
  readonly path: string | undefined;
  readonly args: readonly GivenArgs[];
  readonly exempt: RegExp | readonly string[] | undefined;
  /** Fields of the members that are named like an arg for paging: such an arg filters. */
  readonly fields: readonly string[];
}

/** The same where a function may decide. */
type AnyMembership = Omit<Membership, 'exempt'> & { readonly exempt: ExemptArgs };

/** Whether something belongs in the list with these args. */
export function belongsIn(
  list: CollectionArgs,
  where: AnyMembership | ((list: CollectionArgs) => boolean),
): boolean {
  return typeof where === 'function'
    ? where(list)
    : unmatched(list, where).length === 0 && isTied(list, where);
}

/** Whether a list is of the path, or has at least one of the args: otherwise nothing connects the two. */
function isTied(list: CollectionArgs, { path, args }: AnyMembership): boolean {
  const own = pathOf(list);
  if (own === path) return true;
  return own === undefined && Object.entries(list).some(([name, text]) => isGiven(name, text, args));
}

/** The args of a list that keep something out of it. */
export function unmatched(list: CollectionArgs, { args, exempt, fields }: AnyMembership): readonly string[] {
  return Object.entries(list)
    .filter(
      ([name, text]) =>
        name !== PATH &&
        text !== NO_TEXTS &&
        !isGiven(name, text, args) &&
        !isExempt(name, text, exempt, fields),
    )
    .map(([name]) => name);
}

/** Whether an arg does not decide membership. */
export function isExempt(
  name: string,
  value: string,
  exempt: ExemptArgs,
  fields: readonly string[],
): boolean {
  if (typeof exempt === 'function') return exempt(name, value);
  // `test` of a pattern with the flag g goes on where it last ended.
  if (exempt instanceof RegExp ? name.search(exempt) >= 0 : exempt?.includes(name)) return true;
  return !fields.includes(name) && isNoFilter(name, value);
}

/**
 * Whether an arg of a list is among given ones: as the same text, as one of a given list (`?label=bug` holds what is
 * labelled `['bug', 'ui']`), or, where the list's arg is a list, as one that names the given text or as several that
 * the given list has all.
 */
function isGiven(name: string, text: string, args: readonly GivenArgs[]): boolean {
  return args.some((given) => {
    if (!Object.hasOwn(given, name)) return false;
    const value = given[name] as string | readonly string[]; // an own member
    if (value === text) return true;
    const wanted = textsIn(text);
    if (typeof value === 'string') return wanted?.includes(value) ?? false;
    return (wanted ?? [text]).every((one) => value.includes(one));
  });
}

/** The texts of a list that was written as JSON; undefined for anything else. */
function textsIn(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((member) => argText(member) ?? '') : undefined;
  } catch {
    return undefined; // a text that begins like a list
  }
}

/** What is given, as text: the members of an object, or the fields of a form. */
export function givenTexts(given: unknown): GivenArgs {
  return textsOf(isForm(given) ? formFields(given) : given, (value) =>
    Array.isArray(value) ? value.map((member) => argText(member) ?? '') : argText(value),
  );
}

/** What an arg says, as text. */
function argTexts(given: unknown): CollectionArgs {
  return textsOf(given, argText);
}

function isForm(given: unknown): given is FormData | URLSearchParams {
  return given instanceof FormData || given instanceof URLSearchParams;
}

/** The values of each field, as a list where there are several. */
function formFields(form: FormData | URLSearchParams): Readonly<Record<string, unknown>> {
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

function textsOf<T>(given: unknown, textOf: (value: unknown) => T | undefined): Readonly<Record<string, T>> {
  if (typeof given !== 'object' || given === null) return {};
  const texts: [string, T][] = [];
  for (const [name, value] of Object.entries(given)) {
    const text = textOf(value);
    if (text !== undefined) texts.push([name, text]);
  }
  return Object.fromEntries(texts);
}

/** How an arg is compared: numbers, booleans and dates as text, lists and objects as JSON. */
function argText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  const json: unknown = JSON.stringify(value);
  if (typeof json !== 'string') return undefined;
  return value instanceof Date ? json.slice(1, -1) : json;
}
