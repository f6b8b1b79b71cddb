import type { EndpointInterface } from '../EndpointInterface.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import { isSamePathElsewhere } from './origins.ts';

/** Values of responses that may be those of a GET, although a POST was called. */
const redirected = new WeakSet<object>();

/** Values of responses to requests that the server has not executed yet. */
const accepted = new WeakSet<object>();

/** The status of a request that the server has accepted, but not executed (RFC 9110, section 15.3.3). */
const ACCEPTED = 202;

/**
 * Remembers what a response shows of whether the server has executed the request.
 *
 * A POST may have been redirected to the same path at another URL, as to `/tasks/` or to HTTPS: after a 301 or 302,
 * browsers send GET there (Fetch, "HTTP-redirect fetch", step 11), so the server may have executed nothing. After a 307
 * or 308 it has. The response does not show which it was, but whether it contains what was to be created. Without a schema
 * it does not show that either.
 */
export function markExecution(
  endpoint: Pick<EndpointInterface, 'name' | 'schema'> & { readonly method: string },
  url: string,
  response: Response,
  value: unknown,
): void {
  const { method, name, schema } = endpoint;
  const isDoubtful = method === 'POST' && response.status === 200 && isSamePathElsewhere(url, response);
  if (process.env.NODE_ENV !== 'production' && isDoubtful && schema === undefined)
    warnOnce(
      endpoint,
      'HF_REDIRECTED',
      `${name} was redirected to ${response.url}: after a redirect with 301 or 302, a POST becomes a GET, so the server has executed nothing; use that URL`,
    );
  if (typeof value !== 'object' || value === null) return;
  if (isDoubtful) redirected.add(value);
  if (response.status === ACCEPTED) accepted.add(value);
}

/** Whether a value may be the response to a GET that a POST became by a redirect. */
export function mayBeRedirectedPost(value: unknown): boolean {
  return redirected.has(value as object); // anything can be looked up
}

/** Whether a value is the response to a request that the server has not executed yet. */
export function isAccepted(value: unknown): boolean {
  return accepted.has(value as object); // anything can be looked up
}
