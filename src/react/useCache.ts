import { useCallback, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointData, EndpointInterface, NoMutation } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { useReadView } from './observers/useReadView.ts';

/**
 * The data of an endpoint if it is in memory; otherwise undefined. Never fetches, suspends or throws.
 *
 * @example
 * const user = useCache(UserResource.get, { id });
 * return <p>{user?.name}</p>;
 */
export function useCache<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined {
  const view = useReadView(endpoint, args);
  const subscribe = useCallback(
    (changed: () => void) => view?.subscribe(changed) ?? (() => undefined),
    [view],
  );
  const read = (): unknown => view?.data;
  // The HTML contains data that may be stale by now.
  const readServer = (): unknown => view?.serverSnapshot().data;
  const data = useSyncExternalStore(subscribe, read, readServer);
  return data === MISSING ? undefined : (data as EndpointData<E>); // denormalized by its schema
}
