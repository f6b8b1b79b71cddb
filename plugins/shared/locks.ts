/** The browser's locks; undefined in Node and without a secure context, and null in happy-dom. */
export function webLocks(): LockManager | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager | null } }; // not everywhere
  return navigator?.locks ?? undefined;
}

/**
 * Runs a function with a lock. A browser that denies storage to a site may have locks and reject requests for them, as
 * Firefox does (https://w3c.github.io/web-locks/#dom-lockmanager-request).
 *
 * @param requestWith - requests the lock
 * @returns false if locks are denied; `run` was not called then
 */
export async function requestLock<Args extends unknown[]>(
  requestWith: (granted: (...lock: Args) => Promise<void>) => Promise<unknown>,
  run: (...lock: Args) => Promise<void>,
): Promise<boolean> {
  const request = { isAnswered: false };
  try {
    await requestWith((...lock) => {
      request.isAnswered = true;
      return run(...lock);
    });
  } catch (error) {
    if (request.isAnswered) throw error;
  }
  return request.isAnswered;
}

/**
 * Runs a function unless another tab or worker holds the lock. Without Web Locks it always runs, so it must be safe
 * without a lock.
 *
 * @param name - the lock's name, unique for the origin
 */
export async function withLockIfAvailable(name: string, run: () => Promise<void>): Promise<void> {
  const locks = webLocks();
  const hasLocks =
    locks !== undefined &&
    (await requestLock<[Lock | null]>(
      (granted) => locks.request(name, { ifAvailable: true }, granted),
      async (lock) => {
        if (lock !== null) await run();
      },
    ));
  if (!hasLocks) await run();
}
