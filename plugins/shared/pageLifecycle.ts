/** Listens to events in the life of a page. */
export interface PageLifecycleListener {
  /** The page was hidden, frozen or unloaded; it may not come back. */
  readonly onLeave?: () => void;
  /** The page was unloaded, maybe into the back/forward cache. */
  readonly onUnload?: () => void;
  /** The page was frozen: its timers and messages are delayed from now on. */
  readonly onFreeze?: () => void;
  /** The page is visible again: its timers and messages may have been delayed. */
  readonly onWake?: () => void;
  /** The page was restored from the back/forward cache, or is shown after it was prerendered. */
  readonly onReturn?: () => void;
  /**
   * The user navigates away. Only where it is needed: Firefox does not cache a page with such a listener
   * (https://web.dev/articles/bfcache).
   */
  readonly onBeforeUnload?: (() => void) | undefined;
}

/** Listens to the life of the page. Returns a function that stops it. Does nothing in workers and Node. */
export function onPageLifecycle(listener: PageLifecycleListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const { onLeave, onUnload, onFreeze, onWake, onReturn, onBeforeUnload } = listener;
  const show = (): void => {
    if (document.visibilityState === 'visible') onWake?.();
  };
  const listeners: readonly (readonly [EventTarget, string, ((event: Event) => void) | undefined])[] = [
    [document, 'visibilitychange', () => (document.visibilityState === 'hidden' ? onLeave?.() : show())],
    // A page that is hidden and then frozen may be discarded without further events:
    // https://developer.chrome.com/docs/web-platform/page-lifecycle-api
    [document, 'freeze', () => (onFreeze?.(), onLeave?.())],
    [document, 'resume', show],
    [globalThis, 'pagehide', () => (onUnload?.(), onLeave?.())],
    // Browsers set this member; a page that was loaded again has missed nothing.
    [globalThis, 'pageshow', (event) => (event as Partial<PageTransitionEvent>).persisted && onReturn?.()],
    // Until then, Chromium delays the messages and locks of the page:
    // https://wicg.github.io/nav-speculation/prerendering.html
    [document, 'prerenderingchange', onReturn],
    [globalThis, 'beforeunload', onBeforeUnload],
  ];
  for (const [target, type, run] of listeners) if (run) target.addEventListener(type, run);
  return () => {
    for (const [target, type, run] of listeners) if (run) target.removeEventListener(type, run);
  };
}
