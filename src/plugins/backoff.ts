/** How delays grow, in ms. */
export interface BackoffOptions {
  /** The delay after the first attempt. */
  readonly first: number;
  readonly longest: number;
}

/**
 * The delay after the nth attempt, counting from 1, in ms: doubled each time, less a random part of up to a half, so
 * that clients do not all return to a recovered server at once.
 *
 * @param random - from 0 to 1
 */
export function backoff(attempt: number, { first, longest }: BackoffOptions, random: number): number {
  return Math.min(first * 2 ** (attempt - 1), longest) * (1 - random / 2);
}

/** The longest `Retry-After` that is respected, in ms: a wrong header must not block requests. */
const LONGEST_WAIT = 3_600_000;

/**
 * The `Retry-After` of a response (seconds or a date) in ms from now; 0 if there is none that is usable. A date is of the
 * server's clock, which the response's `Date` has, if scripts can read it; the device's may be wrong by an hour.
 *
 * @param response - of any error; anything without headers has none
 * @param now - in ms since the epoch
 */
export function retryAfter(response: unknown, now: number): number {
  const { headers } = Object(response) as { readonly headers?: Partial<Headers> }; // read by name
  const header = headers?.get?.('Retry-After')?.trim();
  if (!header) return 0;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds)
    ? Date.parse(header) - (Date.parse(headers?.get?.('Date') ?? '') || now)
    : seconds * 1_000;
  return wait > 0 ? Math.min(wait, LONGEST_WAIT) : 0;
}
