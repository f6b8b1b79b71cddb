import { HoldfastError, type SideRecords } from 'holdfast';
import type { DBSchema, IDBPDatabase } from 'idb';
import { Connection } from '../shared/Connection.ts';
import type { Keeper } from './Keeper.ts';
import type { Lease, LeaseRecord } from './Lease.ts';
import { orderOf } from './record.ts';
import { hasIndexedDB } from '../shared/hasIndexedDB.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  lease: { key: string; value: LeaseRecord };
}

const LEASE = 'drainer';

/** Among the entries, says up to which order the last reset has voided them. */
const RESET = 'reset';

/** How what exists nowhere else is written. */
const STRICT = { mode: 'readwrite', durability: 'strict', isLast: true } as const;

/** A database of the outbox's own: for entries where there is no storage plugin, for the lease where there are no locks. */
export class Database implements Keeper, Lease {
  readonly #name: string;
  readonly #connection: Connection<Stores>;
  #pending = new Map<string, unknown>();
  /** The write that has not begun: whoever writes meanwhile shares it. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Who has the lease, where it is somebody here. */
  #owner: string | undefined;
  /** Settles when no lease is being taken. */
  #taking: Promise<unknown> = Promise.resolve();
  /** The last reset that whoever writes here knows of, by its order; 0 where there was none. */
  #knownReset: number | undefined;

  /** @param openWithin - how long it may take to open, in ms */
  constructor(name: string, openWithin?: number) {
    this.#name = name;
    this.#connection = new Connection(name, {
      version: 1,
      create: createStores,
      openWithin,
      marked: 'entries',
    });
  }

  /** What the browser said to have lost of what was here, if it has. */
  get lost(): string | undefined {
    return this.#connection.lost;
  }

  /** Calls `listener` when the database turns out to have been deleted while it was in use. */
  onReplaced(listener: () => void): void {
    this.#connection.onReplaced(() => {
      this.#knownReset = undefined;
      listener();
    });
  }

  /** Resolves when a database that took too long to open has come to its end, with whether it is open: perhaps never. */
  openedLate(): Promise<boolean> {
    return this.#connection.late().then(
      () => true,
      () => false,
    );
  }

  /** Calls `listener` when records had to be deleted, since the browser cannot read them any more, with where they were. */
  onLost(listener: (records: string) => void): void {
    this.#connection.onLost(listener);
  }

  async read(): Promise<SideRecords> {
    await this.#last;
    const [keys, records, reset] = await this.#connection.transact(
      ['entries'],
      { mode: 'readonly' },
      (transaction) => {
        const entries = transaction.objectStore('entries');
        return Promise.all([entries.getAllKeys(), entries.getAll(), entries.get(RESET)]);
      },
    );
    this.#voids(reset);
    return keys.flatMap((key, place) => (key === RESET ? [] : [[key, records[place]] as const]));
  }

  /** Resolves when all is written; where the browser has deleted the database, that is all that is known again. */
  async flush(): Promise<void> {
    await this.#connection.get().catch(() => undefined);
    await this.write([]);
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
    if (!hasIndexedDB()) return Promise.resolve();
    return this.#enqueue(async () => {
      await this.#connection.transact(['entries'], STRICT, async (transaction) => {
        const entries = transaction.objectStore('entries');
        for await (const cursor of entries) if (orderOf(cursor.value) <= through) await cursor.delete();
        await entries.put(through, RESET);
      });
      this.#knownReset = through;
    });
  }

  async close(): Promise<void> {
    // A lease that is just being taken would otherwise stay until it ends.
    await this.#taking;
    // Whoever is next need not wait for what is under way here: it is known by its key if it is sent again.
    if (this.#owner !== undefined) await this.giveBack(this.#owner).catch(() => undefined);
    await this.#last;
    this.#connection.close();
  }

  take(owner: string, now: number, until: number): Promise<boolean> {
    const taken = this.#take(owner, now, until);
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  async #take(owner: string, now: number, until: number): Promise<boolean> {
    const isFree = await this.#connection.transact(['lease'], { mode: 'readwrite' }, async (transaction) => {
      const lease = transaction.objectStore('lease');
      const held = await lease.get(LEASE);
      // One that lasts longer than any that is taken now was taken before the clock was set back.
      const isFound = held === undefined || held.owner === owner || held.until <= now || held.until > until;
      if (isFound) await lease.put({ owner, until }, LEASE);
      return isFound;
    });
    if (isFree) this.#owner = owner;
    return isFree;
  }

  async giveBack(owner: string): Promise<void> {
    if (this.#owner !== owner) return;
    this.#owner = undefined;
    await this.#connection.transact(['lease'], { mode: 'readwrite' }, async (transaction) => {
      const lease = transaction.objectStore('lease');
      if ((await lease.get(LEASE))?.owner === owner) await lease.delete(LEASE);
    });
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const records = this.#pending;
    if (records.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#connection.transact(['entries'], STRICT, async (transaction) => {
        const entries = transaction.objectStore('entries');
        const voided = this.#voids(await entries.get(RESET));
        await Promise.all(
          [...records].map(([key, record]): Promise<unknown> =>
            record === undefined || orderOf(record) <= voided
              ? entries.delete(key)
              : entries.put(record, key),
          ),
        );
      });
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
}

function createStores(database: IDBPDatabase<Stores>): void {
  database.createObjectStore('entries');
  database.createObjectStore('lease');
}
