import { entitiesOf } from '../../schema/entitiesOf.ts';
import type { Schema } from '../../schema/Schema.ts';

/**
 * The record in the response of a mutation. If the response has only the pk of what was created, as its body or in its
 * `Location`, the record has that alone; null if there is nothing, as for `true` or `"OK"`.
 *
 * @param body - the parsed body; null if it is empty
 * @param pkField - the field of the pk that the server assigns; undefined if the request creates nothing
 */
export function createdRecord(
  body: unknown,
  response: Response,
  schema: Schema,
  pkField: string | undefined,
): unknown {
  if (typeof body === 'object' && body !== null) return body;
  const [entity, ...others] = entitiesOf(schema);
  const pk = isPk(body, response) ? body : pkInLocation(response);
  if (pkField === undefined || pk === undefined || entity === undefined || others.length > 0) return null;
  const isNumber = typeof entity.defaults[pkField] === 'number' && String(Number(pk)) === pk;
  return { [pkField]: isNumber ? Number(pk) : pk };
}

/**
 * Whether a plain body is a pk, rather than a word such as `OK`, which has no digit, a number of changed rows, or the
 * status.
 */
function isPk(body: unknown, { status }: Response): body is string | number {
  return (
    (typeof body === 'number' || typeof body === 'string') &&
    /^(?![01]$)\S*\d\S*$/.test(String(body)) &&
    String(body) !== String(status)
  );
}

/** The last segment of a `Location` directly below the requested URL (RFC 9110, section 10.2.2). */
function pkInLocation(response: Response): string | undefined {
  const { headers, url } = response as Partial<Response>; // mocks of `fetch` return a part of it
  const [, parent, pk] = /([^/]+)\/([\w.~-]+)\/?$/.exec(headers?.get('location') ?? '') ?? [];
  const [, requested] = /([^/?#]+)\/?(?:[?#].*)?$/.exec(url ?? '') ?? [];
  return parent === requested ? pk : undefined;
}
