import { useCallback, useSyncExternalStore } from 'react';
import { useController } from './useController.ts';

const onTheServer = (): boolean => true;

/**
 * Whether there is a network connection, by the controller's environment. True on the server and during hydration.
 *
 * @example
 * const isOnline = useOnline();
 * return isOnline ? null : <p role="status">Changes are sent later.</p>;
 */
export function useOnline(): boolean {
  const { environment } = useController();
  const subscribe = useCallback((onChange: () => void) => environment.subscribe(onChange), [environment]);
  return useSyncExternalStore(subscribe, () => environment.isOnline, onTheServer);
}
