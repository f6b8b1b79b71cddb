/** What a network says that wants its users to sign in first (RFC 6585, section 6). */
const NETWORK_AUTHENTICATION_REQUIRED = 511;

/** Whether a response says that it is of a captive portal. */
export function isPortal({ status }: Response): boolean {
  return status === NETWORK_AUTHENTICATION_REQUIRED;
}

/** Whether a redirect led to another origin. */
export function isSentElsewhere(url: string, response: Response): boolean {
  return response.redirected && absolute(url).origin !== absolute(response.url).origin;
}

/** Whether a URL is of another origin than the page; false where there is no page. */
export function isOtherOrigin(url: string): boolean {
  return typeof location !== 'undefined' && absolute(url).origin !== location.origin;
}

function absolute(url: string): URL {
  return new URL(url, typeof location === 'undefined' ? undefined : location.href);
}
