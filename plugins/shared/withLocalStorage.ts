/**
 * Calls `run` with `localStorage`, the only storage that is written synchronously. Does nothing where there is none, as
 * in workers, or where it is blocked or full.
 */
export function withLocalStorage(run: (storage: Storage) => void): void {
  try {
    // Node has one that pages of a test do not share.
    if (typeof document !== 'undefined') run(localStorage);
  } catch {
    // What it contains is also written elsewhere, unless the page unloads.
  }
}
