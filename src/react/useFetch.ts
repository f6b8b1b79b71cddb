import { useCallback, useMemo, useReducer } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type {
  EndpointArgs,
  EndpointData,
  EndpointInterface,
  NoMutation,
} from '../endpoint/EndpointInterface.ts';
import { FetchPromise } from './observers/FetchPromise.ts';
import { useController } from './useController.ts';
import { useRetryOnReconnect } from './useRetryOnReconnect.ts';
import { useSuspenseObserver } from './observers/SuspenseObserver.ts';

/**
 * A promise of an endpoint's data, for React's `use()` or to be passed on. Starts the request during render if there
 * is no data to show, so several calls before the first `use()` load in parallel. The promise is the same until the
 * data changes; for data in memory it is fulfilled, and `use()` does not suspend. With null args nothing is fetched
 * and undefined is returned.
 *
 * @example
 * const article = useFetch(ArticleResource.get, { id });
 * const comments = useFetch(CommentResource.getList, { articleId: id });
 * // Both are under way now.
 * return (
 *   <h1>
 *     {use(article).title} ({use(comments).length})
 *   </h1>
 * );
 */
export function useFetch<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: EndpointArgs<E>
): Promise<EndpointData<E>>;
export function useFetch<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): Promise<EndpointData<E>> | undefined;
export function useFetch<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): Promise<EndpointData<E>> | undefined {
  const controller = useController();
  const snapshot = useSuspenseObserver(endpoint, args);
  const view = snapshot?.view;
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  const retry = useCallback(() => {
    void view?.load();
    renderAgain();
  }, [view]);
  useRetryOnReconnect(snapshot?.error, retry);
  // oxlint-disable-next-line react/exhaustive-deps -- a promise belongs to one read, which has another view in each render before the first commit
  const promise = useMemo(() => new FetchPromise(), [controller, endpoint, view?.key]);
  return snapshot === undefined ? undefined : (promise.of(snapshot) as Promise<EndpointData<E>>); // denormalized by its schema
}
