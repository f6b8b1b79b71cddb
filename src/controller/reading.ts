import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { errorOf, ExpiryStatus, isStale } from '../store/expiry.ts';
import type { Core } from './Core.ts';

/** What a read has, apart from whether it is stale by now. */
export interface Reading {
  /** The joined data; `MISSING` when there is nothing to show. */
  readonly data: unknown;
  /** The error that a reader is to throw, where there is one. */
  readonly error: unknown;
}

/** What an endpoint's key reads as. */
export function readEndpoint(
  core: Core,
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
): Reading {
  const schema = endpoint.schema;
  const result = core.store.head.results.get(key);
  const data = core.views.result(key, schema, args);
  const failed = errorOf(result, endpoint);
  if (failed === undefined) return { data, error: undefined };
  return data !== MISSING && failed.policy === 'soft'
    ? { data, error: undefined }
    : { data: MISSING, error: failed.error };
}

/** When what a key has becomes stale, in ms since the epoch; 0 when there is nothing. */
export function expiryOf(
  core: Core,
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
): number {
  const result = core.store.head.results.get(key);
  if (result !== undefined) return result.meta.expiresAt;
  const schema = endpoint.schema;
  return core.views.result(key, schema, args) === MISSING ? 0 : core.views.earliestExpiry(key, schema, args);
}

/** How much a reading may be trusted at this moment. */
export function statusOf(
  core: Core,
  endpoint: EndpointInterface,
  reading: Reading,
  expiresAt: number,
): ExpiryStatus {
  if (reading.data === MISSING) return ExpiryStatus.Invalid;
  if (endpoint.invalidIfStale === true && isStale(expiresAt, core.now())) return ExpiryStatus.InvalidIfStale;
  return ExpiryStatus.Valid;
}
