import { useCallback, useSyncExternalStore } from 'react';
import { useController } from './useController.ts';

const onTheServer = (): boolean => true;

/**
 * Whether there is a network, by the controller's environment. True on the server and while its page hydrates.
 *
 * @example
 * return useOnline() ? null : <p role="status">You are offline; changes are kept and sent later.</p>;
 */
export function useOnline(): boolean {
  const { environment } = useController();
  const subscribe = useCallback((onChange: () => void) => environment.subscribe(onChange), [environment]);
  return useSyncExternalStore(subscribe, () => environment.isOnline, onTheServer);
}
