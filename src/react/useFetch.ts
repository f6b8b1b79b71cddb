import { useCallback, useMemo, useReducer } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { FetchPromise } from './FetchPromise.ts';
import { useBackOnline } from './useBackOnline.ts';
import { useShownReading } from './useShownReading.ts';

/**
 * A promise of the data of an endpoint, for React's `use()` or to be passed on. Starts the request during render where
 * there is nothing to show, so several calls before the first `use()` load side by side. The promise is the same
 * until the data changes; of data that is there already it is fulfilled, and `use()` does not suspend. With null args
 * nothing is fetched and undefined is returned.
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
  endpoint: E,
  ...args: EndpointArgs<E>
): Promise<EndpointData<E>>;
export function useFetch<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): Promise<EndpointData<E>> | undefined;
export function useFetch<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): Promise<EndpointData<E>> | undefined {
  const shown = useShownReading(endpoint, args);
  const view = shown?.view;
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  const retry = useCallback(() => {
    // Its error is kept in the store, where the next render finds it.
    view?.load().catch(() => undefined);
    renderAgain();
  }, [view]);
  useBackOnline(shown?.error, retry);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a promise belongs to one read
  const promise = useMemo(() => new FetchPromise(), [view]);
  return shown === undefined ? undefined : (promise.of(shown) as Promise<EndpointData<E>>); // joined by its schema
}
