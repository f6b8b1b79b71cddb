/**
 * The state that a batch must be based on to be accepted. Each reset, eviction and newer app version changes it; no
 * guard repeats in a database.
 */
export interface WriteGuard {
  readonly epoch: number;
  readonly evictions: number;
  readonly version: number;
}

/**
 * The key in `meta` that marks a guard as outdated. Whatever changes the guard adds the mark of the old one in the
 * same transaction. An append adds the mark of its own guard first: if the guard is outdated, the key exists, and the
 * whole transaction fails. So no read has to be awaited, and a batch can be written while the page unloads.
 */
export function guardKey({ epoch, evictions, version }: WriteGuard): string {
  return `passed ${epoch} ${evictions} ${version}`;
}
