import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type StoreNames } from 'idb';
import { dataLossOf, renewLog } from './chromiumLog.ts';
import { errorName } from './errorName.ts';
import { isWebKit } from './isWebKit.ts';
import { createMarks, hasMarks, identityOf, marksOf } from './marks.ts';
import { onPageLifecycle } from './pageLifecycle.ts';
import {
  RunningTransactions,
  UnloadAbort,
  type TransactionOf,
  type TransactionOptions,
} from './RunningTransactions.ts';
import { findUnreadable, isUnreadable, LOST, type RunRequest } from './unreadableRecords.ts';
import { withTimeout } from './withTimeout.ts';

/**
 * How long a caller waits for the database to open, in ms. Opening may never end: while another tab holds an older
 * version open, or if the browser never answers (https://webkit.org/b/226547).
 */
const OPEN_WITHIN = 2_000;

/** The delay before a connection that the browser has closed is reopened, in ms, unless a caller needs it sooner. */
const REOPEN_AFTER = 200;

/**
 * How often a transaction is attempted after its connection was lost, and the delay before each attempt except the
 * second, in ms.
 */
const ATTEMPTS = 5;
const RETRY_AFTER = 50;

/** The log is renewed this long after the database was opened, in ms, unless something is written before. */
const RENEW_AFTER = 50;

/** Options of a connection. */
export interface ConnectionOptions<Stores extends DBSchema> {
  /** Database version; increased when the object stores change, or what earlier builds would misread. */
  readonly version: number;
  /** Creates the stores of a new database. One of an earlier version is emptied first. */
  create(this: void, database: IDBPDatabase<Stores>): void;
  /** How long a caller waits for the database to open, in ms. Default: 2,000. */
  readonly openWithin?: number | undefined;
  /** The stores in which `LOST` replaces a record that can no longer be read. */
  readonly lostStore: readonly StoreNames<Stores>[];
  /** Records on disk that records had to be deleted, in the transaction that deletes them. */
  noteLoss?(this: void, transaction: TransactionOf<Stores, 'readwrite'>): Promise<unknown>;
}

/**
 * The connection to a database: opened on demand, and reopened after it was lost.
 *
 * Browsers close connections: when site data is cleared, when the disk is full, when a page was in the background
 * (iOS). Chromium then leaves the requests of a committed transaction pending for ever, and Firefox those of a page
 * that was frozen in the back/forward cache (both observed, no bug found). So every transaction ends with its
 * connection, and is repeated on a new one. Transactions must be safe to repeat.
 */
