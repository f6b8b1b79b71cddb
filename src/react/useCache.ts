import { useCallback, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { useView } from './useView.ts';

/**
 * The data of an endpoint as far as it is there; undefined otherwise. Never fetches, suspends or throws.
 *
 * @example
 * const user = useCache(UserResource.get, { id });
 * return <p>{user?.name}</p>;
 */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined {
  const view = useView(endpoint, args);
  const subscribe = useCallback(
    (changed: () => void) => view?.subscribe(changed) ?? (() => undefined),
    [view],
  );
  const read = (): unknown => view?.data;
  const readServed = (): unknown => view?.serverSnapshot().data;
  const data = useSyncExternalStore(subscribe, read, readServed);
  return data === MISSING ? undefined : (data as EndpointData<E>); // joined by its schema
}
