import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Reset } from '../records/resets.ts';

/** Database version; increased when the object stores change, or what earlier builds would misread. */
export const VERSION = 3;

/** The key in `meta` of the header. */
export const HEADER = 'header';

/** The key of the mark of an unfinished reset: the last one of its kind does what earlier ones do. */
export function markKey({ keepsSide }: Pick<Reset, 'keepsSide'>): string {
  return keepsSide ? 'reset keep' : 'reset discard';
}

/** The key in `meta` of the directory of results, if they are not stored under their keys. */
export const DIRECTORY = 'directory';

/** The key in `meta` of the list of all result keys. */
export const RESULT_KEYS = 'result keys';

/** The object stores. Records are unchecked until they are decoded. */
export interface Stores extends DBSchema {
  /** The write-ahead log: batches in write order. */
  log: { key: number; value: unknown };
  /** Rows by table and shard. */
  shards: { key: [table: string, shard: number]; value: unknown };
  /** Results by endpoint key. */
  results: { key: string; value: unknown };
  /** Records of other plugins. */
  outbox: { key: [plugin: string, key: string]; value: unknown };
  meta: { key: string; value: unknown };
}

/** A database with these stores. */
export type Database = IDBPDatabase<Stores>;

/** One of the stores. */
export type StoreName = StoreNames<Stores>;

/** A transaction over some of the stores. */
export type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Stores, StoreName[], Mode>;

/** All stores. */
export const ALL_STORES: StoreName[] = ['log', 'shards', 'results', 'outbox', 'meta'];

/** Creates the stores of a new database. */
export function createStores(database: Database): void {
  database.createObjectStore('log', { autoIncrement: true });
  for (const name of ['shards', 'results', 'outbox', 'meta'] as const) database.createObjectStore(name);
}
