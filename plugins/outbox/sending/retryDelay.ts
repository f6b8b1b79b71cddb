import { backoff, type BackoffOptions } from 'holdfast';
import type { Entry } from '../queue/Entry.ts';
import { OUTAGES, type FailureReason } from './classifyFailure.ts';

const BACKOFF: BackoffOptions = { first: 1_000, longest: 300_000 };

/** While the page is visible, a person waits for it. */
const VISIBLE: BackoffOptions = { first: 1_000, longest: 1_500 };

/** While the page is visible, but the server answers other requests. */
const VISIBLE_ALONE: BackoffOptions = { first: 1_000, longest: 30_000 };

/** How many successful requests of others, each followed by another failure, before such requests are ignored. */
export const MAX_FALSE_HINTS = 2;

/** A failed attempt, for the delay after it. */
export interface FailedAttempt {
  readonly reason: FailureReason;
  /** How long it took, in ms. */
  readonly duration: number;
  /** Whether a person waits for it: the page is visible. */
  readonly isWaitedFor: boolean;
}

/**
 * How long an entry waits after a failure, in ms.
 *
 * @param random - returns a number from 0 to 1
 */
export function retryDelay(
  entry: Entry,
  { reason, duration, isWaitedFor }: FailedAttempt,
  random: () => number,
): number {
  const slow = slowDelay(entry, random);
  if (!isWaitedFor || !OUTAGES.has(reason) || entry.contradictions > 0) return slow;
  if (entry.falseHints >= MAX_FALSE_HINTS) return delayOf(entry, VISIBLE_ALONE, random);
  // A long upload must not occupy the connection all the time.
  return Math.max(delayOf(entry, VISIBLE, random), Math.min(duration, slow));
}

/** How long an entry waits while nobody waits for it, in ms. */
export function slowDelay(entry: Entry, random: () => number): number {
  return delayOf(entry, BACKOFF, random);
}

function delayOf({ record }: Entry, options: BackoffOptions, random: () => number): number {
  return backoff(record.attempts + 1, options, 1 - random());
}
