/** Calls `show` when a page comes back that was kept frozen meanwhile. Returns how to stop that. */
export function onPageShow(show: () => void): () => void {
  // Workers and Node have no page.
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const shown = (event: Event): void => {
    // It has this member in browsers; a page that was loaded anew has missed nothing.
    if ((event as Partial<PageTransitionEvent>).persisted === true) show();
  };
  addEventListener('pageshow', shown);
  return () => {
    removeEventListener('pageshow', shown);
  };
}
