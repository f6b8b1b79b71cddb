import type { ReadArgs } from '../controller/verbTypes.ts';
import {
  type EndpointArgs,
  type EndpointData,
  type EndpointInterface,
  type NoMutation,
  isEndpoint,
} from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import type { QueryArgs } from '../schema/query/queryArgs.ts';
import type { Denormalize, Schema } from '../schema/Schema.ts';
import { useQueryView } from './observers/useQueryView.ts';
import { useSuspenseObserver } from './observers/SuspenseObserver.ts';

/**
 * The data of an endpoint. Suspends while there is none, throws the error if it cannot be fetched, and fetches in the
 * background if it is stale. With null args nothing is fetched and undefined is returned.
 *
 * The result of a query, such as a `Select`: suspends until there is data, or the tables that it reads are restored
 * from disk. It never fetches, so it is undefined if there is no row then.
 *
 * @throws the error of the request, for the nearest error boundary
 * @example
 * const [newest] = useSuspense(ArticleResource.getList);
 * const comments = useSuspense(
 *   CommentResource.getList,
 *   newest ? { articleId: newest.id } : null, // null: not now
 * );
 */
export function useSuspense<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: EndpointArgs<E>
): EndpointData<E>;
export function useSuspense<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined;
export function useSuspense<S extends Schema>(
  queryable: S,
  ...args: QueryArgs<S>
): Denormalize<S> | undefined;
export function useSuspense(source: EndpointInterface | Schema, ...args: readonly unknown[]): unknown {
  /* oxlint-disable react/rules-of-hooks -- one call reads either endpoints or queries */
  if (!isEndpoint(source)) return useSuspenseQuery(source, args);
  const snapshot = useSuspenseObserver(source, args);
  /* oxlint-enable react/rules-of-hooks */
  if (snapshot === undefined) return undefined;
  const { view, data, error } = snapshot;
  if (data !== MISSING) return data;
  /* oxlint-disable typescript/only-throw-error -- throws the rejection as it is, or a promise, so that React suspends */
  if (error !== undefined) throw error;
  throw view.loadForSuspense();
  /* oxlint-enable typescript/only-throw-error */
}

function useSuspenseQuery(queryable: Schema, args: readonly unknown[]): unknown {
  const { view, data } = useQueryView(queryable, args);
  const waiting = data === undefined ? view.whenKnown() : undefined;
  // oxlint-disable-next-line typescript/only-throw-error -- a promise, so that React suspends
  if (waiting !== undefined) throw waiting;
  return data;
}
