import { useMemo, useSyncExternalStore } from 'react';
import { parseRoute, type Route } from './route.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

export function currentRoute(): Route {
  return parseRoute(currentAddress());
}

/** Goes to an address of this app. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === currentAddress()) return;
  if (replace) window.history.replaceState(null, '', to);
  else window.history.pushState(null, '', to);
  for (const listener of listeners) listener();
}

/** The route that the address bar shows. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, currentAddress);
  return useMemo(() => parseRoute(address), [address]);
}
