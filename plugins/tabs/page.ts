/** Whom to tell of a page's life. */
export interface PageListener {
  /** The page is left; it may come back. */
  left(): void;
  /** The page is looked at again: its tasks, or messages to it, may have been held back. */
  woke(): void;
  /** The page was put away as a whole, and is back. */
  returned(): void;
}

/** Tells of a page's life. Returns how to stop that. Workers and Node have no page: there it tells of nothing. */
export function onPage(listener: PageListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const left = (): void => listener.left();
  const woke = (): void => {
    if (document.visibilityState === 'visible') listener.woke();
  };
  const shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) listener.returned();
  };
  addEventListener('pagehide', left);
  addEventListener('pageshow', shown);
  document.addEventListener('visibilitychange', woke);
  document.addEventListener('resume', woke);
  return () => {
    removeEventListener('pagehide', left);
    removeEventListener('pageshow', shown);
    document.removeEventListener('visibilitychange', woke);
    document.removeEventListener('resume', woke);
  };
}
