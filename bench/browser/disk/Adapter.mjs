/**
 * What each file in `adapters/` exports as `adapter`: one library that keeps data on disk. Every page has a new one,
 * which finds on disk what an earlier page stored.
 *
 * @typedef {object} Adapter
 * @property {string} title
 * @property {(rows: import('../../data.mjs').Row[]) => void | Promise<void>} fill - puts all rows into memory, in lists of
 *   100; not timed
 * @property {() => Promise<unknown>} storeAll - resolves when all of it is durable
 * @property {() => Promise<unknown>} [settle] - resolves when work that is left for idle time is done
 * @property {(id: string, change: import('../../data.mjs').Change) => Promise<unknown>} changeOne - sets fields of one row,
 *   which `fill` or `loadAll` brought into memory; resolves when that is durable
 * @property {() => Promise<number>} loadAll - opens the database and brings everything into memory; gives the number of
 *   rows
 * @property {(list: number) => Promise<unknown>} [show] - shows one list of 100 rows until the page is left, for libraries
 *   that store what was on screen
 * @property {(list: number) => Promise<unknown[]>} firstScreen - opens the database and reads one list of 100 rows
 */

/** Rows of a list. */
export const LIST = 100;

/** Changes made to warm up, and then to be timed. */
export const WARM_UP = 10;
export const CHANGES = 30;

/** Name of each library's database. */
export const DATABASE = 'bench';
