import { HoldfastError, type State } from 'holdfast';
import { unlessOthersDo } from './alone.ts';
import { encodeBatch, partsOf, type BatchRecord } from './batchRecord.ts';
import { isCloneError, withoutUnclonable } from './clonable.ts';
import type { Disk } from './Disk.ts';
import { planFold } from './fold.ts';
import { errorName } from './errorName.ts';
import { planEviction, type Eviction, type Limits } from './evict.ts';
import { gather, type Gathered } from './gather.ts';
import { soon } from './idle.ts';
import { NewerVersion } from './Log.ts';
import { catchUp, meetDisk } from './meetDisk.ts';
import { Pacer } from './Pacer.ts';
import type { Pending } from './Pending.ts';
import type { Persist } from './persisted.ts';
import { named, type Batch } from './records.ts';
import type { SideChange } from './side.ts';

/** How long a log is: in records, and in rows that they change. */
export interface LogSize {
  readonly records: number;
  readonly rows: number;
}

/** How the writer writes. */
export interface WriterOptions {
  /** The plugin's name: origin of what it merges into memory. */
  readonly name: string;
  /** Name of the database. */
  readonly database: string;
  readonly persist: Persist | undefined;
  /** Of batches without records of other plugins. */
  readonly durability: 'relaxed' | 'strict';
  readonly limits: Limits;
  /** A log that is this long in either is folded. */
  readonly foldAt: LogSize;
}

/** Writes what is pending, one operation after the other. */
export class Writer {
  readonly #disk: Disk;
  readonly #options: WriterOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** The flush that has not begun yet: whoever asks meanwhile shares it. */
  #next: Promise<void> | undefined;
  #folding: Promise<void> | undefined;

