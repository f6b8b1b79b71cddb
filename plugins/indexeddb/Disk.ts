import type { HoldfastError, Restored, State } from 'holdfast';
import { Additions } from './Additions.ts';
import type { Core } from './Core.ts';
import { errorName } from '../shared/errorName.ts';
import type { Failures } from './Failures.ts';
import { EMPTY_HEADER } from './header.ts';
import { Log, NewerVersion } from './Log.ts';
import { decodingOf, type Migration } from './migration.ts';
import { Pending } from './Pending.ts';
import { rebuildHeader } from './rebuildHeader.ts';
import { References } from './References.ts';
import { Reader, restored } from './Reader.ts';
import type { Batch, Decoding, DiskResult, DiskRow } from './records.ts';
import { ReadTimes } from './ReadTimes.ts';
import { Revisions } from './Revisions.ts';
import { Size } from './Size.ts';
import { Standings } from './Standings.ts';
import type { Storage } from './Storage.ts';
import { tableOrder, type TableOnDisk } from './tableOrder.ts';

/** What a disk notifies its plugin of. */
export interface DiskListener {
  /** A database that could not be used can be used after all. */
  readonly recovered: () => void;
  /** The database was deleted while it was in use: it is empty. */
  readonly replaced: () => void;
}

/** One database and what is known of it: what reading and writing share. */
export class Disk {
  readonly storage: Storage;
  readonly failures: Failures;
  readonly decoding: Decoding;
  readonly log: Log;
  readonly size: Size;
  readonly reader: Reader;
  readonly pending = new Pending();
  readonly additions = new Additions();
  readonly standings = new Standings();
  readonly revisions = new Revisions();
  readonly readTimes = new ReadTimes();
  /** Keys of the results on disk, so that a read of any other does not ask. */
  readonly onDisk = new Set<string>();
  /** Settles once the database is open and its directory known, or cannot be used for now. Never rejects. */
  readonly opened: Promise<void>;
  /** The confirmed state as of the last commit. */
  state: State | undefined;
  /** The epoch that this tab writes in. */
  epoch = 0;
  /** Rises with each reset of this tab: what was read before must not be handed out. */
  generation = 0;
  /** Rises with each reset that took the records of other plugins along. */
  sideGeneration = 0;
  /** The highest order among what was on disk at the start. */
  order = 0;
  /** The tables that were on disk at the start, in the order in which they are restored. */
  tables: readonly TableOnDisk[] = [];
  /** Whether a reset of another tab was heard of that the disk has not shown yet. */
  followsReset = false;
  /** Results in memory that other tabs have written since. */
  readonly #outdated = new Set<string>();
  /** Whether its directory is known. */
  #isKnown = false;
  /** Why nothing can be read or written; undefined while it can, as far as is known. */
  #failure: HoldfastError | undefined;
  #isLate = false;
  /** Whether a newer version of the app has written to it. */
  #isLeftAlone = false;
  /** Set while a reset could not be carried out: whether it keeps the records of other plugins. */
  #unemptied: boolean | undefined;
  #recovering: Promise<boolean> | undefined;
  #core: Core | undefined;
  #listener: DiskListener | undefined;
  #references: References | undefined;

