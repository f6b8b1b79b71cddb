import { Connection } from '../shared/Connection.ts';
import { errorName } from '../shared/errorName.ts';
import { decodeHeader, EMPTY_HEADER, sideEpochOf, type Header } from './header.ts';
import { carryOut, storageView } from './idbViews.ts';
import type { Plan } from './Plan.ts';
import type { SideChange } from './side.ts';
import { passedKey } from './stamp.ts';
import type { Appended, AppendOptions, Known, Storage, StorageView } from './Storage.ts';
import {
  ALL_STORES,
  createStores,
  DIRECTORY,
  HEADER,
  VERSION,
  type StoreName,
  type Stores,
  type Transaction,
} from './stores.ts';

/** Records appended without an answer being waited for, so that the page may be left right after. Cloning them takes one task. */
const APPENDED_AT_ONCE = 4;

/** Of more records, how many are on their way at a time: cloning the first takes one task, each of the others one of its own. */
const ON_THEIR_WAY = 2;

/** How what must not be lost is written. */
const STRICT = { mode: 'readwrite', durability: 'strict' } as const;

/**
 * Firefox carries out a transaction of which a request fails after `commit()` was called (observed in 153; no bug found),
 * instead of undoing it (https://w3c.github.io/IndexedDB/#commit-a-transaction). No other engine has `InternalError`.
 */
const COMMITS_FAILURES = 'InternalError' in globalThis;

/** Storage in one IndexedDB database. A lost connection is opened again, once an operation. */
export class IdbStorage implements Storage {
  readonly #connection: Connection<Stores>;
  /** Repeats the append under way, where it is not committed yet. */
  #repeat: (() => void) | undefined;

