import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';

/** Version of the database: raised when its stores change. */
export const VERSION = 1;

/** Keys of the records in `meta`. */
export const HEADER = 'header';
export const DIRECTORY = 'directory';

/** The object stores. Records are unchecked until they have been decoded. */
export interface Stores extends DBSchema {
  /** Batches of changes, in the order in which they were written. */
  log: { key: number; value: unknown };
  /** Rows by table and shard. */
  shards: { key: [table: string, shard: number]; value: unknown };
  /** Results by endpoint key. */
  results: { key: string; value: unknown };
  /** Records of other plugins. */
  outbox: { key: [plugin: string, key: string]; value: unknown };
  meta: { key: string; value: unknown };
}

export type Database = IDBPDatabase<Stores>;
export type StoreName = StoreNames<Stores>;
export type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Stores, StoreName[], Mode>;

export const ALL_STORES: StoreName[] = ['log', 'shards', 'results', 'outbox', 'meta'];

/** Makes the stores of a new database. */
export function createStores(database: Database): void {
  database.createObjectStore('log', { autoIncrement: true });
  for (const name of ['shards', 'results', 'outbox', 'meta'] as const) database.createObjectStore(name);
}
