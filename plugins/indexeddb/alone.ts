/**
 * Runs something unless another tab or worker is at it. Where there are no Web Locks (Node, old browsers, pages that may
 * not store anything) it runs: what is run here has to be safe then too.
 *
 * @param name - names what is done, for the whole origin
 */
export async function unlessOthersDo(name: string, run: () => Promise<void>): Promise<void> {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager | null } }; // not everywhere
  if (navigator?.locks == null) return run();
  const asked = { isAnswered: false };
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      asked.isAnswered = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (asked.isAnswered) throw error;
    await run();
  }
}
