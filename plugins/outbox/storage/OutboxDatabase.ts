import { HoldfastError, type SideRecords } from 'holdfast';
import type { DBSchema, IDBPDatabase } from 'idb';
import { Connection } from '../../shared/Connection.ts';
import { marksOf } from '../../shared/marks.ts';
import { ResetNote } from '../../shared/ResetNote.ts';
import type { QueueStore } from './PersistedRecords.ts';
import type { Lease } from '../sending/withLock.ts';
import { readRecord } from './record.ts';
import { hasIndexedDB } from '../../shared/hasIndexedDB.ts';
import { isReadable } from '../../shared/blobStorage.ts';
import { errorName } from '../../shared/errorName.ts';
import { remedy } from '../../shared/remedy.ts';
import { uniqueKey } from '../../shared/uniqueKey.ts';

interface Stores extends DBSchema {
  entries: { key: string; value: unknown };
  /** The owner, and when its lease expires unless renewed, in ms since the epoch. */
  lease: { key: string; value: { readonly owner: string; readonly until: number } };
}

const LEASE = 'drainer';

/** The key of the record of the last reset. */
const RESET = 'reset';

/** The key of the mark of a reset that has begun, but not ended. */
const RESETTING = 'resetting';

/** A reset that discards entries. */
export interface OutboxReset {
  /** When it was, in ms since the epoch. Identifies it. */
  readonly at: number;
  /** The highest order of any entry from before it. */
  readonly through: number;
}

/** For records that exist nowhere else. */
const STRICT = { mode: 'readwrite', durability: 'strict' } as const;

/** For the lease, which may be acquired and released while the page unloads. */
const LEASED = { mode: 'readwrite', isLastWrite: true } as const;

/** For writes that are also to be carried out while the page unloads. */
const LAST = { ...STRICT, isLastWrite: true } as const;

/** The outbox's own database: for entries without a storage plugin, and for the lease without Web Locks. */
export class OutboxDatabase implements QueueStore, Lease {
  readonly #name: string;
  readonly connection: Connection<Stores>;
  readonly #resetNote: ResetNote;
  #pending = new Map<string, unknown>();
  /** The next write, which all callers share until it starts. */
  #next: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Identifies this tab as the owner of the lease; undefined before the first (not every scope may create random values). */
  #owner: string | undefined;
  /** Whether it may have the lease, or get it. */
  #isLeasing = false;
  /** The times of the resets that this tab has followed. Times do not compare: the clock may have been set back. */
  readonly #followed = new Set<number>();
  /** The clock of the page, and when it started, in ms since the epoch; undefined if nothing is kept in memory. */
  #page: { readonly now: () => number; readonly startedAt: number } | undefined;
  /** Whether it is known which resets were before the page started. */
  #hasSeenResets = false;
  #onMissedReset: (at: number) => void = () => undefined;

  /** @param openWithin - how long callers wait for the database to open, in ms */
  constructor(name: string, openWithin?: number) {
    this.#name = name;
    this.#resetNote = new ResetNote(name);
    this.connection = new Connection(name, {
      version: 2,
      create: createStores,
      openWithin,
      lostStore: ['entries'],
    });
  }

  /**
   * Calls `listener` when another tab was reset and this one has not followed it.
   *
   * @param now - returns the time in ms since the epoch
   */
  onMissedReset(now: () => number, listener: (at: number) => void): void {
    this.#page = { now, startedAt: now() };
    this.#onMissedReset = listener;
  }

