import type { SideRecords } from 'holdfast';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Keeper } from './Keeper.ts';
import type { Lease, LeaseRecord } from './Lease.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  lease: { key: string; value: LeaseRecord };
}

const LEASE = 'drainer';

/** A database of the outbox's own: for entries where there is no storage plugin, for the lease where there are no locks. */
export class Database implements Keeper, Lease {
  readonly #name: string;
  #connection: Promise<IDBPDatabase<Stores>> | undefined;
  #pending = new Map<string, unknown>();
  /** The write that has not begun: whoever writes meanwhile shares it. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Who has the lease, where it is somebody here. */
  #owner: string | undefined;
  #isClosed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async read(): Promise<SideRecords> {
    await this.#last;
    const database = await this.#open();
    const transaction = database.transaction('entries');
    const [keys, records] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
    return keys.map((key, place) => [key, records[place]]);
  }

  write(records: SideRecords): Promise<void> {
    for (const [key, record] of records) this.#pending.set(key, record);
    this.#next ??= this.#enqueue(() => this.#write());
    return this.#next;
  }

  clear(): Promise<void> {
    this.#pending.clear();
    return this.#enqueue(async () => {
      await (await this.#open()).clear('entries');
    });
  }

  async close(): Promise<void> {
    // Whoever is next need not wait for what is under way here: it is known by its key if it is sent again.
    if (this.#owner !== undefined) await this.giveBack(this.#owner).catch(() => undefined);
    this.#isClosed = true;
    await this.#last;
    const connection = this.#connection;
    this.#connection = undefined;
    (await connection?.catch(() => undefined))?.close();
  }

  async take(owner: string, now: number, until: number): Promise<boolean> {
    const database = await this.#open();
    const transaction = database.transaction('lease', 'readwrite');
    const held = await transaction.store.get(LEASE);
    const isFree = held === undefined || held.owner === owner || held.until <= now;
    if (isFree) await transaction.store.put({ owner, until }, LEASE);
    await transaction.done;
    if (isFree) this.#owner = owner;
    return isFree;
  }

  async giveBack(owner: string): Promise<void> {
    if (this.#owner !== owner) return;
    this.#owner = undefined;
    const database = await this.#open();
    const transaction = database.transaction('lease', 'readwrite');
    if ((await transaction.store.get(LEASE))?.owner === owner) await transaction.store.delete(LEASE);
    await transaction.done;
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const records = this.#pending;
    this.#pending = new Map();
    try {
      const database = await this.#open();
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      transaction.done.catch(() => undefined);
      for (const [key, record] of records)
        void (
          record === undefined ? transaction.store.delete(key) : transaction.store.put(record, key)
        ).catch(() => undefined);
      await transaction.done;
    } catch (error) {
      // Goes along with the next write.
      for (const [key, record] of records) if (!this.#pending.has(key)) this.#pending.set(key, record);
      throw error;
    }
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #open(): Promise<IDBPDatabase<Stores>> {
    if (this.#isClosed)
      return Promise.reject(new DOMException('The outbox was stopped', 'InvalidStateError'));
    if (this.#connection === undefined) {
      const gone = (): void => {
        void connection.then((database) => database.close());
        if (this.#connection === connection) this.#connection = undefined;
      };
      const connection = openDB<Stores>(this.#name, 1, {
        upgrade(database) {
          database.createObjectStore('entries');
          database.createObjectStore('lease');
        },
        blocking: gone,
        terminated: gone,
      });
      this.#connection = connection;
      // The next one who needs it tries again, and whoever asked for this one is told.
      connection.catch(() => {
        if (this.#connection === connection) this.#connection = undefined;
      });
    }
    return this.#connection;
  }
}
