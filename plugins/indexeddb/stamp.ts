/**
 * What whoever writes a batch has to know of: it rises with each reset, with each eviction, and with each newer version
 * of the app. No stamp ever comes again in one database.
 */
export interface Stamp {
  readonly epoch: number;
  readonly evictions: number;
  readonly version: number;
}

/**
 * The key in `meta` of the mark of a stamp that has passed. Whoever brings a new stamp leaves the mark of the old one in
 * the same transaction, so that adding that mark fails, and with it the transaction, for whoever knows no better: a
 * batch is checked without waiting for a read, and so can be written as a page is left.
 */
export function passedKey({ epoch, evictions, version }: Stamp): string {
  return `passed ${epoch} ${evictions} ${version}`;
}
