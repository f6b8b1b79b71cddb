import { useEffect, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { EndpointError } from '../endpoint/EndpointOptions.ts';
import { LoadReading, NO_READ } from './LoadReading.ts';
import { useBackOnline } from './useBackOnline.ts';
import { useViewed } from './useView.ts';

/** Data, loading and error of a read. Once `loading` and `error` are ruled out, TypeScript knows that there is data. */
export type DataLoadingError<Data> =
  | {
      readonly data: Data;
      readonly loading: false;
      readonly error: undefined;
      /** Whether newer data is being loaded while this is shown. */
      readonly refreshing: boolean;
    }
  | {
      readonly data: undefined;
      /** There is nothing to show, and a load is under way or about to start. */
      readonly loading: true;
      readonly error: undefined;
      readonly refreshing: false;
    }
  | {
      readonly data: undefined;
      readonly loading: false;
      /** What the request was rejected with, where no data may be shown in spite of it. */
      readonly error: EndpointError;
      readonly refreshing: false;
    };

/** What `useDLE` gives for null args. */
export interface NoRead {
  readonly data: undefined;
  readonly loading: false;
  readonly error: undefined;
  readonly refreshing: false;
}

const nothing = { subscribe: () => () => undefined, getSnapshot: () => NO_READ };

/**
 * Data, loading and error of an endpoint, for components that show all three themselves: never suspends nor throws.
 * Fetches when `useSuspense` would: at mount and with changed args where there is nothing or it is stale, and after a
 * deletion or invalidation. With null args nothing is fetched.
 *
 * @example
 * const { data, loading, error, refreshing } = useDLE(ArticleResource.get, {
 *   id,
 * });
 * if (loading) return <Spinner />;
 * if (error) return <p role="alert">{error.message}</p>;
 * return <article aria-busy={refreshing}>{data.title}</article>;
 */
export function useDLE<E extends EndpointInterface>(
  endpoint: E,
  ...args: EndpointArgs<E>
): DataLoadingError<EndpointData<E>>;
export function useDLE<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): DataLoadingError<EndpointData<E>> | NoRead;
export function useDLE<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): DataLoadingError<EndpointData<E>> | NoRead {
  const reading = useViewed(endpoint, args, (view) => new LoadReading(view));
  const { subscribe, getSnapshot } = reading ?? nothing;
  const state = useSyncExternalStore(subscribe, getSnapshot, reading?.getServerSnapshot ?? getSnapshot);

  useEffect(() => reading?.mount(), [reading]);
  useEffect(() => {
    // After the render, so that a component that a deletion takes off the screen does not ask. What was loading when a
    // server rendered it may be there by now.
    if (state.loading) reading?.loadWanted();
  }, [reading, state]);
  useBackOnline(state.error, reading?.load ?? idle);

  return state as DataLoadingError<EndpointData<E>> | NoRead; // joined by its schema
}

function idle(): void {
  // Without a read there is nothing to retry.
}
