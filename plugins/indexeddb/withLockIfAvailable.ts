/**
 * Runs a function unless another tab or worker holds the lock. Without Web Locks (Node, pages without storage) it
 * always runs, so it must be safe without a lock.
 *
 * @param name - the lock's name, unique for the origin
 */
export async function withLockIfAvailable(name: string, run: () => Promise<void>): Promise<void> {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager | null } }; // not everywhere
  if (navigator?.locks == null) return run();
  const request = { isAnswered: false };
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      request.isAnswered = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (request.isAnswered) throw error;
    await run();
  }
}
