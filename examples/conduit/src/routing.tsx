import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent, type ReactElement } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

const address = (): string => location.pathname + location.search;

/** Goes to an address of this app. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === address()) return;
  if (replace) history.replaceState(null, '', to);
  else {
    history.pushState(null, '', to);
    scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

/** The address as a screen needs it: the parts of its path, and its query. */
export interface Route {
  readonly parts: readonly string[];
  readonly search: URLSearchParams;
  readonly address: string;
}

export function useRoute(): Route {
  const shown = useSyncExternalStore(subscribe, address);
  const { pathname, searchParams } = new URL(shown, location.origin);
  return {
    parts: pathname.split('/').filter(Boolean).map(decodeURIComponent),
    search: searchParams,
    address: shown,
  };
}

/** A path of parts that may hold anything. */
export const pathTo = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
}

export function Link({ to, ...rest }: LinkProps): ReactElement {
  const isCurrent = useRoute().address === to;
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return <a href={to} onClick={follow} aria-current={isCurrent ? 'page' : undefined} {...rest} />;
}
