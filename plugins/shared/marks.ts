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
  return String(namesOfMarks(database)[0] ?? '');
}

/** The store of marks in a transaction that has it; undefined in databases of the first builds, which have none. */
export function marksOf<Stores extends DBSchema, Mode extends IDBTransactionMode>(
  transaction: IDBPTransaction<Stores, StoreNames<Stores>[], Mode>,
): IDBPObjectStore<Marks, ['marks'], 'marks', Mode> | undefined {
  const [name] = namesOfMarks(transaction);
  if (name === undefined) return undefined;
  return transaction.objectStore(name) as unknown as IDBPObjectStore<Marks, ['marks'], 'marks', Mode>; // not part of the schema
}

/** The name of the store of marks, if there is one. */
export function namesOfMarks<Stores extends DBSchema>(where: WithStores<Stores>): StoreNames<Stores>[] {
  return [...where.objectStoreNames].filter((name) => String(name).startsWith(IDENTITY));
}
