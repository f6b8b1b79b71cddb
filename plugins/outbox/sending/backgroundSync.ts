/** A service worker registration in a browser with background sync. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Asks the browser to wake the service worker when there is a network
 * (https://wicg.github.io/background-sync/spec/). Does nothing without background sync, and in
 * the worker itself: the browser retries a rejected `sync` event at its own pace, while registering again from within
 * would wake the worker at once, for as long as the server is down.
 */
export function registerSync(tag: string): void {
  void register(tag).catch(() => undefined);
}

/** Only a service worker has a registration. */
export function isServiceWorker(): boolean {
  return 'registration' in globalThis;
}

async function register(tag: string): Promise<void> {
  if (isServiceWorker()) return;
  const scope = globalThis as { readonly navigator?: Partial<Navigator> }; // not everywhere
  const registration = await scope.navigator?.serviceWorker?.getRegistration();
  await (registration as WithSync | undefined)?.sync?.register(tag); // not in lib.dom
}
