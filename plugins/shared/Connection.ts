import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { lossOf, renewLog } from './chromiumLog.ts';
import { errorName } from './errorName.ts';
import { dropUnreadable, isUnreadable, type Request } from './unreadableRecords.ts';
import { uniqueKey } from './uniqueKey.ts';
import { within } from './within.ts';

/**
 * How long a caller waits for the database to open, in ms. Opening may never end: while another tab holds an older
 * version open, or where the browser never answers (WebKit bug 226547).
 */
const OPEN_WITHIN = 2_000;

/** After the browser has closed a connection, it is opened again this much later, in ms, unless a caller needs it sooner. */
const REOPEN_AFTER = 200;

/** How often a transaction whose connection is lost is run, and the pause before each time but the second, in ms. */
const ATTEMPTS = 5;
const RETRY_AFTER = 50;

/** A log is renewed this long after the database was opened, in ms, unless something is written before. */
const RENEW_AFTER = 50;

/** Begins the name of an empty store whose name identifies the database, so that its identity is known without a read. */
const IDENTITY = 'identity ';

/** A transaction over some stores of a database. */
export type TransactionOf<Stores extends DBSchema, Mode extends IDBTransactionMode> = IDBPTransaction<
  Stores,
  StoreNames<Stores>[],
  Mode
>;

/** What a connection is to. */
export interface ConnectionOptions<Stores extends DBSchema> {
  /** Version of the database: raised when its stores change. */
  readonly version: number;
  /** Creates the stores of a new database. */
  create(this: void, database: IDBPDatabase<Stores>): void;
  /** How long a caller waits for the database to open, in ms. Default: 2,000. */
  readonly openWithin?: number | undefined;
  /** The store in which `LOST` takes the place of a record that cannot be read any more. */
  readonly marked: string;
}

/** How one transaction is run. */
export interface TransactionOptions<Mode extends 'readonly' | 'readwrite'> {
  readonly mode: Mode;
  readonly durability?: IDBTransactionDurability;
  /** Whether it counts on what was read before, so that it must not run on a database that has replaced that one. */
  readonly isInformed?: boolean;
  /** Whether `hurry` leaves it alone: it is what the page has to get written before it is gone. */
  readonly isLast?: boolean;
}

/** A transaction that has not ended. */
interface Running {
  readonly database: unknown;
  readonly isLast: boolean;
  readonly abort: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The connection to one database: opened when it is needed, and again after it was lost.
 *
 * Browsers close connections by themselves: when site data is cleared, when the disk is full, when a page has been in the
 * background (iOS). Chromium then leaves the requests of a committed transaction pending for ever, and Firefox those of
 * a page that was frozen in the back/forward cache (both observed, no bug found). So every transaction ends when its
 * connection does, and is run again on a new connection. Transactions must be safe to repeat.
 */
export class Connection<Stores extends DBSchema> {
  readonly #name: string;
  readonly #options: ConnectionOptions<Stores>;
  readonly #running = new Set<Running>();
  readonly #onReplaced = new Set<() => void>();
  readonly #onLost = new Set<(records: string) => void>();
  #database: Promise<IDBPDatabase<Stores>> | undefined;
  #isOpen = false;
  #isClosed = false;
  #identity: string | undefined;
  #lost: string | undefined;
  #renewing: Promise<void> | undefined;
  #mending: Promise<void> | undefined;
  #hurry: () => void = () => undefined;
  readonly #hurried = new Promise<void>((resolve) => (this.#hurry = resolve));
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** Ends what is under way and opens the database again: a frozen page may never hear what became of it. */
  readonly #restart = ({ persisted }: { readonly persisted?: boolean }): void => {
    if (persisted !== true) return;
    for (const { abort, reject } of this.#running) {
      abort();
      reject(new DOMException('The page was frozen', 'AbortError'));
    }
    this.drop();
  };

  /** @param name - name of the database */
  constructor(name: string, options: ConnectionOptions<Stores>) {
    this.#name = name;
    this.#options = options;
  }

  /** Whether it was closed for good. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What the browser said to have lost of what was here, if it has. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** Calls `listener` when the database turns out to have been deleted, and created again, since it was last open. */
  onReplaced(listener: () => void): void {
    this.#onReplaced.add(listener);
  }

  /** Calls `listener` when records had to be deleted, since the browser cannot read them any more, with where they were. */
  onLost(listener: (records: string) => void): void {
    this.#onLost.add(listener);
  }

