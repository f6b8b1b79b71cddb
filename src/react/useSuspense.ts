import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { useShownReading } from './useShownReading.ts';

/**
 * The data of an endpoint. Suspends while there is none, throws the error when it cannot be had, and fetches in the
 * background when it is stale. With null args nothing is fetched and undefined is returned.
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
  const shown = useShownReading(endpoint, args);
  if (shown === undefined) return undefined;
  const { view, data, error } = shown;
  if (data !== MISSING) return data as EndpointData<E>; // joined by its schema
  // What a request rejected with is thrown as it is; a thrown promise is how React is told to wait.
  /* eslint-disable @typescript-eslint/only-throw-error */
  if (error !== undefined) {
    view.shown();
    throw error;
  }
  throw view.wait();
  /* eslint-enable @typescript-eslint/only-throw-error */
}
