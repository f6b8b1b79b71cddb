/** A registration of a service worker, in a browser with background sync. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> };
}

/** Asks the browser to wake the service worker once there is a network. Does nothing where it cannot. */
export function registerSync(tag: string): void {
  void register(tag).catch(() => undefined);
}

async function register(tag: string): Promise<void> {
  const scope = globalThis as { readonly registration?: WithSync; readonly navigator?: Partial<Navigator> }; // a worker has the first, a page the second
  const registration = scope.registration ?? (await scope.navigator?.serviceWorker?.getRegistration());
  await (registration as WithSync | undefined)?.sync?.register(tag);
}
