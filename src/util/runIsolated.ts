/** Runs a callback of other code: an exception in one must not keep the others, or the write itself, from running. */
export function runIsolated(run: () => void): void {
  try {
    run();
  } catch (error) {
    // Browsers and workers can report it like an uncaught error. Node would end the process for that.
    if (typeof reportError === 'function') reportError(error);
    else console.error(error);
  }
}