  /**
   * @param name - name of the database
   * @param openWithin - how long opening may take before whoever asks goes on without it, in ms
   */
  constructor(name: string, openWithin?: number) {
    this.#connection = new Connection(name, {
      version: VERSION,
      create: createStores,
      openWithin,
      marked: 'outbox',
    });
  }

  get lost(): string | undefined {
    return this.#connection.lost;
  }

  onReplaced(listener: () => void): void {
    this.#connection.onReplaced(listener);
  }

  onLost(listener: (records: string) => void): void {
    this.#connection.onLost(listener);
  }

  async open(): Promise<void> {
    await this.#connection.get();
  }

  async openedLate(): Promise<boolean> {
    return this.#connection.late().then(
      () => true,
      () => false,
    );
  }

  read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    return this.#connection.transact(ALL_STORES, { mode: 'readonly' }, (transaction) =>
      run(storageView(transaction)),
    );
  }

  async append(
    records: readonly unknown[],
    side: readonly SideChange[],
    options: AppendOptions,
  ): Promise<Appended> {
    const { known, version, durability } = options;
    // Only the stores that are written, so that reads of shards go on beside it.
    const stores: StoreName[] = side.length === 0 ? ['meta', 'log'] : ['meta', 'log', 'outbox'];
    const places = records.map((_record, index) => known.after + 1 + index);
    try {
      const last = { mode: 'readwrite', durability, isLast: true, isInformed: true } as const;
      const isSeen = await this.#connection.transact(stores, last, async (transaction) => {
        const meta = transaction.objectStore('meta');
        const log = transaction.objectStore('log');
        // Either fails where others have done what this batch does not know of, and undoes it.
        const asked: Promise<unknown>[] = [settle(meta.add(true, passedKey(known)))];
        let begun = 0;
        const addNext = (): Promise<unknown> => {
          const index = begun++;
          const place = places[index];
          return place === undefined
            ? Promise.resolve()
            : settle(log.add(records[index], place)).then(addNext);
        };
        const isLong = !options.isHasty && places.length > APPENDED_AT_ONCE;
        const atOnce = isLong ? ON_THEIR_WAY : places.length;
        for (let nth = 0; nth < atOnce; nth++) asked.push(settle(addNext()));
        for (const change of side) asked.push(settle(writeSide(transaction, change)));
        const reading = settle(headerOf(transaction));
        const isRaised = known.version !== version;
        if (!isRaised) asked.push(settle(meta.delete(passedKey(known))));
        if (isRaised || isLong) await Promise.all(asked);
        if (isRaised) await meta.put({ ...(await reading), version }, HEADER);
        // Not when every answer has come: nobody may be there to hear them.
        if (isLong || options.isHasty || !COMMITS_FAILURES) transaction.commit();
        else this.#repeat = () => repeatAppend(transaction, stores, durability, [records, places, side]);
        await Promise.all(asked);
        // What others appended and folded is no longer in the way, but nobody looks for records before its end.
        return places.length === 0 || (await reading).foldedThrough <= known.after;
      });
      return isSeen ? { places } : 'moved';
    } catch (error) {
      if (errorName(error) !== 'ConstraintError') throw error;
      return await this.#refusal(known, version);
    } finally {
      this.#repeat = undefined;
    }
  }

  rewrite(plan: Plan, from: Header): Promise<boolean> {
    const { epoch, revision, version } = from;
    return this.#connection.transact(ALL_STORES, { ...STRICT, isInformed: true }, async (transaction) => {
      const found = await headerOf(transaction);
      const isSame = found.epoch === epoch && found.revision === revision && found.version === version;
      const { logEndsAt } = plan;
      const added =
        logEndsAt === undefined
          ? undefined
          : await transaction.objectStore('log').getKey(IDBKeyRange.lowerBound(logEndsAt, true));
      const isMade = isSame && added === undefined;
      if (isMade) await carryOut(transaction, plan, from);
      return isMade;
    });
  }

  clear(keepsSide = false): Promise<Header> {
    return this.#connection.transact(ALL_STORES, STRICT, async (transaction) => {
      const before = await headerOf(transaction);
      // Places of the log are not given out again: whoever has read further would not see what is there.
      const last = await transaction.objectStore('log').openKeyCursor(null, 'prev');
      const header: Header = {
        ...EMPTY_HEADER,
        epoch: before.epoch + 1,
        sideEpoch: keepsSide ? sideEpochOf(before) : before.epoch + 1,
        foldedThrough: Math.max(before.foldedThrough, last?.key ?? 0),
      };
      const stores: StoreName[] = ['log', 'shards', 'results'];
      if (!keepsSide) stores.push('outbox');
      const cleared = stores.map((name) => transaction.objectStore(name).clear());
      const meta = transaction.objectStore('meta');
      await Promise.all([...cleared, meta.delete(DIRECTORY)]);
      await Promise.all([meta.put(true, passedKey(before)), meta.put(header, HEADER)]);
      return header;
    });
  }

  hurry(): void {
    // Its other transactions are lost with the connection, and take along what waits for them.
    this.#connection.hurry();
    this.#repeat?.();
  }

  close(): void {
    this.#connection.close();
  }

  isStorable(value: unknown): boolean {
    try {
      structuredClone(value);
      return true;
    } catch {
      return false;
    }
  }

  /** What others have done that a batch does not know of. */
  #refusal(known: Known, version: number): Promise<'emptied' | 'moved' | 'newer'> {
    return this.#connection.transact(['meta', 'log'], { mode: 'readwrite' }, async (transaction) => {
      const header = await headerOf(transaction);
      if (header.epoch !== known.epoch) return 'emptied';
      if (header.version > version) return 'newer';
      // Where the header was lost, its stamps begin anew: the mark of this one is none of theirs.
      if (passedKey(header) === passedKey(known))
        await transaction.objectStore('meta').delete(passedKey(known));
      return 'moved';
    });
  }
}

/**
 * Firefox undoes what is not committed when the page goes, and a transaction cannot be committed from outside of its
 * callbacks. So the same is written again behind it: where that one is carried out, this changes nothing.
 */
function repeatAppend(
  { db }: Transaction<'readwrite'>,
  stores: StoreName[],
  durability: IDBTransactionDurability,
  [records, places, side]: readonly [readonly unknown[], readonly number[], readonly SideChange[]],
): void {
  const transaction = db.transaction(stores, 'readwrite', { durability });
  transaction.done.catch(() => undefined);
  const log = transaction.objectStore('log');
  for (const [index, place] of places.entries()) void settle(log.add(records[index], place));
  for (const change of side) void settle(writeSide(transaction, change));
  transaction.commit();
}

function writeSide(
  transaction: Transaction<'readwrite'>,
  { plugin, key, record }: SideChange,
): Promise<unknown> {
  const outbox = transaction.objectStore('outbox');
  const place: [string, string] = [plugin, key];
  return record === undefined ? outbox.delete(place) : outbox.put(record, place);
}

/** Lets a request be. One that fails aborts its transaction, whose end tells of it. */
function settle<T>(request: Promise<T>): Promise<T> {
  request.catch(() => undefined);
  return request;
}

async function headerOf(transaction: Transaction<IDBTransactionMode>): Promise<Header> {
  return decodeHeader(await transaction.objectStore('meta').get(HEADER));
}