  /** The open database. Settles within `openWithin`, however long opening takes. */
  get(): Promise<IDBPDatabase<Stores>> {
    if (this.#isOpen) return this.late();
    const message = 'Not open yet; another tab may hold an older version open';
    return within(this.#options.openWithin ?? OPEN_WITHIN, this.late(), message);
  }

  /** The open database, however long that takes: perhaps for ever. */
  late(): Promise<IDBPDatabase<Stores>> {
    if (this.#isClosed)
      return Promise.reject(new DOMException('The storage was closed', 'InvalidStateError'));
    if (this.#database !== undefined) return this.#database;
    // Node has no pages; of the same listener there is never more than one.
    if (typeof addEventListener === 'function') addEventListener('pageshow', this.#restart);
    const database = this.#open(() => {
      if (this.#database === database) this.#reopen();
    });
    this.#database = database;
    database.then(
      () => {
        if (this.#database !== database) return;
        this.#isOpen = true;
        this.#after(RENEW_AFTER, () => void this.#renewLog());
      },
      // The next operation tries again, and whoever asked for this one is told.
      () => {
        if (this.#database === database) this.#database = undefined;
      },
    );
    return database;
  }

  /**
   * Runs something in one transaction, which ends when `run` awaits anything else. `run` may be called again.
   *
   * @throws DOMException `NotFoundError` when it `isInformed`, and the database was replaced after it was asked for
   */
  async transact<T, Mode extends 'readonly' | 'readwrite'>(
    stores: StoreNames<Stores>[],
    options: TransactionOptions<Mode>,
    run: (transaction: TransactionOf<Stores, Mode>) => Promise<T>,
  ): Promise<T> {
    const identity = this.#identity;
    for (let attempt = 1; ; attempt++) {
      try {
        const database = await this.get();
        if (options.isInformed === true && identity !== undefined && identity !== this.#identity)
          throw new DOMException('The database was deleted', 'NotFoundError');
        if (options.mode === 'readwrite') await Promise.race([this.#renewLog(), this.#hurried]);
        return await this.#attempt(database, stores, options, run);
      } catch (error) {
        if (attempt === 1 && isUnreadable(error)) {
          // Those that fail together share it, and all of them go on from there.
          await (this.#mending ??= this.#mend().finally(() => (this.#mending = undefined)));
          continue;
        }
        // iOS closes connections of pages in the background, and only using one tells (WebKit bug 197050).
        if (attempt === ATTEMPTS || this.#isClosed || !isLostConnection(error)) throw error;
        this.drop();
        // While the browser clears site data, it also closes what has just been opened.
        if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      }
    }
  }

  /** The page may be about to go: aborts what only keeps its last writes waiting, which is run again if it stays. */
  hurry(): void {
    this.#hurry();
    for (const { isLast, abort } of this.#running) if (!isLast) abort();
  }

  /** Lets go of the database; the next caller opens it again. */
  drop(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#isOpen = false;
    database?.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  /** Lets go of it for good. */
  close(): void {
    this.#isClosed = true;
    if (typeof removeEventListener === 'function') removeEventListener('pageshow', this.#restart);
    for (const timer of this.#timers) clearTimeout(timer);
    this.drop();
  }

  /** Has Chromium begin a new log of its own, once, before anything is written: see `renewLog`. */
  #renewLog(): Promise<void> {
    return (this.#renewing ??= renewLog(this.#name));
  }

  async #open(gone: () => void): Promise<IDBPDatabase<Stores>> {
    const database = await openDB<Stores>(this.#name, this.#options.version, {
      upgrade: (created, from, _to, transaction, event) => {
        // Opening fails with it.
        transaction.done.catch(() => undefined);
        this.#lost = lossOf(event);
        if (from > 0) return;
        this.#options.create(created);
        (created as unknown as IDBPDatabase).createObjectStore(`${IDENTITY}${uniqueKey()}`); // of no interest to the schema
      },
      // Another tab wants to upgrade or delete the database; holding on would block it.
      blocking: gone,
      terminated: () => {
        this.#end(database);
        gone();
      },
    });
    const names: Iterable<string> = database.objectStoreNames;
    const identity = [...names].find((name) => name.startsWith(IDENTITY)) ?? '';
    const isReplaced = this.#identity !== undefined && this.#identity !== identity;
    this.#identity = identity;
    if (isReplaced) for (const listener of this.#onReplaced) listener();
    return database;
  }

  /** Deletes what cannot be read, where that is why a transaction has failed. */
  async #mend(): Promise<void> {
    try {
      const database = await this.get();
      const request: Request = (store, mode, run) => {
        const name = store as StoreNames<Stores>; // as the database has it
        return this.#attempt(
          database,
          [name],
          { mode },
          (transaction) => run(transaction.objectStore(name) as unknown as Parameters<typeof run>[0]), // of no interest to the schema
        );
      };
      const deleted = await dropUnreadable(database.objectStoreNames, request, this.#options.marked);
      if (deleted.length > 0) for (const listener of this.#onLost) listener(deleted.join(', '));
    } catch {
      // The transaction meets it again.
    }
  }

  /** Whether it was deleted, is found out even if nobody has anything to read or write. */
  #reopen(): void {
    this.drop();
    this.#after(REOPEN_AFTER, () => void this.late().catch(() => undefined));
  }

  #after(delay: number, run: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delay);
    this.#timers.add(timer);
  }

  /** The browser has closed this connection: its transactions will not end by themselves. */
  #end(database: unknown): void {
    for (const running of this.#running)
      if (running.database === database)
        running.reject(new DOMException('The browser closed the connection', 'AbortError'));
  }

  #attempt<T, Mode extends 'readonly' | 'readwrite'>(
    database: IDBPDatabase<Stores>,
    stores: StoreNames<Stores>[],
    { mode, durability = 'default', isLast = false }: TransactionOptions<Mode>,
    run: (transaction: TransactionOf<Stores, Mode>) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(stores, mode, { durability });
      // Awaited below; when `run` rejects first, nobody else listens.
      transaction.done.catch(() => undefined);
      // Where a commit fails for want of space, Chromium may leave requests pending for ever: then `run` never ends.
      transaction.addEventListener('abort', () => {
        this.#running.delete(running);
        reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
      });
      const abort = (): void => {
        try {
          transaction.abort();
        } catch {
          // It has ended already.
        }
      };
      const running: Running = { database, isLast, abort, reject };
      this.#running.add(running);
      run(transaction)
        .then(async (result) => {
          await transaction.done;
          return result;
        })
        .catch((error: unknown) => {
          // One request ends the transaction by its failure, and that ends the others.
          throw errorName(error) === 'AbortError' ? (transaction.error ?? error) : error;
        })
        .then(resolve, reject)
        .finally(() => {
          this.#running.delete(running);
          // It has ended, unless `run` threw.
          abort();
        });
    });
  }
}

function isLostConnection(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError', 'TransactionInactiveError'].includes(
    errorName(error),
  );
}
