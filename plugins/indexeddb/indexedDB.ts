import type { Commit, HoldfastError, Plugin, Restored, Wanted } from 'holdfast';
import type { Core } from './Core.ts';
import { Disk } from './Disk.ts';
import { Failures } from './Failures.ts';
import { IdbStorage } from './IdbStorage.ts';
import { onPageHide, whenIdle } from './idle.ts';
import type { Persist } from './persisted.ts';
import { named } from './records.ts';
import { restored, type Found } from './Reader.ts';
import { restoreRest } from './restoreRest.ts';
import { sideChanges, type SideRecords } from './side.ts';
import { Writer } from './Writer.ts';

/** Changes are written when the main thread has time, and at the latest after this, in ms. */
const FLUSH_WITHIN = 1_000;

/** Options of `indexedDB`. */
export interface IndexedDBOptions {
  /** Name of the database. */
  readonly name: string;
  /** Whose data it is, such as a user's id: each scope has a database of its own. */
  readonly scope?: string;
  /**
   * What is kept. Default: what an endpoint with a `dataExpiryLength` of `Infinity` brought. What a kept result reaches
   * is kept too, and so is every later change to what once was.
   */
  readonly persist?: Persist;
  /**
   * `'progressive'` (default) brings everything into memory, bit by bit, after the start; `'lazy'` only what is read,
   * for data larger than memory.
   */
  readonly restore?: 'progressive' | 'lazy';
  /** `'strict'` makes the browser write through to the device before a flush counts as done. Default: `'relaxed'`. */
  readonly durability?: 'relaxed' | 'strict';
  /** Told of whatever goes wrong; the app goes on from memory and network. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}

/** The plugin that `indexedDB` makes. */
export interface IndexedDBPlugin extends Plugin {
  readonly restored: Promise<void>;
  /** The records that a plugin of this name has put into `commit.side`. */
  side(plugin: string): Promise<SideRecords>;
}

/**
 * Keeps rows, results and their times in IndexedDB, so that a reload, or a dead network, costs nothing. Opens the
 * database at once: call it when the module loads, before anything is rendered.
 *
 * An entity that is kept must have a `static key` of its own; one without is refused with `HF_KEY_DEFAULTED`, which
 * `onError` gets when it is committed and with which `flush()` rejects.
 *
 * @example
 * const controller = new Controller({ plugins: [indexedDB({ name: 'app', scope: userId })] });
 */
export function indexedDB(options: IndexedDBOptions): IndexedDBPlugin {
  return new Persistence(options);
}

class Persistence implements IndexedDBPlugin {
  readonly name = 'indexeddb';
  readonly restored: Promise<void>;
  readonly #options: IndexedDBOptions;
  readonly #disk: Disk;
  readonly #writer: Writer;
  readonly #unlisten: () => void;
  /** Reads that somebody waits for. */
  readonly #reads = new Set<Promise<unknown>>();
  #settleRestored: () => void = () => undefined;
  #isFlushDue = false;
  #isFoldDue = false;
  #isStopped = false;

  constructor(options: IndexedDBOptions) {
    const {
      name,
      scope,
      persist,
      durability = 'relaxed',
      onError = (error) => console.error(error),
    } = options;
    const database = scope === undefined ? name : `${name}:${scope}`;
    this.#options = options;
    this.#disk = new Disk(new IdbStorage(database), new Failures(database, onError));
    this.#writer = new Writer(this.#disk, { name: this.name, persist, durability });
    this.#unlisten = onPageHide(() => void this.#flushInBackground());
    this.restored = new Promise((resolve) => {
      this.#settleRestored = resolve;
    });
  }

  async start(controller: Core): Promise<void> {
    const disk = this.#disk;
    disk.attach(controller);
    if (!(await disk.opened)) {
      this.#settleRestored();
      return;
    }
    controller.witness?.(disk.order);
    void this.#restoreRest();
  }

  commit(commit: Commit): void {
    const disk = this.#disk;
    disk.state = commit.base;
    if (commit.action.type === 'reset') disk.pending.clear();
    else if (disk.isUsable) disk.pending.observe(commit, disk.standings, disk.onDisk);
    const hasSide = this.#takeSide(commit.side);
    if (!disk.isUsable || disk.pending.isEmpty) return;
    this.#refuseEarly(commit);
    if (hasSide) void this.#flushInBackground();
    else this.#flushWhenIdle();
  }

