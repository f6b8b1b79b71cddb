/** Whom to tell of a page's life. */
export interface PageListener {
  /** The page may not come back. */
  readonly left: () => void;
  /** The page was put away as a whole, and is back. */
  readonly returned: () => void;
}

/**
 * Whether this is a page in WebKit, such as Safari. It sends an IndexedDB transaction that begins in `pagehide` or
 * `visibilitychange` only after the page is gone, so never (observed in WebKitGTK 2.50; no bug found).
 */
export function losesLastWrites(): boolean {
  return (
    typeof navigator !== 'undefined' && (navigator as Partial<Navigator>).vendor?.startsWith('Apple') === true
  );
}

/** Tells of a page's life. Returns how to stop that. Workers and Node have no page: there it tells of nothing. */
export function onPage({ left, returned }: PageListener): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const hidden = (): void => {
    if (document.visibilityState === 'hidden') left();
  };
  const shown = (event: Event): void => {
    // It has this member in browsers; a page that was loaded anew has missed nothing.
    if ((event as Partial<PageTransitionEvent>).persisted === true) returned();
  };
  const listeners: readonly (readonly [EventTarget, string, (event: Event) => void])[] = [
    [document, 'visibilitychange', hidden],
    // A page that is hidden and then frozen may be discarded without another word.
    [document, 'freeze', left],
    [globalThis, 'pagehide', left],
    [globalThis, 'pageshow', shown],
    // Not elsewhere: Firefox keeps no page with such a listener for going back.
    ...(losesLastWrites() ? [[globalThis, 'beforeunload', left] as const] : []),
  ];
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
  };
}
