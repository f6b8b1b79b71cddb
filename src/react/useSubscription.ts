import { useEffect } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { useController } from './useController.ts';
import { useView } from './useView.ts';

/**
 * Keeps a read up to date while the component is on screen: by a plugin that subscribes to it, else by fetching every
 * `pollFrequency` ms of the endpoint. Shared by all who subscribe to the same read. With null args there is none.
 *
 * @example
 * useSubscription(getPrice, { symbol });
 */
export function useSubscription<E extends EndpointInterface>(endpoint: E, ...args: ReadArgs<E>): void {
  const controller = useController();
  const view = useView(endpoint, args);
  useEffect(() => {
    if (view === undefined) return undefined;
    controller.subscribe(endpoint, ...args);
    return () => controller.unsubscribe(endpoint, ...args);
    // The view stands for controller, endpoint and key: args of the same content are the same read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view]);
}
