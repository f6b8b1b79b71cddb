import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type {
  EndpointArgs,
  EndpointData,
  EndpointInterface,
  NoMutation,
} from '../endpoint/EndpointInterface.ts';
import type { EndpointError } from '../endpoint/EndpointOptions.ts';
import { StatusObserver, NO_READ } from './observers/StatusObserver.ts';
import { useRetryOnReconnect } from './useRetryOnReconnect.ts';
import { useReadView } from './observers/useReadView.ts';
import { useController } from './useController.ts';

/**
 * Data, loading state and error of a read. Once `loading` and `error` are excluded, TypeScript knows that there is
 * data.
 */
export type DataLoadingError<Data> =
  | {
      readonly data: Data;
      readonly loading: false;
      readonly error: undefined;
      /** Whether newer data is being loaded while this data is shown. */
      readonly refreshing: boolean;
    }
  | {
      readonly data: undefined;
      /** There is no data to show, and a request is pending or about to start. */
      readonly loading: true;
      readonly error: undefined;
      readonly refreshing: false;
    }
  | {
      readonly data: undefined;
      readonly loading: false;
      /** The rejection of the request, unless data may be shown in spite of it. */
      readonly error: EndpointError;
      readonly refreshing: false;
    };

/** The result of `useDLE` for null args. */
export interface NoRead {
  readonly data: undefined;
  readonly loading: false;
  readonly error: undefined;
  readonly refreshing: false;
}

const nothing = { subscribe: () => () => undefined, getSnapshot: () => NO_READ };

/**
 * Data, loading state and error of an endpoint, for components that render all three themselves: never suspends or
 * throws. Fetches whenever `useSuspense` would: on mount and on changed args if data is missing or stale, and after a
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
  endpoint: E & NoMutation,
  ...args: EndpointArgs<E>
): DataLoadingError<EndpointData<E>>;
export function useDLE<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): DataLoadingError<EndpointData<E>> | NoRead;
export function useDLE<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): DataLoadingError<EndpointData<E>> | NoRead {
  const controller = useController();
  const view = useReadView(endpoint, args);
  const mounted = useRef<StatusObserver>(undefined);
  const observer = useMemo(() => view && new StatusObserver(view, mounted), [view]);
  const { subscribe, getSnapshot } = observer ?? nothing;
  const state = useSyncExternalStore(subscribe, getSnapshot, observer?.getServerSnapshot ?? getSnapshot);

  // oxlint-disable-next-line react/exhaustive-deps -- an endpoint that is created at each render is no reason to fetch
  useEffect(() => observer?.loadIfNeeded(), [controller, observer?.key]);
  useEffect(() => observer?.mount(), [observer]);
  useEffect(() => {
    // After the render, so that a component that a deletion unmounts does not fetch. Data that was loading when the
    // server rendered may have arrived since.
    if (state.loading) observer?.loadIfNeeded();
  }, [observer, state]);
  useRetryOnReconnect(state.error, observer?.load ?? idle);

  return state as DataLoadingError<EndpointData<E>> | NoRead; // denormalized by its schema
}

function idle(): void {
  // Without a read there is nothing to retry.
}
