/** Runs what others gave us: that one fails must not keep the rest, or the write itself, from going on. */
export function isolated(run: () => void): void {
  try {
    run();
  } catch (error) {
    // As an error that nobody caught: the platform reports it.
    queueMicrotask(() => {
      throw error;
    });
  }
}
