import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/Controller.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { ShownReading } from './ShownReading.ts';
import { useView } from './useView.ts';

const nothing = {
  subscribe: () => () => undefined,
  getSnapshot: () => undefined,
  getServerSnapshot: () => undefined,
};

/**
 * The data of an endpoint. Suspends while there is none, throws the error when it cannot be had, and fetches in the
 * background when it is stale. With null args nothing is fetched and undefined is returned.
 *
 * @throws the error of the request, for the nearest error boundary
 * @example
 * const article = useSuspense(ArticleResource.get, { id });
 * const author = useSuspense(UserResource.get, article.authorId ? { id: article.authorId } : null);
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
  const view = useView(endpoint, args);
  const [loss, setLoss] = useState(0);
  const shown = useMemo(() => (view === undefined ? undefined : new ShownReading(view, setLoss)), [view]);
  const store = shown ?? nothing;
  const reading = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);

  useEffect(() => {
    // A read that fails keeps its error in the store, where the next render finds it.
    if (view?.wantsLoad === true) view.load().catch(() => undefined);
    view?.shown();
  }, [view]);

  if (view === undefined || shown === undefined || reading === undefined) return undefined;
  const { data, error } = shown.read(loss, reading);
  // What is shown already does not go away for having become stale.
  if (data !== MISSING && (shown.isOnScreen || view.isShowable)) return data as EndpointData<E>; // joined by its schema
  // What a request rejected with is thrown as it is; a thrown promise is how React is told to wait.
  /* eslint-disable @typescript-eslint/only-throw-error */
  if (error !== undefined && view.error !== undefined) throw error;
  throw view.wait();
  /* eslint-enable @typescript-eslint/only-throw-error */
}
