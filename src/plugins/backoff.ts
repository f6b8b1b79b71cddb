/** How delays grow, in ms. */
export interface BackoffOptions {
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
