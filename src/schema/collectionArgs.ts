/** The args that tell collections of one kind apart, as text. */
export type CollectionArgs = Readonly<Record<string, string>>;

/** The pk of a collection: its args as JSON, sorted, those that are undefined left out. */
export function collectionPk(args: object): string {
  const entries = Object.entries(args as Readonly<Record<string, unknown>>) // read by own keys
    .map(([name, value]) => [name, argText(value)] as const)
    .filter(([, text]) => text !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

/** The args that a pk was made of. */
export function collectionArgs(pk: string): CollectionArgs {
  return JSON.parse(pk) as CollectionArgs; // made by collectionPk
}

/** Whether each of a collection's args that `counts` stands as text in one of some objects. */
export function matchesArgs(
  stored: CollectionArgs,
  given: readonly unknown[],
  counts: (name: string) => boolean,
): boolean {
  return Object.entries(stored).every(
    ([name, text]) => !counts(name) || given.some((object) => argText(member(object, name)) === text),
  );
}

function member(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name]; // checked: its own
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
