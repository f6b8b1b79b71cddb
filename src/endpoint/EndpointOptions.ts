import type { CollectionUpdate, Schema } from '../schema/Schema.ts';
import type { Snapshot } from './Snapshot.ts';

/** What a failed fetch means for data already there: 'soft' keeps it, 'hard' throws, undefined is the default. */
export type ErrorPolicy = 'soft' | 'hard' | undefined;

/** What an endpoint's function may reject with. `status` is the HTTP status; 0 when there was no connection. */
export type EndpointError = Error & { readonly status?: number };

/** Where what a mutation makes is added: a `Collection`. */
export interface AddsTo {
  /** The change that adds what the endpoint's schema has normalized. */
  addition(given: unknown, args: readonly unknown[]): CollectionUpdate;
}

/**
 * The options of every endpoint. Functions are called with `this` = the endpoint.
 *
 * @typeParam Args - the arguments of the endpoint
 */
export interface EndpointOptions<Args extends readonly unknown[] = readonly unknown[]> {
  /** Names the endpoint in errors and tools, and begins the default key. Default: the name of the function. */
  readonly name?: string | undefined;
  /** The shape of the response. */
  readonly schema?: Schema;
  /** Whether calling it changes something on the server. Mutations are never cached or shared. */
  readonly sideEffect?: boolean | undefined;
  /** How long a result stays fresh, in ms; `Infinity` for ever. Default: the controller's, 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error is kept before it is tried again, in ms. Default: the controller's, 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** True: stale data is not shown; a read suspends instead. */
  readonly invalidIfStale?: boolean | undefined;
  /** How often a subscription fetches again, in ms. */
  readonly pollFrequency?: number | undefined;
  /** The collection that what a mutation answers is added to: every stored one that its args name. */
  readonly addsTo?: AddsTo | undefined;
  /** Anything of your own; Holdfast does not read it. */
  readonly extra?: unknown;
  /** Identifies a result: equal keys share it. */
  key?(...args: Args): string;
  /** Whether a key is one of this endpoint's. */
  testKey?(key: string): boolean;
  /** What a failed fetch means for data already there. */
  errorPolicy?(error: EndpointError): ErrorPolicy;
  /** The response to show until the server's arrives. May throw `snapshot.abort` for none. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Args): unknown;
  /**
   * Changes other endpoints' results with a mutation: key of a result → function of its old value. All are as they are
   * stored, with pks in place of entities; results that are not there are passed over.
   *
   * @param value - what the mutation gave, such as the pk of what it made
   */
  update?(value: unknown, ...args: Args): Readonly<Record<string, (old: never) => unknown>>;
}
