import { isWebKit } from './isWebKit.ts';

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
  /** The page was restored from the back/forward cache. */
  readonly onReturn?: () => void;
}

/**
 * Whether the last writes of a page are lost. WebKit sends an IndexedDB transaction that begins in `pagehide` or
 * `visibilitychange` only after the page is gone, so never (observed in WebKitGTK 2.50; no bug found).
 */
export const losesUnloadWrites: () => boolean = isWebKit;

/** Listens to the life of the page. Returns a function that stops it. Does nothing in workers and Node. */
export function onPageLifecycle(listener: PageLifecycleListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const { onLeave, onUnload, onFreeze, onWake, onReturn } = listener;
  const onShow = (): void => {
    if (document.visibilityState === 'visible') onWake?.();
  };
  const listeners: readonly (readonly [EventTarget, string, (event: Event) => void])[] = [
    [document, 'visibilitychange', () => (document.visibilityState === 'hidden' ? onLeave?.() : onShow())],
    // A page that is hidden and then frozen may be discarded without further events:
    // https://developer.chrome.com/docs/web-platform/page-lifecycle-api
    [document, 'freeze', () => (onFreeze?.(), onLeave?.())],
    [document, 'resume', onShow],
    [globalThis, 'pagehide', () => (onUnload?.(), onLeave?.())],
    // Browsers set this member; a page that was loaded again has missed nothing.
    [globalThis, 'pageshow', (event) => (event as Partial<PageTransitionEvent>).persisted && onReturn?.()],
    // Only there: Firefox does not cache a page with such a listener (https://web.dev/articles/bfcache).
    ...(onLeave && losesUnloadWrites() ? [[globalThis, 'beforeunload', onLeave] as const] : []),
  ];
  for (const [target, type, run] of listeners) target.addEventListener(type, run);
  return () => {
    for (const [target, type, run] of listeners) target.removeEventListener(type, run);
  };
}
