/** A registration of a service worker, in a browser with background sync. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Asks the browser to wake the service worker once there is a network. Does nothing where it cannot, nor in the worker
 * itself: what a `sync` event rejects with is tried again by the browser, in its own time, while asking anew from within
 * would wake the worker again at once, for as long as a server is down that the browser knows nothing of.
 */
export function registerSync(tag: string): void {
  void register(tag).catch(() => undefined);
}

async function register(tag: string): Promise<void> {
  const scope = globalThis as { readonly registration?: unknown; readonly navigator?: Partial<Navigator> }; // only a service worker has the first
  if (scope.registration !== undefined) return;
  const registration = await scope.navigator?.serviceWorker?.getRegistration();
  await (registration as WithSync | undefined)?.sync?.register(tag); // not in the library of types
}
