import { HoldfastError, type State } from 'holdfast';
import { appendBatch, Emptied, Moved } from './appendBatch.ts';
import type { Disk } from './Disk.ts';
import { Folder, type FolderOptions } from './Folder.ts';
import { errorName } from '../shared/errorName.ts';
import { hasIndexedDB } from '../shared/hasIndexedDB.ts';
import { gather, type Gathered } from './gather.ts';
import type { Haste } from './Haste.ts';
import { catchUp, Meeting } from './meetDisk.ts';
import type { Pending } from './Pending.ts';
import type { Persist } from './persisted.ts';
import type { Batch } from './records.ts';
import type { Known } from './Storage.ts';

/** How the writer writes. */
export interface WriterOptions extends FolderOptions {
  /** The plugin's name: origin of what it merges into memory. */
  readonly name: string;
  readonly persist: Persist | undefined;
  /** Of batches without records of other plugins. */
  readonly durability: 'relaxed' | 'strict';
  /** When it is written in one go. */
  readonly haste: Haste;
}

/** Writes what is pending, one operation after the other. */
export class Writer {
  readonly folder: Folder;
  readonly #disk: Disk;
  readonly #options: WriterOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** The flush that has not begun yet: whoever asks meanwhile shares it. */
  #next: Promise<void> | undefined;
  /** How many resets are yet to be carried out. */
  #resets = 0;
  /** Settles once the disk is as the last reset wants it. */
  #emptied: Promise<void> = Promise.resolve();
  /** Whether something was evicted since the last write: where that made no room, evicting more would only cost data. */
  #hasEvicted = false;

  constructor(disk: Disk, options: WriterOptions) {
    this.#disk = disk;
    this.#options = options;
    this.folder = new Folder(disk, options, (run) => this.#enqueue(run));
  }

  /**
   * Writes what is pending, as one batch.
   *
   * @throws HoldfastError `HF_STORAGE` when it could not be written and stays pending, `HF_KEY_DEFAULTED` when an
   * entity is refused, `HF_PLUGIN` when a function of the app's threw, `HF_ROW_NOT_CLONABLE` when a record of another plugin cannot be stored
   */
  flush(): Promise<void> {
    this.#next ??= this.#enqueue(() => {
      this.#next = undefined;
      return this.#flush();
    })
      // What a reset has made needless to write would have replaced something, which is there until then.
      .then(() => this.#emptied);
    return this.#next;
  }

