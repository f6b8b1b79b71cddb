import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { errorName } from './errorName.ts';
import { nameOfMarks } from './marks.ts';

/** A transaction over some stores of a database. */
export type TransactionOf<Stores extends DBSchema, Mode extends IDBTransactionMode> = IDBPTransaction<
  Stores,
  StoreNames<Stores>[],
  Mode
>;

/** Options of a transaction. */
export interface TransactionOptions<Mode extends 'readonly' | 'readwrite'> {
  readonly mode: Mode;
  readonly durability?: IDBTransactionDurability;
  /** The `identity` of the database that it relies on, so that it does not run on a recreated one. */
  readonly identity?: string | undefined;
  /** Whether `prepareUnload` must not abort it: a last write before the page unloads. */
  readonly isLastWrite?: boolean;
  /** Whether it also uses the store of marks. A mark waits for its end, so apart from clearing, no long transaction does. */
  readonly hasMarks?: boolean;
}

/**
 * How long a transaction waits for those of other tabs, in ms, before it fails: one of them may never end, for example in a
 * page that WebKit has suspended. If it is committed already, it may still be carried out later, like one that is repeated
 * after its connection was lost. In two halves, since the timer of a page that was frozen fires before its events.
 */
const HALF_OF_WAIT = 2_500;

/** A transaction was aborted because the page may unload. */
export class UnloadAbort extends Error {}

interface RunningTransaction {
  readonly database: unknown;
  readonly isLastWrite: boolean;
  readonly abort: () => void;
  readonly fail: (error: Error) => void;
}

/** The transactions in progress, which end when they are done, fail, or are ended from outside. */
export class RunningTransactions<Stores extends DBSchema> {
  readonly #running = new Set<RunningTransaction>();

  /** Runs a function in a transaction. Rejects with the reason if it is ended. */
  run<T, Mode extends 'readonly' | 'readwrite'>(
    database: IDBPDatabase<Stores>,
    stores: StoreNames<Stores>[],
    { mode, durability = 'default', isLastWrite = false, hasMarks = false }: TransactionOptions<Mode>,
    run: (transaction: TransactionOf<Stores, Mode>) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const marks = hasMarks ? [nameOfMarks(database)] : [];
      const transaction = database.transaction([...stores, ...marks], mode, { durability });
      // Awaited below; if `run` rejects first, nothing else handles it.
      transaction.done.catch(() => undefined);
      const abort = (): void => {
        try {
          transaction.abort();
        } catch {
          // It has already ended.
        }
      };
      const end = (): void => {
        clearTimeout(timer);
        this.#running.delete(running);
      };
      const fail = (error: Error): void => {
        end();
        reject(error);
      };
      const giveUp = (): void => {
        abort();
        fail(new DOMException('A transaction of another tab does not end', 'TimeoutError'));
      };
      let timer = setTimeout(() => (timer = setTimeout(giveUp, HALF_OF_WAIT)), HALF_OF_WAIT);
      // The first request that succeeds shows that it has begun.
      transaction.addEventListener('success', () => clearTimeout(timer), { capture: true, once: true });
      // If a commit fails for lack of space, Chromium may leave requests pending for ever, so `run` never ends
      // (observed with a full disk; no bug found).
      transaction.addEventListener('abort', () =>
        fail(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError')),
      );
      const running: RunningTransaction = { database, isLastWrite, abort, fail };
      this.#running.add(running);
      run(transaction)
        .then(async (result) => {
          // What was only read is complete already.
          if (mode === 'readwrite') await transaction.done;
          return result;
        })
        .catch((error: unknown) => {
          // Still active if `run` threw.
          abort();
          // A failed request aborts the transaction, which fails the other requests.
          throw errorName(error) === 'AbortError' ? (transaction.error ?? error) : error;
        })
        .then(resolve, reject)
        .finally(end);
    });
  }

  /** Aborts all, or those for which `isMeant` returns true, with a reason. They may never get an event themselves. */
  abort(reason: Error, isMeant: (running: RunningTransaction) => boolean = () => true): void {
    for (const running of this.#running) {
      if (!isMeant(running)) continue;
      running.abort();
      running.fail(reason);
    }
  }
}
