import { setImmediate } from 'node:timers';
import { forceCloseDatabase, type IDBDatabase as FakeDatabase } from 'fake-indexeddb';
import { openDB } from 'idb';

/**
 * What browsers do to the databases of a page, done to those of fake-indexeddb: to the database itself, so that everything that
 * uses it meets what they would meet in a browser. Its parts are not public, so they are named here, and only here.
 */
interface RawRequest {
  readonly operation: () => unknown;
  readonly request: { readyState: string; readonly source: unknown };
}
interface RawTransaction {
  readonly mode: IDBTransactionMode;
  readonly db: IDBDatabase;
  readonly _requests: RawRequest[];
  readonly _rollbackLog: (() => void)[];
  _started: boolean;
  _state: 'active' | 'inactive' | 'committing' | 'finished';
  _markFinished(): void;
  _abort(errorName: string): void;
}
interface RawRecord {
  readonly key: IDBValidKey;
  readonly value: unknown;
}
interface RawStore {
  readonly records: { values(): Iterable<RawRecord> };
}
interface RawConnection extends IDBDatabase {
  readonly _runningVersionchangeTransaction: boolean;
}
interface RawDatabase {
  readonly connections: RawConnection[];
  readonly transactions: RawTransaction[];
  readonly rawObjectStores: Map<string, RawStore>;
  processTransactions(): void;
}
interface RawFactory {
  readonly _databases: Map<string, RawDatabase>;
  readonly _connectionQueues: Map<string, Promise<unknown>>;
}

/** How a connection ends that the browser closes. */
export interface Closing {
  /** Whether transactions whose commit has begun are on disk. */
  readonly isWritten: boolean;
  /** Whether the others never settle, either. */
  readonly isSilent: boolean;
}

/**
 * The browser closes every connection to a database, as when site data is cleared or the disk is full. As in Chromium,
 * transactions whose commit has begun never settle, nor do their requests.
 */
export function closeConnections(name: string, { isWritten, isSilent }: Closing): void {
  const database = databaseOf(name);
  if (database === undefined || isUpgrading(database)) return;
  for (const transaction of [...database.transactions]) {
    if (transaction._state === 'finished') continue;
    if (transaction._state === 'committing') end(transaction, isWritten);
    else if (isSilent) end(transaction, false);
    else transaction._abort('AbortError');
  }
  for (const connection of [...database.connections])
    forceCloseDatabase(connection as unknown as typeof FakeDatabase);
  // Those that waited for one that ended in silence.
  database.processTransactions();
}

/**
 * The browser closes a connection as it commits its next write: that is on disk, but the connection is never told.
 */
export async function closeAtCommit(name: string): Promise<void> {
  for (;;) {
    const database = databaseOf(name);
    const committing = database?.transactions.find(
      ({ mode, _state }) => mode === 'readwrite' && _state === 'committing',
    );
    if (database !== undefined && committing !== undefined) {
      end(committing, true);
      forceCloseDatabase(committing.db as unknown as typeof FakeDatabase);
      database.processTransactions();
      return;
    }
    await tasks(1);
  }
}

/**
 * The browser deletes a database that may be in use, as when site data is cleared.
 *
 * @returns whether there was one that was not being created
 */
export function clearSiteData(name: string, closing: Closing): boolean {
  const database = databaseOf(name);
  if (database !== undefined && isUpgrading(database)) return false;
  closeConnections(name, closing);
  return factory()._databases.delete(name);
}

/**
 * The browser loses the file of a record: whatever reads it fails, until it is deleted or written over.
 *
 * @param nth - which record, of as many as there are
 * @returns what it held; undefined where there is no record
 */
export function loseRecord(name: string, store: string, nth: number): RawRecord | undefined {
  const records = [...(databaseOf(name)?.rawObjectStores.get(store)?.records.values() ?? [])];
  const record = records[nth % Math.max(1, records.length)];
  if (record === undefined) return undefined;
  const { key, value } = isLost(record) ? { key: record.key, value: undefined } : record;
  Object.defineProperty(record, 'value', {
    configurable: true,
    get: () => {
      throw new DOMException('Data lost due to missing file. Affected record should be considered irrecoverable', 'NotReadableError'); // oxfmt-ignore
    },
  });
  return { key, value };
}

/** Delays opening and deleting a database until the returned function is called. */
export function holdOpening(name: string): () => void {
  const queues = factory()._connectionQueues;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  queues.set(
    name,
    (queues.get(name) ?? Promise.resolve()).then(() => held),
  );
  return release;
}

/**
 * A transaction of another tab, over all stores of a database.
 *
 * @returns a function that ends it
 */
export async function holdTransaction(name: string): Promise<() => Promise<void>> {
  const database = await openDB(name);
  const stores = [...database.objectStoreNames];
  const transaction = database.transaction(stores, 'readwrite');
  const store = transaction.objectStore(stores[0] ?? '');
  let isHeld = true;
  const hold = async (): Promise<void> => {
    while (isHeld) await store.count();
  };
  const holding = hold();
  return async () => {
    isHeld = false;
    await holding;
    await transaction.done;
    database.close();
  };
}

/** Resolves after so many tasks: a request to the fake database takes one. */
export async function tasks(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) await new Promise((resolve) => setImmediate(resolve));
}

/** Whether a connection is being opened that waits for others to close, or upgrades: its request would never end. */
function isUpgrading({ connections }: RawDatabase): boolean {
  return connections.some(({ _runningVersionchangeTransaction }) => _runningVersionchangeTransaction);
}

/** Ends a transaction without a word. */
function end(transaction: RawTransaction, isWritten: boolean): void {
  try {
    if (isWritten) for (const { operation } of transaction._requests) operation();
    else for (const undo of transaction._rollbackLog.reverse()) undo();
  } catch {
    // One of its requests fails, so it was aborted.
    for (const undo of transaction._rollbackLog.reverse()) undo();
  }
  for (const { request } of transaction._requests) request.readyState = 'done';
  transaction._requests.length = 0;
  transaction._markFinished();
}

function isLost(record: RawRecord): boolean {
  return Object.getOwnPropertyDescriptor(record, 'value')?.get !== undefined;
}

function databaseOf(name: string): RawDatabase | undefined {
  return factory()._databases.get(name);
}

function factory(): RawFactory {
  return globalThis.indexedDB as unknown as RawFactory; // of fake-indexeddb
}
