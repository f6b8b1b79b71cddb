import { HoldfastError } from '../util/errors.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { EndpointError } from '../endpoint/EndpointOptions.ts';
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
  return expiresAt <= now;
}

/** The error that a result gives its readers: all of them, or only those without data. */
export interface ResultError {
  readonly error: unknown;
  readonly policy: 'soft' | 'hard';
}

/** The error of a result, and whether data may be shown in spite of it. */
export function errorOf(
  result: StoredResult | undefined,
  endpoint: EndpointInterface,
): ResultError | undefined {
  if (result?.error === undefined) return undefined;
  return {
    error: result.error,
    policy: endpoint.errorPolicy?.(result.error as EndpointError) ?? defaultPolicy(result.error),
  };
}

/** Being offline, the server's own trouble and another reader's schema say nothing about the data; other errors do. */
function defaultPolicy(error: unknown): 'soft' | 'hard' {
  if (error instanceof HoldfastError && error.code === 'HF_TWO_SCHEMAS') return 'soft';
  const status = errorStatus(error);
  return status === 0 || (status !== undefined && status >= 500) ? 'soft' : 'hard';
}

/** The HTTP status of an error, where it has one; 0 when there was no connection. */
export function errorStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status } = error as { readonly status?: unknown }; // read by name
  return typeof status === 'number' ? status : undefined;
}
