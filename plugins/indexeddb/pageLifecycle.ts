import { isWebKit } from '../shared/isWebKit.ts';

/** Events in the life of a page. */
export interface PageLifecycleListener {
  /** The page may not come back. */
  readonly onLeave: () => void;
  /** The page was restored from the back/forward cache. */
  readonly onReturn: () => void;
}

/**
 * Whether the last writes of a page are lost. WebKit sends an IndexedDB transaction that begins in `pagehide` or
 * `visibilitychange` only after the page is gone, so never (observed in WebKitGTK 2.50; no bug found).
 */
export function losesUnloadWrites(): boolean {
  return typeof document !== 'undefined' && isWebKit();
}

/** Listens to the life of the page. Returns a function that stops it. Does nothing in workers and Node. */
export function onPageLifecycle({ onLeave, onReturn }: PageLifecycleListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const hidden = (): void => {
    if (document.visibilityState === 'hidden') onLeave();
  };
  const pageShown = (event: Event): void => {
    // Browsers set this member; a page that was loaded again has missed nothing.
    if ((event as Partial<PageTransitionEvent>).persisted === true) onReturn();
  };
  const listeners: readonly (readonly [EventTarget, string, (event: Event) => void])[] = [
    [document, 'visibilitychange', hidden],
    // A page that is hidden and then frozen may be discarded without further events.
    [document, 'freeze', onLeave],
    [globalThis, 'pagehide', onLeave],
    [globalThis, 'pageshow', pageShown],
    // Only there: Firefox does not cache a page with such a listener.
    ...(losesUnloadWrites() ? [[globalThis, 'beforeunload', onLeave] as const] : []),
  ];
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
  };
}
