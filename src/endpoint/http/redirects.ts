import { isSamePathElsewhere } from '../url/origins.ts';

/** Values of responses that may be those of a GET, although a POST was called. */
const doubtful = new WeakSet<object>();

/**
 * Remembers the value of a POST that was redirected to the same path at another URL, as to `/tasks/` or to HTTPS: after a
 * 301 or 302, browsers send GET there (Fetch, "HTTP-redirect fetch", step 11), so the server may have executed nothing.
 * After a 307 or 308 it has. The response does not show which it was, but whether it contains what was to be created.
 */
export function markRedirected(method: string, url: string, response: Response, value: unknown): void {
  const isDoubtful = method === 'POST' && response.status === 200 && isSamePathElsewhere(url, response);
  if (isDoubtful && typeof value === 'object' && value !== null) doubtful.add(value);
}

/** Whether a value may be the response to a GET that a POST became by a redirect. */
export function mayBeRedirectedPost(value: unknown): boolean {
  return typeof value === 'object' && value !== null && doubtful.has(value);
}
