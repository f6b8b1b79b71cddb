import type { CollectionUpdate, Schema } from '../schema/Schema.ts';
import type { Snapshot } from './Snapshot.ts';

/** What a failed fetch means for existing data: 'soft' keeps it, 'hard' throws, undefined is the default. */
export type ErrorPolicy = 'soft' | 'hard' | undefined;

/** The rejection of an endpoint's function. `status` is the HTTP status; 0 if there was no connection. */
export type EndpointError = Error & { readonly status?: number };

/** A list that a mutation may append to: a `Collection`, a change of one, or an endpoint with one in its schema. */
export type ListTarget = ListSchema | ListEndpoint;

/** A `Collection`, or a change of one such as its `unshift`. */
interface ListSchema {
  readonly schema?: unknown;
  /** The changes that add what a mutation has created, normalized by the endpoint's schema. */
  additions(schema: Schema, result: unknown, args: readonly unknown[]): readonly CollectionUpdate[];
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
  /**
   * Names the endpoint in errors and tools, and starts the default key. Minifiers rename functions, so set it for every
   * `Endpoint`. Default: the name of the function.
   */
  readonly name?: string | undefined;
  /** The schema of the response. */
  readonly schema?: Schema;
  /**
   * Whether calling it changes data on the server. Mutations are never cached or shared. Default: false; of a
   * `RestEndpoint`, true for any method except GET and HEAD.
   */
  readonly sideEffect?: boolean | undefined;
  /** How long a result stays fresh, in ms; `Infinity` means forever. Default: the controller's, 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error is kept before the request is retried, in ms. Default: the controller's, 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** True: stale data is not shown; a read suspends instead. Default: false. */
  readonly invalidIfStale?: boolean | undefined;
  /** How often a subscription fetches, in ms. Default: never. */
  readonly pollFrequency?: number | undefined;
  /**
   * How long one attempt of a mutation in the outbox may take, in ms; 0 means no limit. Default: the outbox's,
   * 60,000.
   */
  readonly timeout?: number | undefined;
  /**
   * Whether a mutation may rename an entity: its first argument identifies one, and a response with another pk
   * contains the new pk. Lists, relations, mounted reads, other tabs and queued mutations follow. Default: true for
   * PUT and PATCH to a path that ends with a parameter, as `update` and `partialUpdate` do; otherwise false.
   */
  readonly renames?: boolean | undefined;
  /**
   * Further lists that created entities are appended to: endpoints or collections, of which every stored list is
   * changed whose args match. `getFeed.unshift` prepends.
   *
   * @example
   * const getFeed = ArticleResource.getList.extend({
   *   path: '/articles/feed',
   * });
   * const createArticle = ArticleResource.create.extend({
   *   appendTo: [getFeed.unshift],
   * });
   */
  readonly appendTo?: ListTarget | readonly ListTarget[] | undefined;
  /** The list of the resource that a `create` belongs to. Set by `createResource`. */
  readonly ownList?: ListTarget | undefined;
  /** Any data of your own; Holdfast does not read it. */
  readonly extra?: unknown;
  /** Identifies a result: calls with equal keys share it. Default: method and URL; of an `Endpoint`, name and args. */
  key?(...args: Args): string;
  /** Whether a key belongs to this endpoint. Set it if you set `key`: the default expects the default key. */
  testKey?(key: string): boolean;
  /**
   * What a failed fetch means for existing data: 'soft' keeps it on screen, 'hard' throws. Default: soft without a
   * connection, for 3xx and 5xx, and for responses of another shape; hard for other statuses.
   */
  errorPolicy?(error: EndpointError): ErrorPolicy;
  /** The response to show until the server's arrives. May throw `snapshot.abort` for none. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Args): unknown;
  /**
   * Updates other endpoints' results with each response of this one: key of a result → function of its old value. All
   * values are as stored, with pks in place of entities; results that are not cached are skipped. It fetches nothing,
   * so a read may have one, too.
   *
   * @param value - the normalized response, such as the pk of a created entity
   */
  update?(value: unknown, ...args: Args): Readonly<Record<string, (old: never) => unknown>>;
}
