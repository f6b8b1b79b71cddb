import { HoldfastError } from '../util/errors.ts';
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
  return expiresAt <= now;
}

/**
 * When something becomes stale, in ms since the epoch. Returns 0 for a value from the future: the clock was ahead
 * when it arrived, so its expiry cannot be trusted. `Infinity` does not depend on a clock.
 */
export function freshUntil({ receivedAt, expiresAt }: Meta, now: number): number {
  return receivedAt > now && expiresAt < Infinity ? 0 : expiresAt;
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

/** The members of an error that say what became of a request, whichever HTTP client has thrown it. */
interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown } | null;
  readonly cause?: unknown;
  readonly isFromApi?: unknown;
}

/** Codes of axios, and of Node, for a request without a response. */
const NO_RESPONSE = /^(?:ERR_NETWORK|ECONN|ETIMEDOUT)/;

/**
 * Whether the API did not respond: there was no connection, or an HTML page came instead. Without a connection,
 * `fetch` itself throws a `TypeError`.
 */
export function isUnanswered(error: unknown): boolean {
  return (
    errorStatus(error) === 0 ||
    layersOf(error).some(({ name, isFromApi }) => name === 'TypeError' || isFromApi === false)
  );
}

/**
 * The HTTP status of an error of any HTTP client: its `status`, or that of its `response` or `cause`; 0 if there was no
 * connection, undefined if it has none.
 *
 * @example
 * logout({ when: (error) => [401, 419].includes(errorStatus(error) ?? 0) });
 */
export function errorStatus(error: unknown): number | undefined {
  return layersOf(error).flatMap(ownStatus)[0];
}

function ownStatus({ status, response, code }: ClientError): number | readonly [] {
  const found = status ?? response?.status;
  if (typeof found === 'number') return found;
  return NO_RESPONSE.test(code as string) ? 0 : []; // `test` makes it a text
}

/**
 * An error and what it wraps. Those of this library say themselves what has failed: the cause may be of another
 * request.
 */
function layersOf(error: unknown): readonly ClientError[] {
  const outer = Object(error) as ClientError; // read by name
  return String(outer.code).startsWith('HF_') ? [outer] : [outer, Object(outer.cause) as ClientError];
}