  /**
   * Empties the disk. What is committed meanwhile is written afterwards.
   *
   * @param keepsSide - but for the records of other plugins
   */
  clear(keepsSide = false): Promise<void> {
    const disk = this.#disk;
    disk.forget(keepsSide);
    this.#resets += 1;
    const emptied = this.#enqueue(async () => {
      this.#resets -= 1;
      // Without IndexedDB there is nothing to empty; with one that does not open there may be.
      await disk.opened;
      if (!disk.isUsable && !hasIndexedDB()) return;
      try {
        await disk.empty(keepsSide);
      } catch (cause) {
        // Writing on would mix what comes with what should be gone.
        const failure = disk.failures.storage(
          'it cannot be emptied',
          'data from before the reset may still be there, until a retry succeeds',
          cause,
        );
        disk.giveUp(failure);
        throw failure;
      }
      if (disk.pending.side.size > 0) await this.#flush();
    });
    this.#emptied = emptied.catch(() => undefined);
    return emptied;
  }

  /**
   * Goes on where another tab was reset: it has emptied the disk, or is about to.
   *
   * @param keepsSide - but for the records of other plugins
   */
  follow(keepsSide = false): Promise<void> {
    const disk = this.#disk;
    disk.forget(keepsSide);
    disk.followsReset = true;
    this.#resets += 1;
    const followed = this.#enqueue(async () => {
      this.#resets -= 1;
      await this.#look();
      if (disk.pending.side.size > 0) await this.#flush();
    });
    this.#emptied = followed.catch(() => undefined);
    return followed;
  }

  /** Gives memory what other tabs have written of what it holds; empties it where another tab was reset. */
  catchUp(): Promise<void> {
    return this.#enqueue(async () => {
      const disk = this.#disk;
      await this.#look();
      if (!disk.isUsable || disk.followsReset || disk.log.epoch !== disk.epoch) return;
      try {
        await catchUp(disk, this.#options.name);
      } catch (cause) {
        throw disk.cannotRead(cause, 'what other tabs have changed is not shown');
      }
    });
  }

  /** Looks at what other tabs have done to the disk as a whole; gives what the app was told where they have emptied it. */
  async #look(): Promise<HoldfastError | undefined> {
    const disk = this.#disk;
    await disk.opened;
    if (!disk.isUsable) return undefined;
    try {
      await disk.look();
    } catch (cause) {
      throw disk.cannotRead(cause, 'what other tabs have changed is not shown');
    }
    if (disk.log.epoch === disk.epoch) return undefined;
    if (!disk.followsReset) return this.#forget();
    disk.adoptEpoch();
    return undefined;
  }

  /** Another tab was reset, and nobody has told this one: what it has is from before. */
  #forget(): HoldfastError {
    const { core, failures, log, epoch } = this.#disk;
    const failure = failures.failure(
      'HF_STORAGE',
      'another tab has emptied it',
      'this one forgets what it had too',
    );
    const unsent = log.sideEpoch > epoch ? 'discard' : 'keep';
    core.reset({ origin: this.#options.name, unsent }).catch(() => undefined);
    return failure;
  }

  #enqueue<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    const { opened, storage } = this.#disk;
    await opened;
    // Where the browser has deleted the database since it was last used, all of memory is pending. Writing tells of what fails.
    if (this.#disk.isUsable) await storage.open().catch(() => undefined);
    // Where others have written meanwhile, what they wrote is met first.
    while (!(await this.#flushOnce()));
  }

  /** Returns false when it has to be done again. */
  async #flushOnce(): Promise<boolean> {
    const disk = this.#disk;
    const { pending, readTimes, additions, generation, sideGeneration } = disk;
    if (pending.isEmpty && additions.isEmpty && !readTimes.isDue) return true;
    // Only records of other plugins are still pending then.
    if (disk.failure !== undefined) throw disk.failure;
    const meeting = new Meeting(disk, this.#options.name);
    try {
      for (let met = meeting.next(); met !== undefined; met = meeting.next()) {
        await met;
        if (generation !== disk.generation) return this.#givesWay;
      }
    } catch (cause) {
      if (generation !== disk.generation) return this.#givesWay;
      throw disk.cannotRead(cause, 'changes stay in memory until it can');
    }
    // Nothing may come between: what is taken has met the disk, and is of one state.
    const known = disk.log.stamp;
    const taken = pending.take();
    const gathered = await this.#gather(taken, meeting);
    if (generation !== disk.generation) {
      this.#saveSide(taken, sideGeneration);
      return this.#givesWay;
    }
    const failed = gathered.refused.map((error) => disk.failures.tell(error));
    const isWriting = gathered.batch.rows.length + gathered.batch.results.length + taken.side.size > 0;
    const reads = isWriting || readTimes.isDue ? readTimes.take() : [];
    const batch = reads.length === 0 ? gathered.batch : { ...gathered.batch, reads };
    if (isWriting || reads.length > 0) {
      try {
        failed.push(...(await this.#append(batch, taken, known)));
      } catch (cause) {
        const emptied = cause instanceof Emptied ? await this.#look() : undefined;
        if (generation !== disk.generation) {
          const isSaved = this.#saveSide(taken, sideGeneration);
          if (emptied !== undefined && !isSaved) throw emptied;
          return this.#givesWay;
        }
        putBack(pending, taken, batch);
        readTimes.putBack(reads);
        await this.#recover(cause);
        return false;
      }
    }
    if (generation === disk.generation) additions.written(meeting.lists.count);
    if (failed[0] !== undefined) throw failed[0];
    return true;
  }

  /** Whether a reset is about to be carried out: what is pending is written after that. */
  get #givesWay(): boolean {
    return this.#resets > 0;
  }

  /** A reset has voided what was taken, but for what it keeps: that is written right after. Gives whether there is any. */
  #saveSide(taken: Pending, sideGeneration: number): boolean {
    const { pending, sideGeneration: current } = this.#disk;
    if (taken.side.size === 0 || sideGeneration !== current) return false;
    pending.putBackSide(taken);
    return true;
  }

  async #gather(taken: Pending, { results, lists: { rows: lists } }: Meeting): Promise<Gathered> {
    const disk = this.#disk;
    const { state, references, standings, onDisk } = disk;
    const { persist, haste } = this.#options;
    const now = (): State | undefined => disk.state;
    try {
      const gathering = { state, now, persist, haste, references, results, lists, standings, onDisk };
      return await gather(taken, gathering);
    } catch (cause) {
      // The app's own functions are asked: `persist`, and schemas for what a value names.
      disk.pending.putBack(taken);
      throw disk.failures.thrown('`persist` or a schema threw while changes were gathered', cause);
    }
  }

  async #append(batch: Batch, { side }: Pending, known: Known): Promise<HoldfastError[]> {
    const disk = this.#disk;
    const { durability, haste } = this.#options;
    const began = disk.core.now();
    const failed = await appendBatch(disk, batch, [...side.values()], { known, durability, haste });
    this.#hasEvicted = false;
    const flushedAt = disk.core.now();
    disk.failures.status.set({ flushedAt, flushTook: flushedAt - began });
    if (disk.isUsable) disk.failures.status.works();
    return failed;
  }

  /** Makes ready for another attempt where that may go better; else throws what the app is told. */
  async #recover(cause: unknown): Promise<void> {
    const disk = this.#disk;
    if (cause instanceof HoldfastError) throw cause;
    if (cause instanceof Moved) {
      await this.#look();
      return;
    }
    if (!this.#hasEvicted && errorName(cause) === 'QuotaExceededError') {
      this.#hasEvicted = true;
      if (await this.folder.makeRoom()) return;
    }
    throw (
      disk.leftAlone(cause) ??
      disk.failures.storage('it cannot be written', 'changes stay in memory until it can', cause)
    );
  }
}

/** What a batch holds beyond what was pending is pending too: it counts as persisted. */
function putBack(pending: Pending, taken: Pending, batch: Batch): void {
  for (const { table, pk } of batch.rows) if (taken.rows.get(table)?.has(pk) !== true) taken.touch(table, pk);
  for (const { key } of batch.results) if (!taken.results.has(key)) taken.results.set(key, undefined);
  pending.putBack(taken);
}
