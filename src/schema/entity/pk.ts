/** Converts the result of `pk()` to a key; `undefined` if there is none. `1` and `'1'` are the same key. */
export function toPk(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value === '' || value === 'undefined' || value === 'NaN' ? undefined : value;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : String(value);
  return typeof value === 'bigint' ? String(value) : undefined;
}
