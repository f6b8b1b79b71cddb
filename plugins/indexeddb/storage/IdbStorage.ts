import { BlobSupport, holdsBlob, isReadable } from '../../shared/blobStorage.ts';
import { Connection } from '../../shared/Connection.ts';
import { errorName } from '../../shared/errorName.ts';
import { marksOf } from '../../shared/marks.ts';
import { ResetNote } from '../../shared/ResetNote.ts';
import type { TransactionOptions } from '../../shared/RunningTransactions.ts';
import { LOST } from '../../shared/unreadableRecords.ts';
import { valuesThatThrow } from '../records/clonable.ts';
import { decodeHeader, type Header } from '../records/header.ts';
import {
  decodeNote,
  isRecorded,
  resetsToCarryOut,
  unrecordedResets,
  withResets,
  type Reset,
} from '../records/resets.ts';
import { emptyStores, executePlan, resetMarks, storageView } from './idbViews.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import type { SideChange } from '../writing/side.ts';
import { guardKey } from '../writing/writeGuard.ts';
import type { AppendOptions, AppendGuard, Storage, StorageView } from './Storage.ts';
import {
  ALL_STORES,
  createStores,
  HEADER,
  markKey,
  RESULT_KEYS,
  VERSION,
  type StoreName,
  type Stores,
  type Transaction,
} from './stores.ts';

/**
 * Records appended without awaiting a request, so that the page may be unloaded right after. Cloning them takes one
 * task.
 */
const APPENDS_IN_ONE_TASK = 4;

/**
 * The number of parallel requests for longer batches: cloning the first takes one task, each further one a task of
 * its own.
 */
const PARALLEL_APPENDS = 2;

/** For records that exist nowhere else. */
const STRICT = { mode: 'readwrite', durability: 'strict' } as const;

/**
 * Firefox carries out a transaction of which a request fails after `commit()` was called (observed in 153; no bug
 * found), instead of aborting it (https://w3c.github.io/IndexedDB/#commit-a-transaction). No other engine has
 * `InternalError`.
 */
const COMMITS_FAILURES = 'InternalError' in globalThis;

/** Storage in one IndexedDB database. A lost connection is reopened by the next operation. */
export class IdbStorage extends Connection<Stores> implements Storage {
  readonly #resetNote: ResetNote;
  /** Repeats the current append, if it is not committed yet. */
  #repeat: (() => void) | undefined;
  readonly #blobs = new BlobSupport();

  /**
   * @param name - name of the database
   * @param openWithin - how long callers wait for the database to open, in ms
   */
  constructor(name: string, openWithin?: number) {
    super(name, {
      version: VERSION,
      create: createStores,
      openWithin,
      lostStore: ['outbox', 'log'],
      noteLoss,
    });
    this.#resetNote = new ResetNote(name);
  }

