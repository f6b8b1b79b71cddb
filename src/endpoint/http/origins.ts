/** The status with which a network requires users to sign in first (RFC 6585, section 6). */
const NETWORK_AUTHENTICATION_REQUIRED = 511;

/** Whether a response comes from a captive portal. */
export function isPortal({ status }: Response): boolean {
  return status === NETWORK_AUTHENTICATION_REQUIRED;
}

/** Whether a redirect led to another origin. */
export function isSentElsewhere(url: string, response: Response): boolean {
  return response.redirected && absolute(url).origin !== absolute(response.url).origin;
}

/** Whether a redirect led to another URL with the same path, apart from a slash at its end. */
export function isSamePathElsewhere(url: string, response: Response): boolean {
  if (!response.redirected) return false;
  const [from, to] = [absolute(url), absolute(response.url)];
  return from.href !== to.href && withoutSlash(from.pathname) === withoutSlash(to.pathname);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/** Whether a URL has another origin than the page; false if there is no page. */
export function isOtherOrigin(url: string): boolean {
  // `location.origin` is null in an iframe with `srcdoc`.
  return typeof origin !== 'undefined' && absolute(url).origin !== origin;
}

/** The origin of a URL; undefined if it is none. */
export function originOf(url: string): string | undefined {
  try {
    return absolute(url).origin;
  } catch {
    return undefined;
  }
}

/** Resolves a URL as `fetch` does: `about:srcdoc` and `<base>` have another base than the location. */
function absolute(url: string): URL {
  const { document, location } = globalThis as Partial<typeof globalThis>; // not everywhere all of it
  return new URL(url, document?.baseURI ?? location?.href);
}
