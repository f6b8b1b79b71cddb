import { Connection } from './Connection.ts';
import { errorName } from './errorName.ts';
import { decodeHeader, EMPTY_HEADER, type Header } from './header.ts';
import { carryOut, inTurns, storageView } from './idbViews.ts';
import type { Plan } from './Plan.ts';
import type { SideChange } from './side.ts';
import type { Appended, AppendOptions, Storage, StorageView } from './Storage.ts';
import { ALL_STORES, HEADER, type Database, type StoreName, type Transaction } from './stores.ts';

/** Storage in one IndexedDB database. A lost connection is opened again, once an operation. */
export class IdbStorage implements Storage {
  readonly #connection: Connection;

  /** @param name - name of the database */
  constructor(name: string) {
    this.#connection = new Connection(name);
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
    return this.#transact(ALL_STORES, 'readonly', 'default', (transaction) => run(storageView(transaction)));
  }

  async append(
    records: readonly unknown[],
    side: readonly SideChange[],
    { epoch, version, after, evictions, durability }: AppendOptions,
  ): Promise<Appended> {
    // Only the stores that are written, so that reads of shards go on beside it.
    const stores: StoreName[] = side.length === 0 ? ['meta', 'log'] : ['meta', 'log', 'outbox'];
    try {
      return await this.#transact(stores, 'readwrite', durability, async (transaction) => {
        const log = transaction.objectStore('log');
        // Read first, but not waited for: that would cost as much again as the write. It is undone if it must not be.
        const reading = settle(headerOf(transaction));
        const [first, ...more] = records;
        const others =
          first === undefined ? undefined : settle(log.getKey(IDBKeyRange.lowerBound(after, true)));
        const adding = first === undefined ? undefined : settle(log.add(first));
        for (const { plugin, key, record } of side) {
          const outbox = transaction.objectStore('outbox');
          void settle<unknown>(
            record === undefined ? outbox.delete([plugin, key]) : outbox.put(record, [plugin, key]),
          );
        }
        const header = await reading;
        if (header.epoch !== epoch) throw new Refused('emptied');
        if (header.version > version) throw new Refused('newer');
        const hasMoved = header.foldedThrough > after || header.evictions !== evictions;
        if (first !== undefined && (hasMoved || (await others) !== undefined)) throw new Refused('moved');
        if (header.version < version)
          void settle(transaction.objectStore('meta').put({ ...header, version }, HEADER));
        const places = adding === undefined ? [] : [await adding];
        await inTurns(more, 4, async (record) => places.push(await log.add(record)));
        return { places };
      });
    } catch (error) {
      if (error instanceof Refused) return error.reason;
      throw error;
    }
  }

  rewrite(plan: Plan, { epoch, revision, version }: Header): Promise<boolean> {
    return this.#transact(ALL_STORES, 'readwrite', 'strict', async (transaction) => {
      const found = await headerOf(transaction);
      const isSame = found.epoch === epoch && found.revision === revision && found.version === version;
      const { logEndsAt } = plan;
      const added =
        logEndsAt === undefined
          ? undefined
          : await transaction.objectStore('log').getKey(IDBKeyRange.lowerBound(logEndsAt, true));
      const isMade = isSame && added === undefined;
      if (isMade) await carryOut(transaction, plan);
      return isMade;
    });
  }

  clear(): Promise<number> {
    return this.#transact(ALL_STORES, 'readwrite', 'strict', async (transaction) => {
      const header: Header = { ...EMPTY_HEADER, epoch: (await headerOf(transaction)).epoch + 1 };
      await Promise.all(ALL_STORES.map((name) => transaction.objectStore(name).clear()));
      await transaction.objectStore('meta').put(header, HEADER);
      return header.epoch;
    });
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

  async #transact<T, Mode extends 'readonly' | 'readwrite'>(
    stores: StoreName[],
    mode: Mode,
    durability: IDBTransactionDurability,
    run: (transaction: Transaction<Mode>) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptOnce(await this.#connection.get(), stores, mode, durability, run);
      } catch (error) {
        // iOS closes connections of pages in the background, and only using one tells.
        if (attempt > 1 || this.#connection.isClosed || !isLostConnection(error)) throw error;
        this.#connection.drop();
      }
    }
  }
}

/** Undoes a transaction that knows too little of what others have done. */
class Refused extends Error {
  readonly reason: 'emptied' | 'moved' | 'newer';

  constructor(reason: Refused['reason']) {
    super(reason);
    this.reason = reason;
  }
}

async function attemptOnce<T, Mode extends 'readonly' | 'readwrite'>(
  database: Database,
  stores: StoreName[],
  mode: Mode,
  durability: IDBTransactionDurability,
  run: (transaction: Transaction<Mode>) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(stores, mode, { durability });
  // Awaited below; when `run` rejects first, nobody else listens.
  transaction.done.catch(() => undefined);
  let result: T;
  try {
    result = await run(transaction);
  } catch (error) {
    abort(transaction);
    throw error;
  }
  await transaction.done;
  return result;
}

/** Lets a request be. One that fails aborts its transaction, whose end tells of it. */
function settle<T>(request: Promise<T>): Promise<T> {
  request.catch(() => undefined);
  return request;
}

function abort(transaction: Transaction<IDBTransactionMode>): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already, by what made `run` fail.
  }
}

async function headerOf(transaction: Transaction<IDBTransactionMode>): Promise<Header> {
  return decodeHeader(await transaction.objectStore('meta').get(HEADER), () => undefined);
}

function isLostConnection(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError'].includes(errorName(error));
}
