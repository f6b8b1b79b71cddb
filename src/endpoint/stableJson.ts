/**
 * JSON with sorted keys, so that equal values give equal text. Members that are undefined are left out; bigints,
 * dates and numbers that JSON lacks are told apart.
 */
export function stableJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? `"${typeof value}"`;
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (hasToJson(value)) return stableJson(value.toJSON());
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${stableJson(member)}`);
  return `{${members.join(',')}}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
