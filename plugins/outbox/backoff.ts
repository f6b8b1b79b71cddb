/** The first and the longest delay, in ms. */
const FIRST_DELAY = 1_000;
const MAX_DELAY = 300_000;

/**
 * The delay before the next attempt, in ms: doubles each time up to five minutes, half of it random, so that clients
 * do not all return at once.
 *
 * @param attempts - how many have failed
 * @param random - from 0 up to 1
 */
export function backoff(attempts: number, random: () => number): number {
  const longest = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempts - 1));
  return longest / 2 + (random() * longest) / 2;
}
