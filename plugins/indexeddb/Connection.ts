import { openDB } from 'idb';
import { lossOf, renewLog } from './chromiumLog.ts';
import { createStores, VERSION, type Database, type Stores } from './stores.ts';

/**
 * Who asks waits this long for the database to open, in ms. It may take for ever: while another tab holds an older
 * version open, or where the browser never answers, as some have been seen to do.
 */
const OPEN_WITHIN = 2_000;

/** The connection to one database: opened when it is asked for, and again after it was lost. */
export class Connection {
  readonly #name: string;
  readonly #openWithin: number;
  #database: Promise<Database> | undefined;
  #isOpen = false;
  #isClosed = false;
  #renewing: Promise<void> | undefined;
  #lost: string | undefined;

  /**
   * @param name - name of the database
   * @param openWithin - how long whoever asks waits for it to open, in ms
   */
  constructor(name: string, openWithin: number = OPEN_WITHIN) {
    this.#name = name;
    this.#openWithin = openWithin;
  }

  /** Whether it was closed for good. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What the browser said to have lost of what was here, if it has. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** Sees to it, once, that what has been written can be read. */
  renewLog(): Promise<void> {
    return (this.#renewing ??= renewLog(this.#name));
  }

  /** The open database. Settles within the time that was given, however long opening takes. */
  get(): Promise<Database> {
    return this.#isOpen ? this.late() : within(this.#openWithin, this.late());
  }

  /** The open database, however long that takes: perhaps for ever. */
  late(): Promise<Database> {
    if (this.#isClosed)
      return Promise.reject(new DOMException('The storage was closed', 'InvalidStateError'));
    if (this.#database !== undefined) return this.#database;
    const database = this.#open(() => {
      if (this.#database === database) this.drop();
    });
    this.#database = database;
    database.then(
      () => {
        if (this.#database === database) this.#isOpen = true;
      },
      // The next operation tries again, and whoever asked for this one is told.
      () => {
        if (this.#database === database) this.#database = undefined;
      },
    );
    return database;
  }

  /** Lets go of the database; whoever asks next opens it again. */
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
    this.drop();
  }

  /** @param gone - called when the connection can no longer be used */
  async #open(gone: () => void): Promise<Database> {
    return openDB<Stores>(this.#name, VERSION, {
      upgrade: (database, _from, _to, _transaction, event) => {
        this.#lost = lossOf(event);
        createStores(database);
      },
      // Another tab wants to upgrade or delete the database; holding on would block it.
      blocking: gone,
      terminated: gone,
    });
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DOMException('Not open yet; another tab may hold an older version open', 'TimeoutError'));
    }, ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
