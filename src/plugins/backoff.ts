/** How waits grow, in ms. */
export interface Waits {
  readonly first: number;
  readonly longest: number;
}

/**
 * How long to wait after the attempt of this number, from 1, in ms: twice as long each time, less up to a half by
 * chance, so that a server that comes back is not asked by everybody at once.
 *
 * @param random - from 0 to 1
 */
export function backoff(attempt: number, { first, longest }: Waits, random: number): number {
  return Math.min(first * 2 ** (attempt - 1), longest) * (1 - random / 2);
}
