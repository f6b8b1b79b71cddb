/** Where there is no idle time to be told of, work waits this long, in ms, so that what comes together is done together. */
const PAUSE = 20;

/**
 * Resolves when the main thread has time, at the latest after `timeout` ms.
 *
 * @param pause - how long to wait, in ms, where the platform cannot tell
 */
export function whenIdle(timeout: number, pause: number = PAUSE): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(pause, timeout));
  });
}

/** Calls `hide` whenever the page may not come back. Returns how to stop that. */
export function onPageHide(hide: () => void): () => void {
  // Workers and Node have no page.
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const hidden = (): void => {
    if (document.visibilityState === 'hidden') hide();
  };
  document.addEventListener('visibilitychange', hidden);
  addEventListener('pagehide', hide);
  return () => {
    document.removeEventListener('visibilitychange', hidden);
    removeEventListener('pagehide', hide);
  };
}
