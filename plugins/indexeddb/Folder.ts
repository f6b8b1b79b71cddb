import { unlessOthersDo } from './alone.ts';
import type { Disk } from './Disk.ts';
import { planEviction, type Eviction, type Limits } from './evict.ts';
import { planFold } from './fold.ts';
import { named } from './records.ts';
import type { LogSize } from './Size.ts';

/** When the folder has something to do. */
export interface FolderOptions {
  /** Name of the database. */
  readonly database: string;
  readonly limits: Limits;
  /** A log that is this long in either is folded. */
  readonly foldAt: LogSize;
}

/** Rewrites what is on disk, beside flushes: moves the log into shards, and takes away what is too much. */
export class Folder {
  readonly #disk: Disk;
  readonly #options: FolderOptions;
  /** Runs something while no flush is under way. */
  readonly #betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>;
  #folding: Promise<void> | undefined;

  constructor(disk: Disk, options: FolderOptions, betweenFlushes: <T>(run: () => Promise<T>) => Promise<T>) {
    this.#disk = disk;
    this.#options = options;
    this.#betweenFlushes = betweenFlushes;
  }

  /** Whether the log is long enough to be folded, or there is too much on disk. */
  get isDue(): boolean {
    const { size, failures } = this.#disk;
    const { logged } = size;
    const { foldAt, limits } = this.#options;
    const { rows, bytes } = failures.status.get();
    const isTooMuch = logged.records > 0 && (rows > limits.maxRows || bytes > limits.maxBytes);
    return isTooMuch || logged.rows >= foldAt.rows || logged.records >= foldAt.records;
  }

  /** Moves the log into shards: what flushes append meanwhile stays in the log. Never rejects: what fails is told of. */
  fold(): Promise<void> {
    this.#folding ??= this.#fold().finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  /** Settles once no fold is under way. */
  async end(): Promise<void> {
    await this.#folding;
  }

  /**
   * Takes away the colder half of what is on disk, in the middle of a flush that found it full.
   *
   * @returns whether there is room now
   */
  async makeRoom(): Promise<boolean> {
    const disk = this.#disk;
    try {
      // What is in the log stays, and it may be most of what there is. Where there is no room to fold, it stays there.
      await this.#foldOnce().catch(() => undefined);
      await disk.look();
      const { rows, bytes } = disk.size.folded;
      const limits: Limits = { maxRows: rows === 0 ? Infinity : rows / 2, maxBytes: bytes / 2 };
      const eviction = await this.#plan(limits);
      return eviction?.from.epoch === disk.epoch && (await this.#carryOut(eviction));
    } catch {
      // The flush that it was for tells what is wrong.
      return false;
    }
  }

  async #fold(): Promise<void> {
    const disk = this.#disk;
    const { generation } = disk;
    if (!disk.isUsable || !this.isDue) return;
    try {
      await unlessOthersDo(`holdfast fold ${this.#options.database}`, async () => {
        await this.#foldOnce();
        await disk.look();
        const eviction = await this.#plan(this.#options.limits);
        // Between two flushes: what they write counts on what is on disk. Where others write, the next fold tries again.
        if (eviction?.from.epoch === disk.epoch) await this.#betweenFlushes(() => this.#carryOut(eviction));
      });
    } catch (cause) {
      if (generation === disk.generation && disk.leftAlone(cause) === undefined)
        disk.failures.storage('its log cannot be folded', 'starting takes longer until it can', cause);
    }
  }

  /** Where another tab has folded or emptied it meanwhile there is nothing to do; else the next flush asks again. */
  async #foldOnce(): Promise<void> {
    const { storage, log, core, decoding, epoch } = this.#disk;
    const { plan, from } = await planFold(storage, { log, now: core.now(), decoding });
    if (from.epoch === epoch) await storage.rewrite(plan, from);
  }

  #plan(limits: Limits): Promise<Eviction | undefined> {
    const { storage, log, decoding, readTimes, core } = this.#disk;
    const shown = new Set(core.mountedReads().map(({ key }) => key));
    const readAt = (key: string): number | undefined => (shown.has(key) ? Infinity : readTimes.at(key));
    return planEviction(storage, { log, limits, decoding, readAt });
  }

  /** Returns false, with nothing changed, where others have written meanwhile. */
  async #carryOut({ plan, from, rows, results }: Eviction): Promise<boolean> {
    const disk = this.#disk;
    if (!(await disk.storage.rewrite(plan, from))) return false;
    disk.log.evicted(plan.header);
    for (const [table, pk] of named(rows)) disk.standings.delete(table, pk);
    for (const key of results) disk.onDisk.delete(key);
    await disk.look();
    return true;
  }
}
