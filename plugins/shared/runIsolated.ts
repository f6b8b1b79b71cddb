/** Runs a callback of the app: an exception in it must not keep the plugin from working. */
export function runIsolated(run: () => void): void {
  try {
    run();
  } catch (error) {
    console.error(error);
  }
}
