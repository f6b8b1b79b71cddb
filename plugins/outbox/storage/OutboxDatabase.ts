import { HoldfastError, type SideRecords } from 'holdfast';
import type { DBSchema, IDBPDatabase } from 'idb';
import { Connection } from '../../shared/Connection.ts';
import { marksOf } from '../../shared/marks.ts';
import { ResetNote } from '../../shared/ResetNote.ts';
import type { QueueStore } from './PersistedRecords.ts';
import type { Lease } from '../sending/withLock.ts';
import { orderOf } from './record.ts';
import { hasIndexedDB } from '../../shared/hasIndexedDB.ts';
import { remedy } from '../../shared/remedy.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  /** The owner, and when its lease expires unless renewed, in ms since the epoch. */
  lease: { key: string; value: { readonly owner: string; readonly until: number } };
}

const LEASE = 'drainer';

/** The key of the record with the order up to which the last reset has voided entries. */
const RESET = 'reset';

/** The key of the mark with the same of a reset that has begun, but not ended. */
const RESETTING = 'resetting';

/** For records that exist nowhere else. */
const STRICT = { mode: 'readwrite', durability: 'strict' } as const;

/** For the lease, which may be acquired and released while the page unloads. */
const LEASED = { mode: 'readwrite', isLastWrite: true } as const;

/** For writes that are also to be carried out while the page unloads. */
const LAST = { ...STRICT, isLastWrite: true } as const;

/** The outbox's own database: for entries without a storage plugin, and for the lease without Web Locks. */
export class OutboxDatabase implements QueueStore, Lease {
  readonly #name: string;
  readonly #connection: Connection<Stores>;
  readonly #resetNote: ResetNote;
  #pending = new Map<string, unknown>();
  /** The next write, which all callers share until it starts. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The owner of the lease, if it is here. */
  #owner: string | undefined;
  /** Settles when no lease is being acquired. */
  #leasing: Promise<unknown> = Promise.resolve();
  /** The order of the last reset that this tab knows of; 0 if there was none. */
  #knownReset: number | undefined;

