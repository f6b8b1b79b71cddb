import { useEffect, useRef } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointInterface, NoMutation } from '../endpoint/EndpointInterface.ts';
import { useController } from './useController.ts';
import { useReadView } from './observers/useReadView.ts';

/**
 * Keeps a read up to date while the component is mounted: by a plugin that subscribes to it, or else by fetching
 * every `pollFrequency` ms of the endpoint. All subscribers of the same read share it. With null args there is none.
 *
 * @example
 * useSubscription(getPrice, { symbol });
 */
export function useSubscription<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): void {
  const controller = useController();
  const view = useReadView(endpoint, args);
  const unsubscribe = useRef<() => void>(undefined);
  useEffect(() => {
    const former = unsubscribe.current;
    if (view !== undefined) controller.subscribe(endpoint, ...args);
    unsubscribe.current = view && (() => controller.unsubscribe(endpoint, ...args));
    // Last, so that an endpoint that each render creates neither delays the next poll nor ends a plugin's subscription.
    former?.();
    // oxlint-disable-next-line react/exhaustive-deps -- the view represents controller, endpoint and args
  }, [view]);
  useEffect(
    () => () => {
      unsubscribe.current?.();
      unsubscribe.current = undefined;
    },
    [],
  );
}
