/** Runs what others gave us: that one fails must not keep the rest, or the write itself, from going on. */
export function isolated(run: () => void): void {
  try {
    run();
  } catch (error) {
    // Browsers and workers can report it like an error that nobody caught. Node would end the process for that.
    if (typeof reportError === 'function') reportError(error);
    else console.error(error);
  }
}
