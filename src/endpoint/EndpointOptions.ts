import type { CollectionUpdate, Schema } from '../schema/Schema.ts';
import type { Snapshot } from './Snapshot.ts';

/** What a failed fetch means for data already there: 'soft' keeps it, 'hard' throws, undefined is the default. */
export type ErrorPolicy = 'soft' | 'hard' | undefined;

/** What an endpoint's function may reject with. `status` is the HTTP status; 0 when there was no connection. */
export type EndpointError = Error & { readonly status?: number };

/** A list that a mutation may add to: a `Collection`, a change of one, or an endpoint that has one in its schema. */
export type ListTarget = ListSchema | ListEndpoint;

/** A `Collection`, or a change of one such as its `unshift`. */
interface ListSchema {
  readonly schema?: unknown;
  /** The change that adds what the endpoint's schema has normalized. */
  addition(given: readonly unknown[], args: readonly unknown[]): CollectionUpdate;
}

interface ListEndpoint {
  readonly name: string;
  readonly schema?: Schema;
  testKey(key: string): boolean;
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
  /** How long one attempt of a mutation in the outbox may take, in ms; 0 for any time. Default: the outbox's, 60,000. */
  readonly timeout?: number | undefined;
  /**
   * Whether a mutation renames an entity: its first argument names one, and an answer with another pk says what that is
   * called now. Lists, relations, mounted reads, other tabs and queued mutations follow. Default: with PUT and PATCH to a
   * path that ends with a parameter, as `update` and `partialUpdate` do; nothing else does.
   */
  readonly renames?: boolean | undefined;
  /**
   * Further lists that what a mutation makes is added to: endpoints or collections, of which every stored list takes it
   * up whose args fit. `getFeed.unshift` adds at the beginning.
   *
   * @example
   * const getFeed = ArticleResource.getList.extend({
   *   path: '/articles/feed',
   * });
   * const createArticle = ArticleResource.create.extend({
   *   addsTo: [getFeed.unshift],
   * });
   */
  readonly addsTo?: ListTarget | readonly ListTarget[] | undefined;
  /** The list of the resource that a `create` is of. Set by `createResource`. */
  readonly ownList?: ListTarget | undefined;
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
   * Changes other endpoints' results with each answer of this one: key of a result → function of its old value. All are as
   * they are stored, with pks in place of entities; results that are not cached are skipped. It fetches nothing, so a read
   * may have one, too.
   *
   * @param value - what the answer gave, such as the pk of what a mutation made
   */
  update?(value: unknown, ...args: Args): Readonly<Record<string, (old: never) => unknown>>;
}
