import { HoldfastError } from '../util/errors.ts';
import { errorStatus, isUnanswered } from '../util/errorStatus.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { EndpointError } from '../endpoint/EndpointOptions.ts';
import type { Meta } from '../schema/Meta.ts';
import type { StoredResult } from './State.ts';

/** How much a read may trust what it has. */
export const ExpiryStatus = {
  /** There is nothing to show: a read fetches and waits. */
  Invalid: 1,
  /** There is something, but it is stale and the endpoint does not want stale data shown. */
  InvalidIfStale: 2,
  /** There is something to show, fresh or stale. */
  Valid: 3,
} as const;

/** One of the constants. */
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];

/** Default freshness of data, in ms. */
export const DATA_EXPIRY_LENGTH = 60_000;

/** Default time for which an error is kept before a read may try again, in ms. */
export const ERROR_EXPIRY_LENGTH = 1_000;

/** Whether what expires at `expiresAt` (ms since the epoch) is stale at `now`. */
export function isStale(expiresAt: number, now: number): boolean {
  // Also if it is `NaN`, because a setting is missing.
  return !(expiresAt > now);
}

/**
 * When something becomes stale, in ms since the epoch. Returns 0 for a value from the future: the clock was ahead
 * when it arrived, so its expiry cannot be trusted. `Infinity` does not depend on a clock.
 */
export function freshUntil({ receivedAt, expiresAt }: Meta, now: number): number {
  return receivedAt > now && expiresAt < Infinity ? 0 : Math.max(0, expiresAt);
}

/** The error that a result gives its readers: to all of them (`hard`), or only to those without data (`soft`). */
interface ResultError {
  readonly error: unknown;
  readonly policy: 'soft' | 'hard';
}

/** The error of a result, and whether data may be shown despite it. */
export function errorOf(
  result: Pick<StoredResult, 'error'> | undefined,
  endpoint: EndpointInterface,
): ResultError | undefined {
  if (result?.error === undefined) return undefined;
  return {
    error: result.error,
    policy: endpoint.errorPolicy?.(result.error as EndpointError) ?? defaultPolicy(result.error),
  };
}

/**
 * A rejection speaks against the data. An unreachable or failing API, or a malformed response, says nothing about it,
 * and a 304 says that it is current.
 */
function defaultPolicy(error: unknown): 'soft' | 'hard' {
  const status = errorStatus(error);
  const isRejection =
    status === undefined ? !(error instanceof HoldfastError) : status >= 400 && status < 500;
  return isRejection && !isUnanswered(error) ? 'hard' : 'soft';
}
