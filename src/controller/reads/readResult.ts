import { isEndpoint, type EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { isEntity, isSchemaObject } from '../../schema/isEntity.ts';
import { checkArgs } from '../checks/checkArgs.ts';
import type { Read } from '../plugins/Plugin.ts';
import { MISSING } from '../../schema/missing.ts';
import type { Schema } from '../../schema/Schema.ts';
import { errorOf, freshUntil } from '../../store/expiry.ts';
import type { State } from '../../store/State.ts';
import { earliestExpiry } from '../../views/descendants.ts';
import type { Node } from '../../views/Node.ts';
import type { Views } from '../../views/Views.ts';
import { describe, HoldfastError } from '../../util/errors.ts';

/** The data or error of a read, stale or not. */
export interface ReadResult {
  /** The denormalized data; `MISSING` if there is none to show. */
  readonly data: unknown;
  /** The error to throw, if any. */
  readonly error: unknown;
}

/** A state and its views. */
export interface ReadSource {
  readonly store: { readonly head: State };
  readonly views: Views;
}

/** What decides whether data is stale. */
export interface ExpirySource extends ReadSource {
  readonly now: () => number;
  readonly reads: { expiredThrough(key: string): number };
  readonly plugins: { holds(key: string): boolean };
}

/**
 * The data or error of an endpoint's key.
 *
 * @param node - of its result, if the caller has it
 */
export function readEndpoint(
  source: ReadSource,
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
  node: Node = source.views.resultNode(key, endpoint.schema, args),
): ReadResult {
  const result = source.store.head.results.get(key);
  const data = source.views.read(node);
  const failed = errorOf(result, endpoint);
  if (failed === undefined) return { data, error: undefined };
  return data !== MISSING && failed.policy === 'soft'
    ? { data, error: undefined }
    : { data: MISSING, error: failed.error };
}

/**
 * The read of an endpoint and args. An endpoint made by `bind` gives the read of its original endpoint.
 *
 * @param known - the endpoint's key for these args, if the caller has it
 */
export function readOf(endpoint: EndpointInterface, args: readonly unknown[], known?: string): Read {
  if (process.env.NODE_ENV !== 'production') assertEndpoint(endpoint);
  const key = known ?? endpoint.key(...args);
  const { bound } = endpoint;
  return bound === undefined
    ? { endpoint, args, key }
    : readOf(bound.endpoint, [...bound.args, ...args], key);
}

/** Whether null args turn this read off: no fetch, no data, no suspension. */
export function isNullRead(args: readonly unknown[]): boolean {
  return args[0] === null;
}

/**
 * When the data of a key becomes stale, in ms since the epoch; 0 if there is none.
 *
 * @param node - of its result, if the caller has it
 */
export function expiryOf(
  source: ExpirySource,
  endpoint: EndpointInterface,
  key: string,
  args: readonly unknown[],
  node?: Node,
): number {
  const result = source.store.head.results.get(key);
  if (result !== undefined) return freshUntil(result.meta, source.now());
  // It may be invalid on disk, although there are rows to show.
  if (source.plugins.holds(key)) return 0;
  return rowExpiry(source, key, node ?? source.views.resultNode(key, endpoint.schema, args));
}

/** When the rows that serve a read without a result become stale; 0 if there are none. */
export function rowExpiry(source: ExpirySource, key: string, node: Node): number {
  const now = source.now();
  return source.views.inspect(node, (root, state, walk) =>
    earliestExpiry(root, state, walk, now, source.reads.expiredThrough(key)),
  );
}

/** The result of a query of the stored rows; undefined if there is none. */
export function readQueryable(views: Views, queryable: Schema, args: readonly unknown[]): unknown {
  let data: unknown;
  if (process.env.NODE_ENV !== 'production') checkQuery(views, queryable, args);
  if (isEntity(queryable)) {
    const pk = queryable.queryKey(args, views);
    data = pk === undefined ? MISSING : views.entity(queryable, pk, args);
  } else {
    data = views.query(queryable, args);
  }
  return data === MISSING ? undefined : data;
}

/**
 * Called in development only: JavaScript, and a module of an import cycle, pass anything.
 *
 * @throws HoldfastError `HF_NOT_QUERYABLE`
 */
export function assertEndpoint(value: unknown): asserts value is EndpointInterface {
  // An endpoint of the app's own may lack what is only needed to find its results.
  if (typeof value === 'function' && 'key' in value && typeof value.key === 'function') return;
  const what = typeof value === 'function' && value.name !== '' ? value.name : describe(value);
  throw new HoldfastError(
    'HF_NOT_QUERYABLE',
    `${what} is not an endpoint; pass a member of a resource, such as ArticleResource.get, or a new Endpoint(fn, { name })`,
  );
}

/**
 * Called in development only: JavaScript accepts anything in place of a schema. TypeScript accepts a plain function, since
 * converters are schemas, too. Warns of args that form no key.
 *
 * @param owner - receives the warning once
 * @throws HoldfastError `HF_NOT_QUERYABLE`
 */
export function checkQuery(owner: object, queryable: Schema, args: readonly unknown[]): void {
  if (isEntity(queryable)) return;
  if (typeof queryable === 'object' && queryable !== null) {
    const isSchema = isSchemaObject(queryable);
    if (isSchema || !Object.values(queryable).some(isEndpoint)) {
      checkArgs(owner, isSchema ? queryable.constructor.name : 'a schema', args);
      return;
    }
  }
  assertEndpoint(queryable);
  throw new HoldfastError(
    'HF_NOT_QUERYABLE',
    `${queryable.name} is an endpoint, but an entity class or another schema is required; use getResponse(), useCache() or useSuspense()`,
  );
}