export class Connection<Stores extends DBSchema> {
  /** Identifies the database: changes when it was deleted and recreated. Undefined until it has been opened. */
  identity: string | undefined;
  /** Whether this page has created the database when it last opened it. */
  isCreated = false;
  /** What the browser has reported as lost, if anything. */
  dataLoss: string | undefined;
  readonly #name: string;
  readonly #options: ConnectionOptions<Stores>;
  readonly #running = new RunningTransactions<Stores>();
  #onReplaced: () => void = () => undefined;
  #onLost: (records: string) => void = () => undefined;
  #database: Promise<IDBPDatabase<Stores>> | undefined;
  #isOpen = false;
  #isClosed = false;
  #renewing: Promise<void> | undefined;
  #deleting: Promise<boolean> | undefined;
  /** Settles once last writes may begin. One for all of them: each race would keep something until the page unloads. */
  #lastWrites: Promise<void> | undefined;
  #startUnload: () => void = () => undefined;
  readonly #unloading = new Promise<void>((resolve) => (this.#startUnload = resolve));
  #stopListening: (() => void) | undefined;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** In WebKit, settles once an unloaded page is shown again; undefined as long as it was not unloaded. */
  #whenShown: Promise<void> | undefined;
  #onShown: () => void = () => undefined;
  /** Ends all transactions and reopens the database: a page that was frozen may never get their events. */
  readonly #restart = (): void => {
    this.#running.abort(new DOMException('The page was frozen', 'AbortError'));
    this.disconnect();
    this.#whenShown = undefined;
    this.#onShown();
  };

  /** @param name - name of the database */
  constructor(name: string, options: ConnectionOptions<Stores>) {
    this.#name = name;
    this.#options = options;
  }

  /** Whether it is open now. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Calls `listener` when the database was deleted and recreated since it was last open. */
  onReplaced(listener: () => void): void {
    this.#onReplaced = listener;
  }

  /** Calls `listener` with the keys of records that were deleted because the browser could no longer read them. */
  onLost(listener: (records: string) => void): void {
    this.#onLost = listener;
  }

  /** The open database. Settles within `openWithin`. */
  open(): Promise<IDBPDatabase<Stores>> {
    if (this.#isOpen) return this.openWithoutTimeout();
    const message = 'Not open yet; another tab may hold an older version open';
    return withTimeout(this.#options.openWithin ?? OPEN_WITHIN, this.openWithoutTimeout(), message);
  }

  /** The open database, without a timeout; possibly never. */
  openWithoutTimeout(): Promise<IDBPDatabase<Stores>> {
    if (this.#isClosed)
      return Promise.reject(new DOMException('The storage was closed', 'InvalidStateError'));
    if (this.#database !== undefined) return this.#database;
    this.#stopListening ??= onPageLifecycle({
      onLeave: () => this.prepareUnload(),
      onUnload: () => this.#suspend(),
      onReturn: this.#restart,
    });
    const database = this.#connect(() => {
      if (this.#database === database) this.#reopen();
    });
    this.#database = database;
    database.then(
      () => {
        if (this.#database !== database) return;
        this.#isOpen = true;
        this.#after(RENEW_AFTER, () => void this.#renewLog());
      },
      // The caller gets the error, and the next operation tries again.
      () => {
        if (this.#database === database) this.#database = undefined;
      },
    );
    return database;
  }

  /**
   * Runs a function in one transaction, which ends when `run` awaits anything else. May call `run` again.
   *
   * @throws DOMException `NotFoundError` when it relies on a database that was deleted
   */
  async transact<T, Mode extends 'readonly' | 'readwrite'>(
    stores: StoreNames<Stores>[],
    options: TransactionOptions<Mode>,
    run: (transaction: TransactionOf<Stores, Mode>) => Promise<T>,
  ): Promise<T> {
    let isMended = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const database = await this.open();
        if (options.identity !== undefined && options.identity !== this.identity)
          throw new DOMException('The database was deleted', 'NotFoundError');
        // At page unload, the last writes do not wait, and nothing else begins that they would have to wait for.
        if (options.mode === 'readwrite')
          await (options.isLastWrite === true
            ? (this.#lastWrites ??= Promise.race([this.#renewLog(), this.#unloading]))
            : this.#renewLog());
        if (this.#whenShown !== undefined) await this.#whenShown;
        return await this.#running.run(database, stores, options, run);
      } catch (error) {
        if (!isMended && attempt < ATTEMPTS && isUnreadable(error)) {
          // Transactions that fail together share one repair.
          isMended = await (this.#deleting ??= this.#deleteUnreadable().finally(
            () => (this.#deleting = undefined),
          ));
          continue;
        }
        const isUnload = error instanceof UnloadAbort;
        if (attempt === ATTEMPTS || this.#isClosed || !(isUnload || isLostConnection(error))) throw error;
        // iOS closes connections of background pages, which is only noticed on use (https://webkit.org/b/197050). At
        // page unload, the last writes use this connection.
        if (!isUnload) this.disconnect();
        // While the browser clears site data, it also closes new connections (observed in Chromium; no bug found).
        if (attempt > 1 || isUnload) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      }
    }
  }

  /**
   * Writes a mark in the task that calls it, if the database is open. Marks have a store of their own: Chromium drops a
   * transaction that waits for another one to end when the page unloads (observed in 156; no bug found).
   */
  async putMark(key: string, mark: unknown, identity?: string): Promise<void> {
    const last = {
      mode: 'readwrite',
      durability: 'strict',
      isLastWrite: true,
      hasMarks: true,
      identity,
    } as const;
    await this.transact([], last, async (transaction) => {
      const marked = marksOf(transaction).put(mark, key);
      transaction.commit();
      await marked;
    });
  }

  /** The page may unload: aborts everything that would delay its last writes. It is repeated if the page stays, on the same connection. */
  prepareUnload(): void {
    this.#startUnload();
    this.#running.abort(new UnloadAbort(), ({ isLastWrite }) => !isLastWrite);
  }

  /**
   * The page was unloaded. A transaction that is open while WebKit suspends the page blocks those of the next page for
   * ever (observed in WebKitGTK 2.50; no bug found). So it aborts also the last writes that are not committed yet, which
   * would never end, and begins nothing until the page is shown again.
   */
  #suspend(): void {
    if (!isWebKit()) return;
    this.#whenShown = new Promise((resolve) => (this.#onShown = resolve));
    this.#running.abort(new UnloadAbort());
  }

  /** Closes the connection; the next caller opens another one. */
  disconnect(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#isOpen = false;
    database?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  /** Closes it permanently. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening?.();
    for (const timer of this.#timers) clearTimeout(timer);
    this.disconnect();
  }

  /** Has Chromium start a new log before the first write: see `renewLog`. */
  #renewLog(): Promise<void> {
    return (this.#renewing ??= renewLog(this.#name));
  }

  /** The browser may close a connection while it opens: when it clears site data, it also closes new connections. */
  async #connect(gone: () => void): Promise<IDBPDatabase<Stores>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#connectOnce(gone);
      } catch (error) {
        if (attempt === ATTEMPTS || this.#isClosed || errorName(error) !== 'AbortError') throw error;
        if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      }
    }
  }

  async #connectOnce(gone: () => void): Promise<IDBPDatabase<Stores>> {
    let isCreated = false;
    const database = await openDB<Stores>(this.#name, this.#options.version, {
      upgrade: (created, from, _to, transaction, event) => {
        // Opening fails too.
        transaction.done.catch(() => undefined);
        this.dataLoss = dataLossOf(event);
        if (from > 0 && !hasMarks(created)) {
          // It belongs to another app, and stays as it is.
          transaction.abort();
          return;
        }
        const former = [...(created.objectStoreNames as Iterable<StoreNames<Stores>>)]; // as declared in the database
        for (const name of former) created.deleteObjectStore(name);
        this.#options.create(created);
        isCreated = true;
        createMarks(created);
      },
      // Another tab wants to upgrade or delete the database, which an open connection would block.
      blocking: gone,
      terminated: () => {
        const closed = new DOMException('The browser closed the connection', 'AbortError');
        this.#running.abort(closed, (running) => running.database === database);
        gone();
      },
    });
    const identity = identityOf(database);
    const isReplaced = this.identity !== undefined && this.identity !== identity;
    this.identity = identity;
    this.isCreated = isCreated;
    if (isReplaced) this.#onReplaced();
    return database;
  }

  /**
   * Deletes unreadable records after a transaction has failed because of one.
   *
   * @returns false if that fails too, for example because the connection was lost
   */
  async #deleteUnreadable(): Promise<boolean> {
    try {
      const database = await this.open();
      const names = [...(database.objectStoreNames as Iterable<StoreNames<Stores>>)]; // as declared in the database
      const request: RunRequest = (store, run) => {
        const name = store as StoreNames<Stores>; // one of them
        return this.#running.run(
          database,
          [name],
          { mode: 'readonly' },
          (transaction) => run(transaction.objectStore(name) as unknown as Parameters<typeof run>[0]), // not part of the schema
        );
      };
      const lost = await findUnreadable(names as string[], request);
      if (lost.length === 0) return true;
      const { lostStore, noteLoss } = this.#options;
      await this.#running.run(database, names, { mode: 'readwrite' }, async (transaction) => {
        for (const [place, key] of lost) {
          const store = place as StoreNames<Stores>; // likewise
          const records = transaction.objectStore(store) as unknown as IDBPObjectStore<
            unknown,
            [string],
            string,
            'readwrite'
          >; // not part of the schema
          void (lostStore.includes(store) ? records.put(LOST, key) : records.delete(key)).catch(
            () => undefined,
          );
        }
        await noteLoss?.(transaction);
      });
      const where = lost.map(([store, key]) => `${store} ${JSON.stringify(key)}`).join(', ');
      this.#onLost(where);
      return true;
    } catch {
      return false;
    }
  }

  /** Reopening detects a deletion even if nothing is read or written. */
  #reopen(): void {
    this.disconnect();
    this.#after(REOPEN_AFTER, () => void this.openWithoutTimeout().catch(() => undefined));
  }

  #after(delay: number, run: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delay);
    this.#timers.add(timer);
  }
}

function isLostConnection(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError'].includes(
    errorName(error),
  );
}
