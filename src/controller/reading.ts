import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { Read } from './Plugin.ts';
import { MISSING } from '../schema/missing.ts';
import type { Schema } from '../schema/Schema.ts';
import { errorOf, ExpiryStatus, freshUntil, isStale } from '../store/expiry.ts';
import type { State } from '../store/State.ts';
import { earliestExpiry } from '../views/earliestExpiry.ts';
import type { Views } from '../views/Views.ts';
import { HoldfastError } from '../util/errors.ts';

/** What a read has, apart from whether it is stale by now. */
export interface Reading {
  /** The joined data; `MISSING` when there is nothing to show. */
  readonly data: unknown;
  /** The error that a reader is to throw, where there is one. */
  readonly error: unknown;
}

/** A state, and what is joined from it. */
export interface Source {
  readonly store: { readonly head: State };
  readonly views: Views;
}

/** What an endpoint's key reads as. */
export function readEndpoint(
  source: Source,
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
): Reading {
  const schema = endpoint.schema;
  const result = source.store.head.results.get(key);
  const data = source.views.result(key, schema, args);
  const failed = errorOf(result, endpoint);
  if (failed === undefined) return { data, error: undefined };
  return data !== MISSING && failed.policy === 'soft'
    ? { data, error: undefined }
    : { data: MISSING, error: failed.error };
}

/** The read that an endpoint and args name: with an endpoint made by `bind`, that of the endpoint it was made of. */
export function readOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string = endpoint.key(...args),
): Read {
  const { bound } = endpoint;
  return bound === undefined
    ? { endpoint, args, key }
    : readOf(bound.endpoint, [...bound.args, ...args], key);
}

/** When what a key has becomes stale, in ms since the epoch; 0 when there is nothing. */
export function expiryOf(
  source: Source & { now(): number },
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
): number {
  const result = source.store.head.results.get(key);
  const now = source.now();
  return result === undefined
    ? source.views.look(key, endpoint.schema, args, (root, state) => earliestExpiry(root, state, now))
    : freshUntil(result.meta, now);
}

/** How much a reading may be trusted at this moment. When it becomes stale is asked only where that counts. */
export function statusOf(
  clock: { now(): number },
  endpoint: EndpointInterface,
  reading: Reading,
  expiresAt: () => number,
): ExpiryStatus {
  if (reading.data === MISSING) return ExpiryStatus.Invalid;
  if (endpoint.invalidIfStale === true && isStale(expiresAt(), clock.now()))
    return ExpiryStatus.InvalidIfStale;
  return ExpiryStatus.Valid;
}

/** What args ask of the rows by a schema; undefined when there is nothing to show. */
export function readQueryable(views: Views, queryable: Schema, args: readonly unknown[]): unknown {
  let data: unknown;
  if (process.env.NODE_ENV !== 'production') rejectEndpoint(queryable);
  if (isEntity(queryable)) {
    const pk = queryable.queryKey(args, views);
    data = pk === undefined ? MISSING : views.entity(queryable, pk, args);
  } else {
    data = views.query(queryable, args);
  }
  return data === MISSING ? undefined : data;
}

/** Called in development only: JavaScript lets an endpoint stand where a schema should. */
export function rejectEndpoint(queryable: Schema): void {
  if (typeof queryable === 'function' && 'testKey' in queryable) {
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      `${queryable.name} is an endpoint, given where an entity class or another schema is read; use getResponse(), useCache() or useSuspense()`,
    );
  }
}
