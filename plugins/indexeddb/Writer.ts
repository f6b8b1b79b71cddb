import type { HoldfastError } from 'holdfast';
import { encodeBatch } from './batchRecord.ts';
import { isCloneError, withoutUnclonable } from './clonable.ts';
import type { Disk } from './Disk.ts';
import { fold } from './fold.ts';
import { gather, type Gathered } from './gather.ts';
import { meetDisk } from './meetDisk.ts';
import type { Pending } from './Pending.ts';
import type { Persist } from './persisted.ts';
import type { Batch } from './records.ts';
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
  readonly persist: Persist | undefined;
  /** Of batches without records of other plugins. */
  readonly durability: 'relaxed' | 'strict';
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

  constructor(disk: Disk, options: WriterOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /** Whether the log is long enough to be folded. */
  get wantsFold(): boolean {
    const { logged } = this.#disk;
    const { foldAt } = this.#options;
    return logged.rows >= foldAt.rows || logged.records >= foldAt.records;
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

  /** Moves the log into shards. */
  fold(): Promise<void> {
    return this.#enqueue(async () => {
      const { storage, log, epoch, core, failures } = this.#disk;
      if (!this.#disk.isUsable || !this.wantsFold) return;
      try {
        await storage.fold(epoch, (view) =>
          fold(view, { log, now: core.now(), unreadable: failures.unreadable }),
        );
        this.#disk.logged = { records: 0, rows: 0 };
      } catch (cause) {
        failures.storage('its log cannot be folded', 'starting takes longer until it can', cause);
      }
    });
  }

  /** Empties the disk. What is committed meanwhile is written afterwards. */
  clear(): Promise<void> {
    const disk = this.#disk;
    disk.forget();
    return this.#enqueue(async () => {
      // Without IndexedDB there is nothing to empty; with one that does not open there may be.
      if (!(await disk.opened) && typeof indexedDB === 'undefined') return;
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

  #enqueue<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    const disk = this.#disk;
    const { pending } = disk;
    await disk.opened;
    if (pending.isEmpty) return;
    // Only records of other plugins are still pending then.
    if (disk.failure !== undefined) throw disk.failure;
    const { generation } = disk;
    try {
      await meetDisk(disk, this.#options.name);
    } catch (cause) {
      throw disk.failures.storage('it cannot be read', 'changes stay in memory until it can', cause);
    }
    if (generation !== disk.generation) return;
    const { state, references, standings, onDisk } = disk;
    if (state === undefined) return;
    const { persist } = this.#options;
    const taken = pending.take();
    let gathered: Gathered;
    try {
      gathered = gather(taken, { state, persist, references, standings, onDisk });
    } catch (cause) {
      // The app's own functions are asked: `persist`, and schemas for what a value names.
      pending.putBack(taken);
      throw disk.failures.thrown('`persist` or a schema threw while changes were gathered', cause);
    }
    const { batch, refused } = gathered;
    const failed: HoldfastError[] = refused.map((error) => disk.failures.tell(error));
    const side = [...taken.side.values()];
    if (batch.rows.length + batch.results.length + side.length > 0) {
      try {
        failed.push(...(await this.#append(batch, side)));
      } catch (cause) {
        if (cause === disk.failure) throw cause;
        if (generation === disk.generation) putBack(pending, taken, batch);
        throw disk.failures.storage('it cannot be written', 'changes stay in memory until it can', cause);
      }
    }
    if (failed[0] !== undefined) throw failed[0];
  }

  /** Returns an error when records of other plugins were left out, which they have to know. */
  async #append(batch: Batch, side: readonly SideChange[]): Promise<HoldfastError[]> {
    try {
      await this.#write(batch, side);
      return [];
    } catch (error) {
      if (!isCloneError(error)) throw error;
    }
    const cleaned = withoutUnclonable(batch, side);
    await this.#write(cleaned.batch, cleaned.side);
    const errors = cleaned.leftOut.map((name) =>
      this.#disk.failures.failure(
        'HF_ROW_NOT_CLONABLE',
        `${name} holds a value that cannot be cloned, such as a function`,
        'it was left out alone; store plain data',
      ),
    );
    return cleaned.side.length < side.length ? errors : [];
  }

  async #write(batch: Batch, side: readonly SideChange[]): Promise<void> {
    const disk = this.#disk;
    const isEmpty = batch.rows.length + batch.results.length === 0;
    if (isEmpty && side.length === 0) return;
    const { generation, epoch } = disk;
    // What other plugins keep beside the cache exists nowhere else.
    const durability = side.length > 0 ? 'strict' : this.#options.durability;
    const record = isEmpty ? undefined : encodeBatch(batch);
    const written = await disk.storage.append(record, side, { epoch, durability });
    if (generation !== disk.generation) return;
    if (!written) {
      // What this tab has is from before.
      const failure = disk.failures.failure(
        'HF_STORAGE',
        'another tab has emptied it',
        'nothing more is kept; load the page anew',
      );
      disk.giveUp(failure);
      throw failure;
    }
    if (!isEmpty)
      disk.logged = { records: disk.logged.records + 1, rows: disk.logged.rows + batch.rows.length };
  }
}

/** What a batch holds beyond what was pending is pending too: it counts as persisted. */
function putBack(pending: Pending, taken: Pending, batch: Batch): void {
  for (const { table, pk } of batch.rows) if (taken.rows.get(table)?.has(pk) !== true) taken.touch(table, pk);
  for (const { key } of batch.results) if (!taken.results.has(key)) taken.results.set(key, undefined);
  pending.putBack(taken);
}