  async restore(wanted: Wanted): Promise<Restored | undefined> {
    const disk = this.#disk;
    if (!(await disk.opened) || !disk.isUsable) return undefined;
    const asked = this.#onDisk(wanted);
    if (asked === undefined) return undefined;
    const { generation } = disk;
    const reading = disk.reader.wanted(asked);
    this.#reads.add(reading);
    try {
      const found = await reading;
      if (generation !== disk.generation) return undefined;
      this.#mark(found);
      return restored(found.rows, found.results);
    } catch (cause) {
      disk.failures.storage('it cannot be read', 'the network is asked instead', cause);
      return undefined;
    } finally {
      this.#reads.delete(reading);
    }
  }

  async flush(): Promise<void> {
    await this.#writer.flush();
    this.#foldWhenIdle();
  }

  async reset(): Promise<void> {
    await this.#writer.clear();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unlisten();
    this.#settleRestored();
    try {
      await this.#writer.flush();
    } finally {
      this.#disk.storage.close();
    }
  }

  async side(plugin: string): Promise<SideRecords> {
    if (!(await this.#disk.opened)) return [];
    return this.#disk.storage.read((view) => view.side(plugin));
  }

  /** Whether there are records of other plugins to write. */
  #takeSide(side: Commit['side']): boolean {
    const { pending, failures } = this.#disk;
    const changes = sideChanges(side);
    for (const change of changes) {
      if (change === undefined)
        failures.failure(
          'HF_PLUGIN',
          'a plugin gave `side` something else than a list of [key, record]',
          'it was not written',
        );
      else pending.sideChange(change);
    }
    return changes.length > 0;
  }

  /** Tells of an entity that must not be stored when it is committed, where that is known without looking further. */
  #refuseEarly({ base, baseChanges }: Commit): void {
    const { references, failures } = this.#disk;
    for (const [table, rows] of baseChanges.rows) {
      const [pk] = rows.keys();
      const row = pk === undefined ? undefined : base.tables[table]?.get(pk);
      if (row === undefined || (this.#options.persist !== 'all' && row.meta.expiresAt !== Infinity)) continue;
      if (typeof this.#options.persist === 'function') return;
      const refusal = references.refusal(table);
      if (refusal !== undefined) failures.tell(refusal);
    }
  }

  /** What of the wanted disk may have; undefined, and so no look at it, when that is nothing. */
  #onDisk({ results = [], rows = [], tables = [] }: Wanted): Wanted | undefined {
    const { onDisk, standings } = this.#disk;
    const asked = {
      results: results.filter((key) => onDisk.has(key)),
      rows: rows.filter(
        ([table, pk]) => standings.get(table, pk) !== undefined || !standings.isComplete(table),
      ),
      tables,
    };
    return asked.results.length + asked.rows.length + asked.tables.length > 0 ? asked : undefined;
  }

  /** Brings standings up to date with what is about to be merged into memory. */
  #mark({ rows, missing }: Found): void {
    const { standings } = this.#disk;
    for (const { table, pk } of rows) standings.set(table, pk, 'merged');
    for (const [table, pk] of named(missing)) {
      if (standings.get(table, pk) === undefined) standings.set(table, pk, 'away');
    }
  }

  async #restoreRest(): Promise<void> {
    const disk = this.#disk;
    const { generation } = disk;
    try {
      if (this.#options.restore === 'lazy') return;
      await restoreRest(disk, {
        name: this.name,
        settled: async () => {
          await Promise.allSettled(this.#reads);
        },
        isWanted: () => !this.#isStopped && disk.isUsable && generation === disk.generation,
      });
    } catch (cause) {
      if (!this.#isStopped)
        disk.failures.storage('the rest of it cannot be restored', 'each read asks it again', cause);
    } finally {
      this.#settleRestored();
      this.#foldWhenIdle();
    }
  }

  #flushWhenIdle(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    void whenIdle(FLUSH_WITHIN).then(() => {
      this.#isFlushDue = false;
      return this.#flushInBackground();
    });
  }

  /** A flush that nobody waits for: whatever failed has been told of. */
  async #flushInBackground(): Promise<void> {
    if (this.#isStopped) return;
    await this.flush().catch(() => undefined);
  }

  #foldWhenIdle(): void {
    if (this.#isFoldDue || this.#isStopped || !this.#writer.wantsFold) return;
    this.#isFoldDue = true;
    // After the rest is in memory, which walks the shards that a fold changes.
    void this.restored
      .then(() => whenIdle(FLUSH_WITHIN))
      .then(() => (this.#isStopped ? undefined : this.#writer.fold()))
      .finally(() => {
        this.#isFoldDue = false;
      });
  }
}
