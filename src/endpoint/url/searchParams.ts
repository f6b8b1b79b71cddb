import { describe, HoldfastError } from '../../util/errors.ts';
import { hasToJson } from '../stableJson.ts';

/** One value of a query-string parameter. */
export type SearchScalar = string | number | bigint | boolean | Date | null | undefined;

/**
 * A value for a query-string parameter. A list repeats the parameter, a date is formatted as ISO 8601, null is empty
 * (`q=`), undefined omits the parameter (or the member of a list).
 */
export type SearchValue = SearchScalar | readonly SearchScalar[];

/**
 * Builds a query string, sorted by name.
 *
 * @example
 * searchParamsToString({ tag: ['b', 'a'], done: false, q: undefined });
 * // 'done=false&tag=b&tag=a'
 * @throws HoldfastError `HF_PATH_PARAMETER` for any other value
 */
export function searchParamsToString(params: Readonly<Record<string, unknown>>, source = 'a URL'): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(params).sort()) {
    const value = params[name];
    for (const member of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (member !== undefined) search.append(name, text(member, name, source));
    }
  }
  // Only forms encode a space as `+`: in other URLs, and so to an OData server, that is a plus sign (RFC 3986).
  return search.toString().replaceAll('+', '%20');
}

function text(value: unknown, name: string, source: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  // Dates, and other classes with toJSON(), such as Temporal's; an invalid Date has no JSON.
  const json = hasToJson(value) ? value.toJSON() : undefined;
  if (typeof json === 'string') return json;
  throw new HoldfastError(
    'HF_PATH_PARAMETER',
    `The parameter \`${name}\` of ${source} is ${describe(value)}; pass strings, numbers, booleans, dates or lists of them, or override searchToString()`,
  );
}