  read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    return this.transact(ALL_STORES, { mode: 'readonly' }, (transaction) => run(storageView(transaction)));
  }

  async append(
    records: readonly unknown[],
    side: readonly SideChange[],
    options: AppendOptions,
  ): Promise<boolean> {
    const { guard, version, durability } = options;
    // Only the stores that are written, so that reads of shards can run in parallel.
    const stores: StoreName[] = side.length === 0 ? ['meta', 'log'] : ['meta', 'log', 'outbox'];
    const sequences = records.map((_record, index) => guard.lastSeen + 1 + index);
    if (this.#blobs.isSupported !== true && [records, side].some(holdsBlob)) await this.#requireBlobs();
    try {
      const last: TransactionOptions<'readwrite'> = {
        mode: 'readwrite',
        durability,
        isLastWrite: true,
        identity: guard.identity,
      };
      return await this.transact(stores, last, async (transaction) => {
        const meta = transaction.objectStore('meta');
        const log = transaction.objectStore('log');
        // Either fails, and aborts the transaction, if other tabs have made changes that this batch does not know of.
        const requests: Promise<unknown>[] = [ignoreRejection(meta.add(true, guardKey(guard)))];
        let started = 0;
        const addNext = (): Promise<unknown> => {
          const index = started++;
          const sequence = sequences[index];
          return sequence === undefined
            ? Promise.resolve()
            : ignoreRejection(log.add(records[index], sequence)).then(addNext);
        };
        const isLong = !options.isUnloading && sequences.length > APPENDS_IN_ONE_TASK;
        const atOnce = isLong ? PARALLEL_APPENDS : sequences.length;
        for (let nth = 0; nth < atOnce; nth++) requests.push(ignoreRejection(addNext()));
        for (const change of side) requests.push(ignoreRejection(writeSide(transaction, change)));
        const reading = ignoreRejection(headerOf(transaction));
        const isRaised = guard.version !== version;
        if (!isRaised) requests.push(ignoreRejection(meta.delete(guardKey(guard))));
        if (isRaised || isLong) await Promise.all(requests);
        if (isRaised) await meta.put({ ...(await reading), version }, HEADER);
        // Without awaiting the requests: the page may be gone when they finish.
        if (isLong || options.isUnloading || !COMMITS_FAILURES) transaction.commit();
        else this.#repeat = () => repeatAppend(transaction, stores, durability, [records, sequences, side]);
        await Promise.all(requests);
        // Records of other tabs that were already compacted no longer conflict, but no reader looks for records
        // before its last sequence number.
        return sequences.length === 0 || (await reading).foldedThrough <= guard.lastSeen;
      });
    } catch (error) {
      if (guard.identity !== undefined && guard.identity !== this.identity) return false;
      if (errorName(error) !== 'ConstraintError') throw error;
      await this.#freeGuard(guard);
      return false;
    } finally {
      this.#repeat = undefined;
    }
  }

  async rewrite(plan: RewritePlan, from: Header): Promise<boolean> {
    const { epoch, revision, version } = from;
    const { logEndsAt, identity } = plan;
    const rewritten = this.transact(ALL_STORES, { ...STRICT, identity }, async (transaction) => {
      const found = await headerOf(transaction);
      const isSame = found.epoch === epoch && found.revision === revision && found.version === version;
      const added =
        logEndsAt === undefined
          ? undefined
          : await transaction.objectStore('log').getKey(IDBKeyRange.lowerBound(logEndsAt, true));
      const isMade = isSame && added === undefined;
      if (isMade) await executePlan(transaction, plan, found);
      return isMade;
    });
    return rewritten.catch((error: unknown) => {
      if (identity !== undefined && identity !== this.identity) return false;
      throw error;
    });
  }

  markReset(reset: Reset): Promise<void> {
    return this.putMark(markKey(reset), reset.at, this.identity);
  }

  noteReset(reset: Reset): void {
    this.#writeNote(withResets(this.#noted, [reset]));
  }

  readUnfinishedResets(): Promise<readonly Reset[]> {
    // The reset of another tab may have to write its mark now, so this reads nothing else.
    const options = { mode: 'readonly', hasMarks: true } as const;
    return this.transact(['meta'], options, async (transaction) => {
      const [marks, header] = await Promise.all([resetMarks(transaction), headerOf(transaction)]);
      return unrecordedResets([...marks, ...this.#noted], header.resets);
    });
  }

  async clear(resets: readonly Reset[]): Promise<Header> {
    const options = { ...STRICT, hasMarks: true } as const;
    const header = await this.transact(ALL_STORES, options, async (transaction) => {
      const [before, marks] = await Promise.all([headerOf(transaction), resetMarks(transaction)]);
      const due = resetsToCarryOut(resets, [...marks, ...this.#noted], before.resets);
      const cleared = due.length === 0 ? before : await emptyStores(transaction, before, due);
      // A mark that stayed would be that of a new reset once the header has forgotten this one.
      for (const mark of marks)
        if (isRecorded(mark, cleared.resets)) await marksOf(transaction).delete(markKey(mark));
      return cleared;
    });
    this.#writeNote(unrecordedResets(this.#noted, header.resets));
    return header;
  }

  override prepareUnload(): void {
    // Other transactions are lost with the connection, and with them everything that waits for them.
    super.prepareUnload();
    const repeat = this.#repeat;
    this.#repeat = undefined;
    try {
      repeat?.();
    } catch {
      // The connection is closed, so nothing more can be written.
    }
  }

  /**
   * Only `put` shows it: `structuredClone` also accepts what must not be stored, such as a `SharedArrayBuffer`, a
   * `WebAssembly.Module` or a `VideoFrame` (https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeforstorage).
   */
  async findUnstorable(values: readonly unknown[]): Promise<ReadonlySet<unknown>> {
    let unstorable: ReadonlySet<unknown> = new Set();
    const isDone = new Error('Nothing is written');
    const last = { mode: 'readwrite', isLastWrite: true } as const;
    const trying = this.transact(['log'], last, (transaction) => {
      const log = transaction.objectStore('log');
      unstorable = valuesThatThrow(values, (value) => {
        if (this.#blobs.isSupported === false && holdsBlob(value)) throw isDone;
        void ignoreRejection(log.put(value, 0));
      });
      // Aborts the transaction, in the task that has begun it.
      return Promise.reject(isDone);
    });
    await trying.catch((error: unknown) => {
      if (error !== isDone) throw error;
    });
    const areReadable = await Promise.all(values.map(isReadable));
    return new Set(values.filter((value, index) => areReadable[index] === false || unstorable.has(value)));
  }

  /** Resets from before the database was open. */
  get #noted(): Reset[] {
    return decodeNote(this.#resetNote.text);
  }

  #writeNote(resets: readonly Reset[]): void {
    if (resets.length > 0) this.#resetNote.write(JSON.stringify(resets));
    else this.#resetNote.delete();
  }

  /**
   * A Blob that the browser refuses would block the database.
   *
   * @throws DOMException `DataCloneError` when it refuses Blobs
   */
  async #requireBlobs(): Promise<void> {
    if (!(await this.#blobs.ask())) throw new DOMException('This browser stores no Blobs', 'DataCloneError');
  }

  /** If the header was lost, its guards start over, and the current one must be free again. */
  #freeGuard(guard: AppendGuard): Promise<void> {
    return this.transact(['meta'], { mode: 'readwrite' }, async (transaction) => {
      if (guardKey(await headerOf(transaction)) === guardKey(guard))
        await transaction.objectStore('meta').delete(guardKey(guard));
    });
  }
}

/** Notes the loss of records in the log, so that tabs that read it write again what they have in memory. */
async function noteLoss(transaction: Transaction<'readwrite'>): Promise<unknown> {
  const log = transaction.objectStore('log');
  const last = await log.openKeyCursor(null, 'prev');
  const { foldedThrough } = await headerOf(transaction);
  // It may list results that were deleted.
  void ignoreRejection(transaction.objectStore('meta').delete(RESULT_KEYS));
  return log.put(LOST, Math.max(foldedThrough, last?.key ?? 0) + 1);
}

/**
 * Firefox aborts uncommitted transactions at page unload, and a transaction cannot be committed outside of its
 * callbacks. So the same append is queued again behind it; if the first one succeeds, the second changes nothing.
 */
function repeatAppend(
  { db }: Transaction<'readwrite'>,
  stores: StoreName[],
  durability: IDBTransactionDurability,
  [records, sequences, side]: readonly [readonly unknown[], readonly number[], readonly SideChange[]],
): void {
  const transaction = db.transaction(stores, 'readwrite', { durability });
  transaction.done.catch(() => undefined);
  const log = transaction.objectStore('log');
  for (const [index, place] of sequences.entries()) void ignoreRejection(log.add(records[index], place));
  for (const change of side) void ignoreRejection(writeSide(transaction, change));
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

/** Handles the rejection of a request: a failed request aborts its transaction, which rejects too. */
function ignoreRejection<T>(request: Promise<T>): Promise<T> {
  request.catch(() => undefined);
  return request;
}

async function headerOf(transaction: Transaction<IDBTransactionMode>): Promise<Header> {
  return decodeHeader(await transaction.objectStore('meta').get(HEADER));
}
