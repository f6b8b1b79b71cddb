/** Whom to tell of a page's life. */
export interface PageListener {
  /** The page may not come back. */
  readonly left: () => void;
  /** The page was put away as a whole, and is back. */
  readonly returned: () => void;
}

/**
 * Tells of a page's life. Workers and Node have no page: there it tells of nothing.
 *
 * @param signal - ends it
 */
export function onPage({ left, returned }: PageListener, signal: AbortSignal): void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return;
  const options = { signal };
  const hidden = (): void => {
    if (document.visibilityState === 'hidden') left();
  };
  document.addEventListener('visibilitychange', hidden, options);
  // A page that is hidden and then frozen may be discarded without another word.
  document.addEventListener('freeze', left, options);
  addEventListener('pagehide', left, options);
  const shown = (event: Event): void => {
    // It has this member in browsers; a page that was loaded anew has missed nothing.
    if ((event as Partial<PageTransitionEvent>).persisted === true) returned();
  };
  addEventListener('pageshow', shown, options);
}
