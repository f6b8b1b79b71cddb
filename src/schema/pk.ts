/** Turns what a `pk()` returned into a key; `undefined` when there is none. `1` and `'1'` are the same key. */
export function toPk(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value === '' || value === 'undefined' || value === 'NaN' ? undefined : value;
  if (value === undefined || value === null) return undefined;
  const pk = `${value as number}`; // pk() is typed to give a number here; anything else is stringified all the same
  return pk === 'NaN' || pk === '' ? undefined : pk;
}
