import type { DBSchema, IDBPDatabase, IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import { uniqueKey } from './uniqueKey.ts';

/** Prefix of the name of the store of marks. Its name identifies the database, so that no read is needed. */
const IDENTITY = 'identity ';

/** The store of marks, which is not part of any schema, as its name is random. */
interface Marks extends DBSchema {
  marks: { key: string; value: unknown };
}

/** A database or a transaction. */
interface WithStores<Stores extends DBSchema> {
  readonly objectStoreNames: Iterable<StoreNames<Stores>>;
}

/** Creates the store of marks of a new database, and with it the database's identity. */
export function createMarks<Stores extends DBSchema>(database: IDBPDatabase<Stores>): void {
  (database as unknown as IDBPDatabase).createObjectStore(`${IDENTITY}${uniqueKey()}`); // not part of the schema
}

/** Identifies a database: changes when it was deleted and recreated. */
export function identityOf<Stores extends DBSchema>(database: IDBPDatabase<Stores>): string {
  return String(nameOfMarks(database));
}

/** The store of marks in a transaction that has it. */
export function marksOf<Stores extends DBSchema, Mode extends IDBTransactionMode>(
  transaction: IDBPTransaction<Stores, StoreNames<Stores>[], Mode>,
): IDBPObjectStore<Marks, ['marks'], 'marks', Mode> {
  return transaction.objectStore(nameOfMarks(transaction)) as unknown as IDBPObjectStore<
    Marks,
    ['marks'],
    'marks',
    Mode
  >; // not part of the schema
}

/** Whether a database has a store of marks, as all of ours have. */
export function hasMarks<Stores extends DBSchema>({ objectStoreNames }: WithStores<Stores>): boolean {
  return [...objectStoreNames].some(isOfMarks);
}

/** The name of the store of marks. */
export function nameOfMarks<Stores extends DBSchema>(where: WithStores<Stores>): StoreNames<Stores> {
  return [...where.objectStoreNames].find(isOfMarks) as StoreNames<Stores>; // every database has one
}

function isOfMarks(store: unknown): boolean {
  return String(store).startsWith(IDENTITY);
}
