import { HoldfastError, type LayerId, type SideRecords } from 'holdfast';
import { mutationsOf, recordsOf, type Entry } from './Entry.ts';
import { compareEntries } from './SortedEntries.ts';
import type { Queue } from './Queue.ts';
import { RecordApplier } from './RecordApplier.ts';
import { LayerReplay, type Pacing } from './LayerReplay.ts';
import { readRecord, type ReadRecord } from '../storage/record.ts';

/**
 * An entry announced by another tab is on disk after this, or never will be, in ms. It begins when this tab can read the
 * disk: if the database opens slowly, the other tab may not have been able to write, either.
 */
const CONFIRM_WITHIN = 5_000;

/** Applies records that other tabs, or this one before a reload, have written. */
export class Sync {
  readonly #queue: Queue;
  readonly #pacing: Pacing;
  readonly #readWithin: number;
  readonly #onSlow: () => void;
  /** Replays the layers of the entries that were added or changed. */
  readonly #replay: LayerReplay;
  #hasRead = false;
  /** Whether the last read succeeded. */
  isRead = false;
  /** When the first of the reads that have succeeded since the last failure began, in ms since the epoch. */
  #readableSince = 0;
  /** Whether sending may start. */
  isReadable = false;
  #markReadable: () => void = () => undefined;
  /** Resolves when sending may start: stored entries are known, or have taken too long. */
  readonly readable = new Promise<void>((resolve) => {
    this.#markReadable = () => {
      this.isReadable = true;
      resolve();
    };
  });
  /** How often the stored records were lost. */
  #lossCount = 0;

  /**
   * @param readWithin - how long sending waits for a database that does not open, in ms: it may hold earlier mutations
   * @param onSlow - called if the database does not open yet
   */
  constructor(queue: Queue, pacing: Pacing, readWithin: number, onSlow: () => void) {
    this.#queue = queue;
    this.#pacing = pacing;
    this.#readWithin = readWithin;
    this.#onSlow = onSlow;
    this.#replay = new LayerReplay(queue, pacing);
  }

  /** Applies the stored records: at start-up, and whenever another tab may have changed them. Never rejects. */
  async read(): Promise<void> {
    try {
      await this.#read();
      this.isRead = true;
      this.#markReadable();
    } catch (cause) {
      const message = 'The outbox cannot be read; it continues in memory';
      // A stopped outbox has closed its database. Of several failures in a row, the first is reported.
      if (!this.#queue.isStopped && (this.isRead || !this.isReadable))
        this.#queue.report(new HoldfastError('HF_STORAGE', message, { cause }));
      this.isRead = false;
      if (!isLate(cause)) this.#markReadable();
      else if (!this.isReadable) {
        this.#queue.controller.schedule(() => this.#markReadable(), this.#readWithin);
        this.#onSlow();
      }
    }
  }

  async #read(): Promise<void> {
    const queue = this.#queue;
    await queue.records.written;
    // An entry stored during this read may be missing in its result.
    const now = queue.controller.now();
    // A time in the future is from before the clock was set back.
    const isOverdue = (at: number): boolean => Math.abs(now - at) >= CONFIRM_WITHIN;
    if (!this.isRead) this.#readableSince = now;
    const isAwaited = ({ isDurable, announcedAt }: Entry): boolean =>
      !isDurable && (announcedAt === undefined || !isOverdue(announcedAt) || !isOverdue(this.#readableSince));
    const expected = [...queue.entries.all()].filter((entry) => !isAwaited(entry));
    const losses = this.#lossCount;
    const { resets } = queue.entries;
    const stored = await queue.records.store.read();
    // After a loss or a reset during the read, the records of these entries are missing without having been sent.
    if (losses !== this.#lossCount || resets !== queue.entries.resets) return this.#read();
    const journaled = new Map(queue.records.journal?.missing(stored));
    const disk = new Map<string, ReadRecord>();
    for (const record of [...stored, ...journaled]) disk.set(record[0], readRecord(record));
    queue.gone.forget(isOverdue, disk);
    const answered = this.#takeAnswered(disk);
    // Some may have been announced again during the read.
    const missing = expected.filter((entry) => !disk.has(entry.key) && !isAwaited(entry));
    const removed = missing.flatMap(({ key }) => readRecord([key, undefined]));
    const early = this.#hasRead ? [] : [...queue.entries.all()].filter(({ isUnconfirmed }) => !isUnconfirmed);
    this.#hasRead = true;
    const applied = await this.#applyStored([...removed, ...answered.map(readRecord), ...disk.values()]);
    // The tab that announced these entries does not know of their answers.
    if (answered.length > 0) void queue.commit(answered);
    this.#reorderEarly(early, applied.added);
    const unstored: Entry[] = [];
    for (const key of disk.keys()) {
      const entry = queue.entries.get(key);
      if (entry === undefined) continue;
      if (journaled.has(key)) unstored.push(entry);
      else entry.isDurable = true;
    }
    void queue.store(unstored);
    // They were lost while they were being applied.
    if (losses !== this.#lossCount) queue.rewriteAll();
    // The results of removed entries are on disk, with the lists they were added to.
    if (applied.removed.length > 0) await this.#catchUp();
    // A layer over a partial row would show partial data.
    const hidden = mutationsOf(applied.removed);
    const toRestore = [...mutationsOf(queue.entries.unreplayed), ...hidden].filter(
      (mutation) => mutation.endpoint.getOptimisticResponse !== undefined && queue.args.isAccepted(mutation),
    );
    try {
      await this.#inChunks(toRestore, (chunk) => queue.mutations.restore(chunk));
    } finally {
      // Nothing is sent before it is replayed.
      await this.#replay.run(hidden);
    }
    applied.settle();
  }

  /**
   * Removes the creates that the server has executed, although a tab which did not know so has stored them again: the
   * disk has the server's pk for each. Returns the records that say so, also for pending creates that a tab has sent
   * without announcing it.
   */
  #takeAnswered(disk: Map<string, ReadRecord>): SideRecords {
    const { entries } = this.#queue;
    const answered: SideRecords[number][] = [];
    const executed = new Set<string>();
    for (const { move } of disk.values()) if (move !== undefined) executed.add(move.idempotencyKey);
    for (const [key, { entry }] of disk) {
      if (entry === undefined || !executed.has(entry.idempotencyKey)) continue;
      answered.push([key, undefined]);
      disk.delete(key);
    }
    for (const [key, { movedPk, stored }] of disk) {
      const creator = movedPk === undefined ? undefined : entries.creatorOf(movedPk);
      if (creator !== undefined && !disk.has(creator.key))
        answered.push([creator.key, undefined], [key, stored]);
    }
    return answered;
  }

  /**
   * Applies records that another tab has written. Returns the layers that they remove.
   *
   * @param hasRows - whether the other tab has written rows with them
   * @param onReplayed - called once the layers of new and changed entries are replayed
   */
  applyFromTab(records: SideRecords, hasRows: boolean, onReplayed: () => void): readonly LayerId[] {
    const queue = this.#queue;
    const applied = new RecordApplier(queue, queue.controller.now());
    const read = records.map(readRecord);
    applied.apply(read);
    const hidden = mutationsOf(applied.removed);
    const layers = hidden.flatMap(({ layer }) => layer ?? []);
    for (const mutation of hidden) mutation.layer = mutation.expected = undefined;
    // After the rows of the same commit are applied.
    queueMicrotask(() => {
      if (queue.isStopped) return;
      // If the other tab has only found on disk that a mutation was answered, its rows are there, too.
      const { tables } = queue.controller.getState();
      const isMissing = ({ move }: ReadRecord): boolean =>
        move !== undefined && tables[move.table]?.get(move.pk) === undefined;
      if (read.some(isMissing) || (applied.removed.length > 0 && !hasRows)) void this.#catchUp();
      void this.#replay.run().then(onReplayed);
      applied.settle();
    });
    return layers;
  }

  /** Reads what other tabs have written from disk. The plugin reports its own failures. */
  #catchUp(): Promise<void> | undefined {
    return this.#queue.records.store.storage?.catchUp?.().catch(() => undefined);
  }

  /**
   * The storage was lost, and a read in progress only sees what is left: writes everything again. Also what another tab
   * has announced, which may have been in a database that was deleted before this tab could open it.
   */
  onStorageLost(): void {
    this.#lossCount += 1;
    this.#queue.rewriteAll();
  }

  /** The user has signed in: reads parked entries. They come first, so nothing is sent before. */
  async unpark(): Promise<void> {
    const { entries } = this.#queue;
    if (!entries.isParked) return;
    const { resets } = entries;
    this.#queue.gone.parked = [];
    await this.read();
    if (resets !== entries.resets) return;
    entries.isParked = false;
    entries.changed();
  }

  /** Applies stored records. Each task applies one chunk of new entries. */
  async #applyStored(records: readonly ReadRecord[]): Promise<RecordApplier> {
    const { entries } = this.#queue;
    const others: ReadRecord[] = [];
    const added: ReadRecord[] = [];
    for (const record of records) {
      const isNew = record.entry !== undefined && entries.get(record.key) === undefined;
      (isNew ? added : others).push(record);
    }
    added.sort((left, right) => left.order - right.order);
    // What is created between two chunks comes after all of them, even if the clock was set back.
    entries.reserve(added.at(-1)?.order ?? 0);
    const applied = new RecordApplier(this.#queue);
    applied.apply(others);
    await this.#inChunks(added, (chunk) => applied.apply(chunk));
    return applied;
  }

  /** Runs each chunk in a task of its own, until the outbox is stopped. */
  async #inChunks<T>(all: readonly T[], run: (chunk: readonly T[]) => unknown): Promise<void> {
    const { size, pause } = this.#pacing;
    for (let start = 0; start < all.length && !this.#queue.isStopped; start += size) {
      // The task that has read them has decoded all of them.
      if (all.length > size) await pause();
      await run(all.slice(start, start + size));
    }
  }

  /** Entries created before the first read come after the stored ones, even if the clock was set back in between. */
  #reorderEarly(early: readonly Entry[], stored: readonly Entry[]): void {
    const [first] = early;
    const last = stored.at(-1);
    if (first === undefined || last === undefined || compareEntries(first, last) > 0) return;
    const { entries } = this.#queue;
    // Some may have been sent or discarded while the stored ones were applied.
    const moved = early.filter((entry) => entries.has(entry) && !entry.isSending);
    for (const entry of moved) {
      const { record } = entry;
      const order = entries.nextOrder(this.#queue.controller.now());
      const changed = { ...record, order, revision: record.revision + 1 };
      entries.change(entry, () => entry.applyRecord(changed), true);
    }
    void this.#queue.commit(recordsOf(moved));
  }
}

/** Whether reading failed because the database does not open yet. */
function isLate(cause: unknown): boolean {
  const { name, cause: reason } = Object(cause) as { readonly name?: unknown; readonly cause?: unknown }; // read by name
  return name === 'TimeoutError' || (reason !== undefined && isLate(reason));
}