  constructor(storage: Storage, failures: Failures, migration: Migration) {
    this.storage = storage;
    this.failures = failures;
    this.decoding = decodingOf(migration, failures, () => this.references);
    this.log = new Log(this.decoding, {
      foreign: (batch) => this.#writtenByOthers(batch),
      missed: (tables, results) => this.#missed(tables, results),
      evicted: (results) => this.#evicted(results),
    });
    this.size = new Size(this.log, failures.status);
    this.reader = new Reader(storage, () => ({
      log: this.log,
      state: this.state,
      standings: this.standings,
      references: this.references,
      decoding: this.decoding,
    }));
    storage.onReplaced(() => this.#replaced());
    storage.onLost((records) =>
      failures.failure(
        'HF_STORAGE',
        `the browser cannot read records any more (${records})`,
        'they were deleted, and what they held is fetched again',
      ),
    );
    this.opened = this.#open();
  }

  /** Whether anything can be read or written, as far as is known. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** Whether it cannot be used yet since it does not open, which it may do later. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Why not. */
  get failure(): HoldfastError | undefined {
    return this.#failure;
  }

  /** The controller; there is none before the plugin has started, and nothing to do either. */
  get core(): Core {
    if (this.#core === undefined)
      throw new TypeError('indexedDB() is used before a controller has started it');
    return this.#core;
  }

  get references(): References {
    return (this.#references ??= new References(this.core));
  }

  attach(core: Core, listener: DiskListener): void {
    this.#core = core;
    this.#listener = listener;
  }

  /** From here on memory is all there is, apart from what other plugins want kept: they learn that it cannot be. */
  giveUp(failure: HoldfastError): void {
    this.#failure = failure;
    this.pending.rows.clear();
    this.pending.results.clear();
    this.additions.clear();
  }

  /** What was read as the controller takes it. */
  restored(rows: readonly DiskRow[], results: readonly DiskResult[]): Restored {
    const found = restored(
      rows,
      results.map((result) => this.revisions.revised(result)),
    );
    const additions = this.additions.of(rows);
    return additions.length === 0 ? found : { ...found, additions };
  }

  /** Tells of a failure to read, and goes on without the disk where it is not for this version of the app. */
  cannotRead(cause: unknown, then: string): HoldfastError {
    return this.leftAlone(cause) ?? this.failures.storage('it cannot be read', then, cause);
  }

  /** Goes on without the disk when a newer version of the app has written to it; else returns undefined. */
  leftAlone(cause: unknown): HoldfastError | undefined {
    if (!(cause instanceof NewerVersion)) return undefined;
    const failure = this.failures.storage(
      'it is left alone',
      'load the page anew to get that version',
      cause,
    );
    this.giveUp(failure);
    this.#isLeftAlone = true;
    return failure;
  }

  /**
   * Empties it, but for the records of other plugins where `keepsSide`. Where that fails, `recover` tries again.
   *
   * @throws what the storage throws
   */
  async empty(keepsSide: boolean): Promise<void> {
    this.#unemptied = keepsSide && this.#unemptied !== false;
    const header = await this.storage.clear(this.#unemptied);
    this.#unemptied = undefined;
    this.epoch = header.epoch;
    this.log.emptied(header);
    this.#isKnown = true;
    this.#works();
  }

  /**
   * Tries again to use a database that cannot be used.
   *
   * @returns whether it can be used, or never will be
   */
  recover(): Promise<boolean> {
    this.#recovering ??= this.#recover().finally(() => (this.#recovering = undefined));
    return this.#recovering;
  }

  /** Brings what is known of the log up to date. */
  async look(): Promise<void> {
    this.size.seen(await this.storage.read((view) => this.log.refresh(view)));
  }

  /** The results in memory that other tabs have written; they count as read again. */
  takeOutdated(): readonly string[] {
    const keys = [...this.#outdated];
    this.#outdated.clear();
    return keys;
  }

  /** Goes on in the epoch that a reset of another tab has begun. Nothing of what memory holds is on disk. */
  adoptEpoch(): void {
    this.epoch = this.log.epoch;
    this.followsReset = false;
    if (this.state !== undefined) this.pending.touchAll(this.state);
  }

  /**
   * Forgets what is known of the disk, which is being emptied.
   *
   * @param keepsSide - the records of other plugins stay, there and among what is to be written
   */
  forget(keepsSide: boolean): void {
    this.generation += 1;
    if (!keepsSide) {
      this.sideGeneration += 1;
      this.pending.side.clear();
    }
    this.additions.clear();
    this.#outdated.clear();
    this.standings.clear();
    this.onDisk.clear();
    this.log.clear();
    this.size.emptied();
    this.readTimes.clear();
    if (this.state !== undefined) this.pending.keepOnly(this.state);
  }

  /** Cleared site data, or whoever may delete a database: nothing that was known of it holds, and all of memory is new to it. */
  #replaced(): void {
    if (!this.#isKnown) return;
    this.failures.failure(
      'HF_STORAGE',
      'it was deleted while the app was running',
      'what is in memory is written again; the rest is fetched again',
    );
    this.forget(false);
    this.log.replaced();
    this.epoch = this.log.epoch;
    if (this.state !== undefined) this.pending.touchAll(this.state);
    this.#listener?.replaced();
  }

  #writtenByOthers({ rows, results }: Batch): void {
    if (!this.#isKnown) return;
    for (const { table, pk } of rows)
      this.standings.written(table, pk, this.state?.tables[table]?.get(pk) !== undefined);
    for (const { key } of results) this.#resultWritten(key);
  }

  #missed(tables: Iterable<string>, results: readonly string[]): void {
    if (!this.#isKnown) return;
    if (this.state === undefined) this.standings.opened(tables);
    else this.standings.missed(tables, this.state);
    for (const key of results) this.#resultWritten(key);
  }

  /** What this tab has brought to disk may be gone: whatever is written from here on brings it again. */
  #evicted(results: readonly string[]): void {
    if (!this.#isKnown) return;
    this.standings.doubt();
    this.onDisk.clear();
    for (const key of results) this.onDisk.add(key);
    for (const { key } of this.log.results()) this.onDisk.add(key);
  }

  #resultWritten(key: string): void {
    this.onDisk.add(key);
    if (this.state?.results.get(key) !== undefined) this.#outdated.add(key);
  }

  async #open(): Promise<void> {
    try {
      await this.storage.open();
      await this.#learn();
    } catch (cause) {
      const failure =
        this.leftAlone(cause) ??
        this.failures.storage(
          'it cannot be opened',
          'data is kept in memory only; allow site data to keep it',
          cause,
        );
      this.giveUp(failure);
      this.#isLate = errorName(cause) === 'TimeoutError';
      if (this.#isLate) void this.recover();
    }
  }

  /** Memory has gone on without it, so all of that may be new to it. */
  async #recover(): Promise<boolean> {
    if (this.#isLeftAlone || typeof indexedDB === 'undefined') return true;
    if (!(await this.storage.openedLate())) return false;
    try {
      // What is there from before a reset must not come back.
      if (this.#unemptied !== undefined) await this.empty(this.#unemptied);
      else await this.#learn();
    } catch (cause) {
      return this.leftAlone(cause) !== undefined;
    }
    this.#works();
    return true;
  }

  /** It can be used, after it could not. */
  #works(): void {
    this.#isLate = false;
    this.failures.status.works();
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#listener?.recovered();
  }

  /** Reads its directory, and rebuilds its header first where that is damaged. */
  async #learn(): Promise<void> {
    if (!(await this.#readDirectory())) return;
    this.failures.failure(
      'HF_STORAGE',
      'its header is missing or damaged',
      'it is rebuilt from what is there',
    );
    await rebuildHeader(this.storage, this.decoding);
    this.log.clear();
    await this.#readDirectory();
  }

  /** @returns whether its header is damaged, or there are shards that no header tells of */
  async #readDirectory(): Promise<boolean> {
    const { generation } = this;
    const { lost } = this.storage;
    if (lost !== undefined)
      this.failures.failure('HF_STORAGE', `the browser has deleted it (${lost})`, 'it begins anew');
    const isHeadless = await this.storage.read(async (view) => {
      const [header, keys] = await Promise.all([this.log.refresh(view), view.resultKeys()]);
      // Until the log is compacted for the first time there is none.
      if (
        header === EMPTY_HEADER &&
        ((await view.header()) !== undefined || (await view.shardKeys()).length > 0)
      )
        return true;
      this.epoch = header.epoch;
      if (generation !== this.generation) return false;
      this.size.seen(header);
      this.order = Math.max(header.order, this.log.order);
      for (const key of keys) this.onDisk.add(key);
      for (const { key } of this.log.results()) this.onDisk.add(key);
      this.tables = tableOrder(header.tables, this.log.tables());
      const names = this.tables.map(({ table }) => table);
      if (this.isUsable || this.state === undefined) this.standings.opened(names);
      else this.standings.missed(names, this.state);
      this.#isKnown = true;
      return false;
    });
    if (!isHeadless) this.failures.status.works();
    return isHeadless;
  }
}
