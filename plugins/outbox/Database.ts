import { HoldfastError, type SideRecords } from 'holdfast';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Keeper } from './Keeper.ts';
import type { Lease, LeaseRecord } from './Lease.ts';
import { orderOf } from './record.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  lease: { key: string; value: LeaseRecord };
}

const LEASE = 'drainer';

/** Among the entries, says up to which order the last reset has voided them. */
const RESET = 'reset';

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
    return keys.flatMap((key, place) => (key === RESET ? [] : [[key, records[place]] as const]));
  }

  write(records: SideRecords): Promise<void> {
    for (const [key, record] of records) this.#pending.set(key, record);
    this.#next ??= this.#enqueue(() => this.#write());
    return this.#next;
  }

  /** Drops what is not written yet, as far as it is from before a reset. */
  forget(through: number): void {
    for (const [key, record] of this.#pending)
      if (record === undefined || orderOf(record) <= through) this.#pending.delete(key);
  }

  /**
   * Deletes what is from before a reset. What another tab writes of that later on, since it has not heard, is void.
   *
   * @param through - the highest order that any of it has
   */
  clear(through: number): Promise<void> {
    // Without IndexedDB there is nothing to delete; in one that does not open there may be.
    if (typeof indexedDB === 'undefined') return Promise.resolve();
    return this.#enqueue(async () => {
      const database = await this.#open();
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      for await (const cursor of transaction.store)
        if (orderOf(cursor.value) <= through) await cursor.delete();
      await transaction.store.put(through, RESET);
      await transaction.done;
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
    if (records.size === 0) return;
    this.#pending = new Map();
    try {
      const database = await this.#open();
      const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
      transaction.done.catch(() => undefined);
      const voided = (await transaction.store.get(RESET)) as number | undefined; // clear() writes nothing else there
      for (const [key, record] of records)
        void (
          record === undefined || orderOf(record) <= (voided ?? 0)
            ? transaction.store.delete(key)
            : transaction.store.put(record, key)
        ).catch(() => undefined);
      await transaction.done;
    } catch (error) {
      // Goes along with the next write.
      for (const [key, record] of records) if (!this.#pending.has(key)) this.#pending.set(key, record);
      throw error;
    }
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run).catch((cause: unknown) => {
      throw new HoldfastError(
        'HF_STORAGE',
        `IndexedDB database "${this.#name}": what the outbox keeps cannot be written; allow site data to keep it`,
        { cause },
      );
    });
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