  constructor(disk: Disk, options: WriterOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /** Whether the log is long enough to be folded. */
  get wantsFold(): boolean {
    const { logged } = this.#disk;
    const { foldAt, limits } = this.#options;
    const isTooMuch = logged.rows > 0 && this.#disk.failures.status.get().rows > limits.maxRows;
    return isTooMuch || logged.rows >= foldAt.rows || logged.records >= foldAt.records;
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
    });
    return this.#next;
  }

  /** Moves the log into shards, beside flushes: what they append meanwhile stays in the log. */
  fold(): Promise<void> {
    this.#folding ??= this.#fold().finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  /** Settles once no fold is under way. */
  async foldEnd(): Promise<void> {
    await this.#folding;
  }

  async #fold(): Promise<void> {
    const disk = this.#disk;
    const { storage, log, core, decoding, failures } = disk;
    if (!disk.isUsable || !this.wantsFold) return;
    try {
      await unlessOthersDo(`holdfast fold ${this.#options.database}`, async () => {
        const { plan, from } = await planFold(storage, { log, now: core.now(), decoding });
        // Where another tab has folded or emptied it meanwhile there is nothing to do; else the next flush asks again.
        if (from.epoch === disk.epoch) await storage.rewrite(plan, from);
        await disk.look();
        await this.#evict(this.#options.limits);
      });
    } catch (cause) {
      if (disk.leftAlone(cause) === undefined)
        failures.storage('its log cannot be folded', 'starting takes longer until it can', cause);
    }
  }

  /** Takes away what is too much. Where others write meanwhile, the next fold tries again. */
  async #evict(limits: Limits): Promise<void> {
    const disk = this.#disk;
    const { storage, decoding, readAt } = disk;
    const eviction = await planEviction(storage, { limits, decoding, readAt: (key) => readAt.get(key) });
    if (eviction?.from.epoch !== disk.epoch) return;
    // Between two flushes: what they write counts on what is on disk.
    await this.#enqueue(() => this.#carryOut(eviction));
  }

  /** Returns false, with nothing changed, where others have written meanwhile. */
  async #carryOut({ plan, from, rows, results }: Eviction): Promise<boolean> {
    const disk = this.#disk;
    if (!(await disk.storage.rewrite(plan, from))) return false;
    for (const [table, pk] of named(rows)) disk.standings.delete(table, pk);
    for (const key of results) disk.onDisk.delete(key);
    await disk.look();
    return true;
  }

  /** Takes away the colder half of what is on disk, in the middle of a flush that found it full. */
  async #makeRoom(): Promise<boolean> {
    const { storage, log, core, decoding, readAt, epoch, failures } = this.#disk;
    const limits: Limits = { maxRows: failures.status.get().rows / 2, maxBytes: Infinity };
    try {
      const { plan, from } = await planFold(storage, { log, now: core.now(), decoding });
      if (from.epoch !== epoch || !(await storage.rewrite(plan, from))) return false;
      const eviction = await planEviction(storage, { limits, decoding, readAt: (key) => readAt.get(key) });
      return eviction !== undefined && (await this.#carryOut(eviction));
    } catch {
      // The flush that it was for tells what is wrong.
      return false;
    }
  }

  /** Empties the disk. What is committed meanwhile is written afterwards. */
  clear(): Promise<void> {
    const disk = this.#disk;
    disk.forget();
    return this.#enqueue(async () => {
      // Without IndexedDB there is nothing to empty; with one that does not open there may be.
      await disk.opened;
      if (!disk.isUsable && typeof indexedDB === 'undefined') return;
      try {
        disk.epoch = await disk.storage.clear();
      } catch (cause) {
        // Writing on would mix what comes with what should be gone.
        const failure = disk.failures.storage(
          'it cannot be emptied',
          'data from before the reset may still be there; reset again',
          cause,
        );
        disk.giveUp(failure);
        throw failure;
      }
    });
  }

  /** Goes on where another tab was reset: it has emptied the disk, or is about to. */
  follow(): Promise<void> {
    const disk = this.#disk;
    disk.forget();
    disk.followsReset = true;
    return this.#enqueue(() => this.#look());
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

  /** Looks at what other tabs have done to the disk as a whole. */
  async #look(): Promise<void> {
    const disk = this.#disk;
    await disk.opened;
    if (!disk.isUsable) return;
    try {
      await disk.look();
    } catch (cause) {
      throw disk.cannotRead(cause, 'what other tabs have changed is not shown');
    }
    if (disk.log.epoch === disk.epoch) return;
    if (disk.followsReset) disk.adoptEpoch();
    else this.#forget();
  }

  /** Another tab was reset, and nobody has told this one: what it has is from before. */
  #forget(): HoldfastError {
    const { core, failures } = this.#disk;
    const failure = failures.failure(
      'HF_STORAGE',
      'another tab has emptied it',
      'this one forgets what it had too',
    );
    core.reset({ origin: this.#options.name }).catch(() => undefined);
    return failure;
  }

  #enqueue<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    await this.#disk.opened;
    // Where others have written meanwhile, what they wrote is met first.
    const room = { mayBeMade: true };
    while (!(await this.#flushOnce(room)));
  }

  /** Returns false when it has to be done again. */
  async #flushOnce(room: { mayBeMade: boolean }): Promise<boolean> {
    const disk = this.#disk;
    const { pending } = disk;
    if (pending.isEmpty) return true;
    // Only records of other plugins are still pending then.
    if (disk.failure !== undefined) throw disk.failure;
    const { generation } = disk;
    let after: number;
    try {
      after = await meetDisk(disk, this.#options.name);
    } catch (cause) {
      throw disk.cannotRead(cause, 'changes stay in memory until it can');
    }
    const { state, references, standings, onDisk } = disk;
    if (generation !== disk.generation) return true;
    const { persist } = this.#options;
    const taken = pending.take();
    let gathered: Gathered;
    try {
      const now = (): State | undefined => disk.state;
      gathered = await gather(taken, { state, now, persist, references, standings, onDisk });
    } catch (cause) {
      // The app's own functions are asked: `persist`, and schemas for what a value names.
      pending.putBack(taken);
      throw disk.failures.thrown('`persist` or a schema threw while changes were gathered', cause);
    }
    if (generation !== disk.generation) return true;
    const { batch, refused } = gathered;
    const failed: HoldfastError[] = refused.map((error) => disk.failures.tell(error));
    const side = [...taken.side.values()];
    if (batch.rows.length + batch.results.length + side.length > 0) {
      const began = disk.core.now();
      try {
        failed.push(...(await this.#append(batch, side, after)));
        const flushedAt = disk.core.now();
        disk.failures.status.set({ flushedAt, flushTook: flushedAt - began });
        disk.tellRows();
        if (disk.isUsable) disk.failures.status.works();
      } catch (cause) {
        if (generation === disk.generation) putBack(pending, taken, batch);
        if (cause instanceof HoldfastError) throw cause;
        if (room.mayBeMade && errorName(cause) === 'QuotaExceededError') {
          room.mayBeMade = false;
          if (await this.#makeRoom()) return false;
        }
        const leftAlone = disk.leftAlone(cause);
        if (leftAlone !== undefined) throw leftAlone;
        if (cause instanceof Moved) {
          await this.#look();
          return false;
        }
        throw disk.failures.storage('it cannot be written', 'changes stay in memory until it can', cause);
      }
    }
    if (failed[0] !== undefined) throw failed[0];
    return true;
  }

  /** Returns an error when records of other plugins were left out, which they have to know. */
  async #append(batch: Batch, side: readonly SideChange[], after: number): Promise<HoldfastError[]> {
    try {
      await this.#write(batch, side, after);
      return [];
    } catch (error) {
      if (!isCloneError(error)) throw error;
    }
    const cleaned = withoutUnclonable(batch, side, (value) => this.#disk.storage.isStorable(value));
    await this.#write(cleaned.batch, cleaned.side, after);
    const errors = cleaned.leftOut.map((name) =>
      this.#disk.failures.failure(
        'HF_ROW_NOT_CLONABLE',
        `${name} holds a value that cannot be cloned, such as a function`,
        'it was left out alone; store plain data',
      ),
    );
    return cleaned.side.length < side.length ? errors : [];
  }

  async #write(batch: Batch, side: readonly SideChange[], after: number): Promise<void> {
    const disk = this.#disk;
    const isEmpty = batch.rows.length + batch.results.length === 0;
    if (isEmpty && side.length === 0) return;
    const { generation, epoch } = disk;
    // What other plugins keep beside the cache exists nowhere else.
    const durability = side.length > 0 ? 'strict' : this.#options.durability;
    const { version } = disk.decoding;
    const parts = partsOf(batch);
    const records: BatchRecord[] = [];
    const pacer = new Pacer(soon);
    for (const part of parts) {
      records.push(encodeBatch(part, version));
      if (pacer.isDue) await pacer.pause();
    }
    const appended = await disk.storage.append(records, side, { epoch, version, after, durability });
    if (generation !== disk.generation) return;
    if (appended === 'moved' || (appended === 'emptied' && disk.followsReset)) throw new Moved();
    if (appended === 'emptied') throw this.#forget();
    if (appended === 'newer') throw new NewerVersion();
    disk.log.appended(appended.places, parts);
    const { records: before, rows } = disk.logged;
    disk.logged = { records: before + parts.length, rows: rows + batch.rows.length };
  }
}

/** Others have written to the disk since it was looked at. */
class Moved extends Error {}

/** What a batch holds beyond what was pending is pending too: it counts as persisted. */
function putBack(pending: Pending, taken: Pending, batch: Batch): void {
  for (const { table, pk } of batch.rows) if (taken.rows.get(table)?.has(pk) !== true) taken.touch(table, pk);
  for (const { key } of batch.results) if (!taken.results.has(key)) taken.results.set(key, undefined);
  pending.putBack(taken);
}
