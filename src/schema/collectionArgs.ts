/** The args that tell collections of one kind apart, as text. */
export type CollectionArgs = Readonly<Record<string, string>>;

/** The pk of a collection: its args as JSON, sorted, those that are undefined left out. */
export function collectionPk(args: object): string {
  const entries = Object.entries(argTexts(args)).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

/** The args that a pk was made of. */
export function collectionArgs(pk: string): CollectionArgs {
  return JSON.parse(pk) as CollectionArgs; // made by collectionPk
}

/** Args that do not decide membership, by name. */
export type ExemptArgs = RegExp | readonly string[] | ((name: string) => boolean) | undefined;

/** Which lists something belongs in: those of whose args each that counts is as text among these. Plain data. */
export interface Membership {
  readonly args: readonly CollectionArgs[];
  readonly exempt: RegExp | readonly string[] | undefined;
}

/** The membership of what is added with these args. */
export function membershipOf(given: readonly unknown[], exempt: Membership['exempt']): Membership {
  return { args: given.map(argTexts), exempt };
}

/** Whether something belongs in the list with these args. */
export function belongsIn(
  list: CollectionArgs,
  where: Membership | ((list: CollectionArgs) => boolean),
): boolean {
  return typeof where === 'function' ? where(list) : matchesArgs(list, where.args, where.exempt);
}

/** Whether each of a collection's args that counts stands as text in one of some objects. */
export function matchesArgs(
  stored: CollectionArgs,
  given: readonly CollectionArgs[],
  exempt: ExemptArgs,
): boolean {
  return Object.entries(stored).every(
    ([name, text]) =>
      isExempt(name, exempt) || given.some((args) => Object.hasOwn(args, name) && args[name] === text),
  );
}

function isExempt(name: string, exempt: ExemptArgs): boolean {
  if (exempt === undefined) return name.startsWith('order');
  if (typeof exempt === 'function') return exempt(name);
  return exempt instanceof RegExp ? exempt.test(name) : exempt.includes(name);
}

/** What an arg says, as text. */
export function argTexts(given: unknown): CollectionArgs {
  if (typeof given !== 'object' || given === null) return {};
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    const text = argText(value);
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
