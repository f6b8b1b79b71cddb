import { isNoFilter } from './nonFilterArguments.ts';

/** The args that identify a collection, as text. Those of a stored list may contain a `PATH` as well. */
export type CollectionArgs = Readonly<Record<string, string>>;

/** The name under which the args of a list contain its path. No argument of a URL has this name. */
const PATH = '';

/** An empty list, which does not appear in a URL. */
const NO_TEXTS = '[]';

/**
 * The pk of a collection: its args as JSON, sorted, without undefined ones.
 *
 * @param path - of the endpoint that the list belongs to; undefined where the args alone identify it
 */
export function collectionPk(args: object, path?: string): string {
  const texts = { ...argTexts(args), ...(path !== undefined && { [PATH]: path }) };
  const entries = Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

/** Whether a table contains collections: they are named after their members, as in `[Article]`. */
export function isListTable(name: string): boolean {
  return name.startsWith('[') || name.startsWith('{');
}

/** The args that a pk was made of, including its path; none if a subclass has made another pk. */
export function collectionArgs(pk: string): CollectionArgs {
  return pk.startsWith('{') ? (JSON.parse(pk) as CollectionArgs) : {}; // made by collectionPk
}

/** The path in the args of a stored list; undefined where the args alone identify it. */
export function pathOf(list: CollectionArgs): string | undefined {
  return Object.hasOwn(list, PATH) ? list[PATH] : undefined;
}

/** The args of a stored list without its path. */
export function withoutPath({ [PATH]: _path, ...args }: CollectionArgs): CollectionArgs {
  return args;
}

/** Args that do not affect membership: names in addition to the usual ones, or a function that decides alone. */
export type ExemptArgs = RegExp | readonly string[] | ((name: string, value: string) => boolean) | undefined;

/** The args of an addition, as text; a list of texts where a list was given. */
type GivenArgs = Readonly<Record<string, string | readonly string[]>>;

/** Which lists a value belongs to: those whose filter args all appear, as text, among these. Plain data. */
export interface Membership {
  /** The path of the lists. Lists that belong to no path match too, if they have one of these args. */
  readonly path: string | undefined;
  readonly args: readonly GivenArgs[];
  readonly exempt: RegExp | readonly string[] | undefined;
  /** Args that filter, although they may have the name of a pagination arg. */
  readonly fields: readonly string[];
}

/** The same where a function may decide. */
type AnyMembership = Omit<Membership, 'exempt'> & { readonly exempt: ExemptArgs };

/** Which lists a value belongs to, as data or as decided by a function. */
type Where = AnyMembership | ((list: CollectionArgs) => boolean);

/** Whether a member belongs to the list with these args. */
export function belongsIn(list: CollectionArgs, where: Where): boolean {
  return typeof where === 'function'
    ? where(list)
    : unmatched(list, where).length === 0 && isTied(list, where);
}

/** Whether a change is meant for the list with these args. */
export function isMeantFor(
  list: CollectionArgs,
  { where, except }: { readonly where: Where; readonly except?: Where | undefined },
): boolean {
  return belongsIn(list, where) && (except === undefined || !belongsIn(list, except));
}

/** Whether a list has the path, or at least one of the args: otherwise the two are unrelated. */
function isTied(list: CollectionArgs, { path, args }: AnyMembership): boolean {
  const own = pathOf(list);
  if (own === path) return true;
  return own === undefined && Object.entries(list).some(([name, text]) => isGiven(name, text, args));
}

/** The args of a list that exclude a member. */
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

/** Whether an arg does not affect membership. */
export function isExempt(
  name: string,
  value: string,
  exempt: ExemptArgs,
  fields: readonly string[],
): boolean {
  if (typeof exempt === 'function') return exempt(name, value);
  // `test` of a pattern with the flag g continues where it last stopped.
  if (exempt instanceof RegExp ? name.search(exempt) >= 0 : exempt?.includes(name)) return true;
  return !fields.includes(name) && isNoFilter(name, value);
}

/**
 * Whether an arg of a list matches the given ones: as the same text, as one of a given list (`?label=bug` contains a
 * member labelled `['bug', 'ui']`), or, if the list's arg is a list, by containing the given text or by containing
 * only given texts.
 */
function isGiven(name: string, text: string, args: readonly GivenArgs[]): boolean {
  return args.some((given) => {
    if (!Object.hasOwn(given, name)) return false;
    const value = given[name] as string | readonly string[]; // an own property
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
    return undefined; // a text that starts like a list
  }
}

/** The given args as text: the members of an object, or the fields of a form. */
export function givenTexts(given: unknown): GivenArgs {
  return textsOf(isForm(given) ? formFields(given) : given, (value) =>
    Array.isArray(value) ? value.map((member) => argText(member) ?? '') : argText(value),
  );
}

/** The text of an arg. */
function argTexts(given: unknown): CollectionArgs {
  return textsOf(given, argText);
}

/** Whether a value is the body of a form. By tag: in tests and frames these classes exist several times. */
export function isForm(value: unknown): value is FormData | URLSearchParams {
  return /\[object (?:FormData|URLSearchParams)\]/.test(Object.prototype.toString.call(value));
}

/** The values of each field, as a list if there are several. */
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

/** The form in which args are compared: numbers, booleans and dates as in a URL, lists and objects as JSON. */
function argText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  const json: unknown = JSON.stringify(value);
  if (typeof json !== 'string') return undefined;
  return json.startsWith('"') ? (JSON.parse(json) as string) : json; // a date, or another value with toJSON()
}
