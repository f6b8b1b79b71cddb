/** The first wait and the longest, in ms. */
const FIRST = 1_000;
const LONGEST = 300_000;

/**
 * How long to wait before the next attempt, in ms: twice as long each time, up to five minutes, half of it by chance,
 * so that a server that comes back is not asked by everybody at once.
 *
 * @param attempts - how many have failed
 * @param random - from 0 up to 1
 */
export function backoff(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST, FIRST * 2 ** (attempts - 1));
  return longest / 2 + (random() * longest) / 2;
}
