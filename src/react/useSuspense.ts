import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { useSuspenseObserver } from './observers/SuspenseObserver.ts';

/**
 * The data of an endpoint. Suspends while there is none, throws the error if it cannot be fetched, and fetches in the
 * background if it is stale. With null args nothing is fetched and undefined is returned.
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
  endpoint: E,
  ...args: EndpointArgs<E>
): EndpointData<E>;
export function useSuspense<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined;
export function useSuspense<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined {
  const snapshot = useSuspenseObserver(endpoint, args);
  if (snapshot === undefined) return undefined;
  const { view, data, error } = snapshot;
  if (data !== MISSING) return data as EndpointData<E>; // denormalized by its schema
  /* eslint-disable @typescript-eslint/only-throw-error -- throws the rejection as it is, or a promise, so that React suspends */
  if (error !== undefined) {
    view.markRendered();
    throw error;
  }
  throw view.loadForSuspense();
  /* eslint-enable @typescript-eslint/only-throw-error */
}