  async read(): Promise<SideRecords> {
    await this.#last;
    const [keys, records] = await this.connection.transact(
      ['entries'],
      { mode: 'readonly' },
      (transaction) => {
        const entries = transaction.objectStore('entries');
        return Promise.all([entries.getAllKeys(), entries.getAll()]);
      },
    );
    const found = new Map(keys.map((key, place) => [key, records[place]]));
    const reset = asReset(found.get(RESET));
    // Looked for after the entries were read, so that no reset is missed that came before that.
    const resetting = await this.#unfinishedReset(reset);
    if (resetting !== undefined) {
      // The page of that reset was unloaded before it had ended.
      if (resetting !== 'ended') await this.#carryOut(resetting);
      return this.read();
    }
    if (this.#isMissed(reset)) this.#onMissedReset(reset.at);
    found.delete(RESET);
    return [...found];
  }

  /**
   * Resolves when everything is written; after the browser has deleted the database, everything known is written
   * again.
   */
  async flush(): Promise<void> {
    await this.connection.open().catch(() => undefined);
    await this.write([]);
  }

  write(records: SideRecords): Promise<void> {
    for (const [key, record] of records) this.#pending.set(key, record);
    this.#next ??= this.#enqueue(() => this.#write());
    return this.#next;
  }

  /**
   * This tab follows a reset of another tab.
   *
   * @param at - the time of the reset
   * @param keys - of its entries: the other tab does not know of those that were queued here since
   */
  follow(at: number, keys: Iterable<string>): Promise<void> {
    this.#followed.add(at);
    return this.write(Array.from(keys, (key) => [key, undefined]));
  }

  /** Deletes records from before a reset. What tabs write that have not followed it is void. */
  clear(reset: OutboxReset): Promise<void> {
    this.#followed.add(reset.at);
    this.#pending = new Map();
    // Without IndexedDB there is nothing to delete; a database that does not open may have data.
    if (!hasIndexedDB()) return Promise.resolve();
    // At once: the app may navigate right after it has called `reset()`, and then nothing else is carried out.
    const marking = this.#markReset(reset);
    return this.#enqueue(async () => {
      await marking;
      await this.#carryOut(reset);
    });
  }

  /** Records that a reset has begun, for the next reader. `#carryOut` reports a failure. */
  #markReset(reset: OutboxReset): Promise<void> {
    const note = (): void => this.#resetNote.write(JSON.stringify(reset));
    if (!this.connection.isOpen) note();
    // As on a full disk.
    return this.connection.putMark(RESETTING, reset).catch(note);
  }

  /**
   * The reset that has begun, but not ended.
   *
   * @param known - the last reset that had ended when the entries were read
   * @returns `'ended'` if another one has ended since
   */
  async #unfinishedReset(known: OutboxReset | undefined): Promise<OutboxReset | 'ended' | undefined> {
    const noted = this.#notedReset();
    if (noted !== undefined) return noted;
    const options = { mode: 'readonly', hasMarks: true } as const;
    return this.connection.transact(['entries'], options, async (transaction) => {
      const [mark, last] = await Promise.all([
        marksOf(transaction).get(RESETTING),
        transaction.objectStore('entries').get(RESET),
      ]);
      return asReset(mark) ?? (asReset(last)?.at === known?.at ? undefined : 'ended');
    });
  }

  #notedReset(): OutboxReset | undefined {
    try {
      return asReset(JSON.parse(this.#resetNote.text));
    } catch {
      return undefined;
    }
  }

  async #carryOut({ at, through }: OutboxReset): Promise<void> {
    await this.connection.transact(['entries'], { ...STRICT, hasMarks: true }, async (transaction) => {
      const entries = transaction.objectStore('entries');
      for await (const cursor of entries)
        if (readRecord([cursor.key, cursor.value]).order <= through) await cursor.delete();
      const marks = marksOf(transaction);
      await Promise.all([entries.put({ at, through }, RESET), marks.delete(RESETTING)]);
    });
    if (this.#notedReset()?.at === at) this.#resetNote.delete();
  }

  async close(): Promise<void> {
    // Also a lease that is being acquired: it would stay until it expires. The next owner need not wait for requests in
    // flight: a repeated one has the same idempotency key.
    if (this.#isLeasing) await this.lease(0, 0).catch(() => undefined);
    await this.#last;
    this.connection.close();
  }

  lease(now: number, until: number): Promise<boolean> {
    this.#isLeasing = until > 0;
    const owner = (this.#owner ??= uniqueKey());
    return this.connection.transact(['lease'], LEASED, async (transaction) => {
      const lease = transaction.objectStore('lease');
      const held = await lease.get(LEASE);
      const isOwn = held === undefined || held.owner === owner;
      // A lease that expires later than a new one was acquired before the clock was set back.
      const isFree = isOwn || (until > 0 && (held.until <= now || held.until > until));
      if (isFree) await lease.put({ owner, until }, LEASE);
      return isFree;
    });
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    const records = this.#pending;
    if (records.size === 0) return;
    const next = (this.#pending = new Map());
    try {
      const missed = await this.connection.transact(['entries'], LAST, async (transaction) => {
        const entries = transaction.objectStore('entries');
        const reset = asReset(await entries.get(RESET));
        const isMissed = this.#isMissed(reset);
        await Promise.all(
          // Asynchronous, so that a record that cannot be cloned leaves no other request unhandled.
          [...records].map(async ([key, record]): Promise<unknown> =>
            record === undefined || isMissed ? entries.delete(key) : entries.put(record, key),
          ),
        );
        return isMissed ? reset : undefined;
      });
      if (missed !== undefined) this.#onMissedReset(missed.at);
    } catch (error) {
      // Retried with the next write, except a file that can no longer be read: nothing would be written any more.
      // After a reset, none of them counts.
      for (const [key, record] of records)
        if ((await isReadable(record)) && this.#pending === next && !next.has(key)) next.set(key, record);
      throw error;
    }
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run).catch((cause: unknown) => {
      const isTimeout = errorName(cause) === 'TimeoutError';
      const advice = isTimeout
        ? 'if this lasts, close other tabs of the app'
        : 'allow site data to keep them';
      throw new HoldfastError(
        'HF_STORAGE',
        `IndexedDB database "${this.#name}": mutations cannot be written; ${remedy(cause, advice)}`,
        { cause },
      );
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Whether another tab was reset and this one has not followed it: then what it has in memory is from before that. */
  #isMissed(reset: OutboxReset | undefined): reset is OutboxReset {
    if (!this.#hasSeenResets) {
      this.#hasSeenResets = true;
      const { now = Date.now, startedAt = Infinity } = this.#page ?? {};
      // A time in the future is one from before the clock was set back.
      const isWhileOpening = reset !== undefined && startedAt < reset.at && reset.at <= now();
      if (reset !== undefined && !isWhileOpening) this.#followed.add(reset.at);
    }
    return reset !== undefined && !this.#followed.has(reset.at);
  }
}

/** Validates a stored reset. */
function asReset(stored: unknown): OutboxReset | undefined {
  const { at, through } = Object(stored) as Partial<OutboxReset>; // each member is checked
  return typeof at === 'number' && typeof through === 'number' ? { at, through } : undefined;
}

function createStores(database: IDBPDatabase<Stores>): void {
  database.createObjectStore('entries');
  database.createObjectStore('lease');
}
