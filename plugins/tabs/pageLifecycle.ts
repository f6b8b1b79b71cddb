/** Events in the life of a page. */
export interface PageLifecycleListener {
  /** The page is hidden or unloaded; it may come back. */
  onLeave(): void;
  /** The page is visible again: its timers and messages may have been delayed. */
  onWake(): void;
  /** The page was restored from the back/forward cache. */
  onReturn(): void;
}

/** Listens to the life of the page. Returns a function that stops it. Does nothing in workers and Node. */
export function onPageLifecycle(listener: PageLifecycleListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const onLeave = (): void => listener.onLeave();
  const onWake = (): void => {
    if (document.visibilityState === 'visible') listener.onWake();
  };
  const shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) listener.onReturn();
  };
  addEventListener('pagehide', onLeave);
  addEventListener('pageshow', shown);
  document.addEventListener('visibilitychange', onWake);
  document.addEventListener('resume', onWake);
  return () => {
    removeEventListener('pagehide', onLeave);
    removeEventListener('pageshow', shown);
    document.removeEventListener('visibilitychange', onWake);
    document.removeEventListener('resume', onWake);
  };
}
