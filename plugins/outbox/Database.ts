import { HoldfastError, type SideRecords } from 'holdfast';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Keeper } from './Keeper.ts';
import type { Lease, LeaseRecord } from './Lease.ts';
import { orderOf } from './record.ts';
import { within } from './within.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  lease: { key: string; value: LeaseRecord };
}

const LEASE = 'drainer';

/** Browsers have been seen never to answer whoever opens a database: nobody waits for it longer than this, in ms. */
const OPEN_WITHIN = 2_000;

/** Among the entries, says up to which order the last reset has voided them. */
const RESET = 'reset';

/** A database of the outbox's own: for entries where there is no storage plugin, for the lease where there are no locks. */
export class Database implements Keeper, Lease {
  readonly #name: string;
  readonly #openWithin: number;
  #connection: Promise<IDBPDatabase<Stores>> | undefined;
  #pending = new Map<string, unknown>();
  /** The write that has not begun: whoever writes meanwhile shares it. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Who has the lease, where it is somebody here. */
  #owner: string | undefined;
  /** The last reset that whoever writes here knows of, by its order; 0 where there was none. */
  #knownReset: number | undefined;
  #isClosed = false;

  /** @param openWithin - how long it may take to open, in ms */
  constructor(name: string, openWithin: number = OPEN_WITHIN) {
    this.#name = name;
    this.#openWithin = openWithin;
  }

  async read(): Promise<SideRecords> {
    await this.#last;
    const database = await this.#open();
    const transaction = database.transaction('entries');
    const [keys, records, reset] = await Promise.all([
      transaction.store.getAllKeys(),
      transaction.store.getAll(),
      transaction.store.get(RESET),
    ]);
    this.#voids(reset);
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
      this.#knownReset = through;
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
    // One that lasts longer than any that is taken now was taken before the clock was set back.
    const isFree = held === undefined || held.owner === owner || held.until <= now || held.until > until;
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
      const voided = this.#voids(await transaction.store.get(RESET));
      for (const [key, record] of records)
        void (
          record === undefined || orderOf(record) <= voided
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

  /** Up to which order a reset that whoever writes here does not know of has voided entries. */
  #voids(reset: unknown): number {
    const order = typeof reset === 'number' ? reset : 0;
    // What is made here from now on is from after it, even if the clock has been set back since.
    this.#knownReset ??= order;
    return order === this.#knownReset ? 0 : order;
  }

  #open(): Promise<IDBPDatabase<Stores>> {
    if (this.#isClosed)
      return Promise.reject(new DOMException('The outbox was stopped', 'InvalidStateError'));
    return (this.#connection ??= this.#connect());
  }

  /** Opens it. Whoever asks once that takes too long is told at once; it is used when it opens after all. */
  #connect(): Promise<IDBPDatabase<Stores>> {
    const gone = (): void => {
      if (this.#connection === opening) this.#connection = undefined;
      void opening.then((database) => database.close());
    };
    const opening = openDB<Stores>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore('entries');
        database.createObjectStore('lease');
      },
      blocking: gone,
      terminated: gone,
    });
    const connection = within(this.#openWithin, opening, 'The database does not open');
    opening.then(
      () => {
        if (this.#connection === connection) this.#connection = opening;
        // It was closed meanwhile.
        else gone();
      },
      () => {
        // The next one who needs it tries again, and whoever asked for this one is told.
        if (this.#connection === connection) this.#connection = undefined;
      },
    );
    return connection;
  }
}
