/**
 * JSON with sorted keys, so that equal values give equal text. Members that are undefined are left out; bigints,
 * dates and numbers that JSON lacks are told apart.
 */
export function stableJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol'
      ? `"${typeof value}"`
      : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (hasToJson(value)) return stableJson(value.toJSON());
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${stableJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Whether a value says itself what it is in JSON, as dates do. */
export function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