  /** @param openWithin - how long callers wait for the database to open, in ms */
  constructor(name: string, openWithin?: number) {
    this.#name = name;
    this.#resetNote = new ResetNote(name);
    this.#connection = new Connection(name, {
      version: 2,
      create: createStores,
      openWithin,
      lostStore: ['entries'],
    });
  }

  /** Calls `listener` when the database was deleted while it was in use. */
  onReplaced(listener: () => void): void {
    this.#connection.onReplaced(() => {
      this.#knownReset = undefined;
      listener();
    });
  }

  /** Resolves when a slow opening has ended, with whether it is open; possibly never. */
  whenOpened(): Promise<boolean> {
    return this.#connection.openWithoutTimeout().then(
      () => true,
      () => false,
    );
  }

  /** Calls `listener` with the keys of records that were deleted because the browser could no longer read them. */
  onLost(listener: (records: string) => void): void {
    this.#connection.onLost(listener);
  }

  async read(): Promise<SideRecords> {
    await this.#last;
    const [keys, records] = await this.#connection.transact(
      ['entries'],
      { mode: 'readonly' },
      (transaction) => {
        const entries = transaction.objectStore('entries');
        return Promise.all([entries.getAllKeys(), entries.getAll()]);
      },
    );
    const found = new Map(keys.map((key, place) => [key, records[place]]));
    // Looked for after the entries were read, so that no reset is missed that came before that.
    const resetting = await this.#readMark();
    if (typeof resetting === 'number') {
      // The page of that reset was unloaded before it had ended.
      await this.#deleteThrough(resetting);
      return this.read();
    }
    this.#voidedThrough(found.get(RESET));
    found.delete(RESET);
    return [...found];
  }

  /**
   * Resolves when everything is written; after the browser has deleted the database, everything known is written
   * again.
   */
  async flush(): Promise<void> {
    await this.#connection.open().catch(() => undefined);
    await this.write([]);
  }

  write(records: SideRecords): Promise<void> {
    for (const [key, record] of records) this.#pending.set(key, record);
    this.#next ??= this.#enqueue(() => this.#write());
    return this.#next;
  }

  /** Drops pending writes from before a reset. */
  dropPending(through: number): void {
    for (const [key, record] of this.#pending)
      if (record === undefined || orderOf(record) <= through) this.#pending.delete(key);
  }

  /**
   * Deletes records from before a reset. Whatever another tab writes of them later is void.
   *
   * @param through - the highest order of any of them
   */
  clear(through: number): Promise<void> {
    // Without IndexedDB there is nothing to delete; a database that does not open may have data.
    if (!hasIndexedDB()) return Promise.resolve();
    // At once: the app may navigate right after it has called `reset()`, and then nothing else is carried out.
    const marking = this.#markReset(through);
    return this.#enqueue(async () => {
      await marking;
      await this.#deleteThrough(through);
      this.#knownReset = through;
    });
  }

  /** Records that a reset has begun, for the next reader. `#deleteThrough` reports a failure. */
  #markReset(through: number): Promise<void> {
    const note = (): void => this.#resetNote.write(String(through));
    if (!this.#connection.isOpen) note();
    // As on a full disk.
    return this.#connection.putMark(RESETTING, through).catch(note);
  }

  #readMark(): Promise<unknown> {
    const noted = Number(this.#resetNote.text);
    if (noted > 0) return Promise.resolve(noted);
    const options = { mode: 'readonly', hasMarks: true } as const;
    return this.#connection.transact(['entries'], options, async (transaction) =>
      marksOf(transaction).get(RESETTING),
    );
  }

  async #deleteThrough(through: number): Promise<void> {
    await this.#connection.transact(['entries'], { ...STRICT, hasMarks: true }, async (transaction) => {
      const entries = transaction.objectStore('entries');
      for await (const cursor of entries) if (orderOf(cursor.value) <= through) await cursor.delete();
      const marks = marksOf(transaction);
      await Promise.all([entries.put(through, RESET), marks.delete(RESETTING)]);
    });
    if (Number(this.#resetNote.text) <= through) this.#resetNote.delete();
  }

  async close(): Promise<void> {
    // Otherwise a lease that is being acquired would stay until it expires.
    await this.#leasing;
    // The next owner need not wait for requests in flight: a repeated one has the same idempotency key.
    if (this.#owner !== undefined) await this.lease(this.#owner, 0, 0).catch(() => undefined);
    await this.#last;
    this.#connection.close();
  }

  lease(owner: string, now: number, until: number): Promise<boolean> {
    const leasing = this.#connection.transact(['lease'], LEASED, async (transaction) => {
      const lease = transaction.objectStore('lease');
      const held = await lease.get(LEASE);
      const isOwn = held === undefined || held.owner === owner;
      // A lease that expires later than a new one was acquired before the clock was set back.
      const isFree = isOwn || (until > 0 && (held.until <= now || held.until > until));
      if (isFree) await lease.put({ owner, until }, LEASE);
      return isFree;
    });
    this.#leasing = leasing.then(
      (isFree) => {
        if (isFree) this.#owner = until > 0 ? owner : undefined;
      },
      () => undefined,
    );
    return leasing;
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const records = this.#pending;
    if (records.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#connection.transact(['entries'], LAST, async (transaction) => {
        const entries = transaction.objectStore('entries');
        const voided = this.#voidedThrough(await entries.get(RESET));
        await Promise.all(
          // Asynchronous, so that a record that cannot be cloned leaves no other request unhandled.
          [...records].map(async ([key, record]): Promise<unknown> =>
            record === undefined || orderOf(record) <= voided
              ? entries.delete(key)
              : entries.put(record, key),
          ),
        );
      });
    } catch (error) {
      // Retried with the next write.
      for (const [key, record] of records) if (!this.#pending.has(key)) this.#pending.set(key, record);
      throw error;
    }
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run).catch((cause: unknown) => {
      throw new HoldfastError(
        'HF_STORAGE',
        `IndexedDB database "${this.#name}": mutations cannot be written; ${remedy(cause, 'allow site data to keep it')}`,
        { cause },
      );
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** The order up to which an unknown reset has voided entries. */
  #voidedThrough(reset: unknown): number {
    const order = typeof reset === 'number' ? reset : 0;
    // Later entries are valid, even if the clock was set back since.
    this.#knownReset ??= order;
    return order === this.#knownReset ? 0 : order;
  }
}

function createStores(database: IDBPDatabase<Stores>): void {
  database.createObjectStore('entries');
  database.createObjectStore('lease');
}
