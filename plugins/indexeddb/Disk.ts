import type { HoldfastError, ResultRevision, State } from 'holdfast';
import { ListChanges } from './writing/ListChanges.ts';
import type { ControllerApi } from './ControllerApi.ts';
import { Directory } from './Directory.ts';
import { errorName } from '../shared/errorName.ts';
import { hasIndexedDB } from '../shared/hasIndexedDB.ts';
import type { Failures } from './Failures.ts';
import { compactedSize, EMPTY_HEADER, type Header } from './records/header.ts';
import { WriteAheadLog, NewerVersion, type Log } from './writing/WriteAheadLog.ts';
import { upgradeWith, type Migrate } from './maintenance/migration.ts';
import { PendingWrites } from './writing/PendingWrites.ts';
import { LostRows } from './reading/LostRows.ts';
import { References } from './records/References.ts';
import { Reader } from './reading/Reader.ts';
import { SharedMetas } from './records/SharedMetas.ts';
import { NO_REFS, type Decoding, type DiskReadResult } from './records/records.ts';
import type { Status, StorageStatus } from './Status.ts';
import { ReadTimes } from './reading/ReadTimes.ts';
import { SyncStates } from './writing/SyncStates.ts';
import type { Records, Storage } from './storage/Storage.ts';
import { CodedRecords } from './records/CodedRecords.ts';
import { rebuildHeader } from './maintenance/rebuildHeader.ts';
import { unfinishedResets, type Reset } from './records/resets.ts';
import { WrongKeyError, type Codec } from './records/Codec.ts';
import { decodeScreen, readScreen } from './records/lastScreen.ts';

/** Notifications of a disk to its plugin. */
export interface DiskListener {
  /** The database has become usable. */
  readonly recovered: () => void;
  /**
   * The database was deleted or emptied while it was in use, or is a new one that has taken long to open: it lacks what
   * other plugins know of.
   */
  readonly replaced: () => void;
  /** All of memory has to be written. */
  readonly touched: () => void;
}

/** Options of a disk. */
export interface DiskOptions {
  /** The app's version of its rows. */
  readonly version: number;
  readonly migrate: Readonly<Record<string, Migrate>> | undefined;
  readonly codec: Codec | undefined;
}

/** One database, as reads and writes share it: whether it works, its resets, and what is known of its content. */
export class Disk {
  readonly failures: Failures;
  readonly status: Status;
  readonly decoding: Decoding;
  readonly log: Log;
  readonly reader: Reader;
  readonly pending = new PendingWrites();
  readonly listChanges = new ListChanges();
  readonly syncStates = new SyncStates();
  readonly directory: Readonly<Directory> = new Directory(this.syncStates, () => this.state);
  /** Changes of stored results that are not written yet: they apply to whatever is read. */
  readonly revisions = new Set<ResultRevision>();
  readonly readTimes = new ReadTimes();
  /** Of the current session. */
  lostRows = new LostRows();
  /** The confirmed state as of the last commit. */
  state: State | undefined;
  /** The reset epoch of the database that memory belongs to, and that this tab writes in. All tabs count it in the header. */
  epoch = 0;
  /** Increases with each reset of this tab: compare it after each `await`, since data from before must not be used. */
  localResets = 0;
  /** What was on screen when a page was last hidden, as of the start, until it is restored. */
  lastScreen: DiskReadResult | undefined;
  /** The resets that this tab has made or follows and has yet to carry out, oldest first. */
  #due: readonly Reset[] = [];
  /** When the last of them was, in ms since the epoch, also once it is carried out; undefined if there was none. */
  #resetAt: number | undefined;
  /** When this page started, in ms since the epoch. */
  #startedAt = Infinity;
  /** Its records are read and written through `records`, which decode them. */
  readonly storage: Omit<Storage, keyof Records>;
  readonly records: Records;
  /** Values of rows and results that were left out because they cannot be stored, while they are in memory. */
  readonly unstorable = new WeakSet<object>();
  /** Whether a transaction of another tab does not end: reads would wait for it. A retry shows when it has ended. */
  isBlocked = false;
  /** Why it is unusable; undefined while it works. */
  failure: HoldfastError | undefined;
  /** Undefined until it is used: a plugin that React creates in a discarded render must not keep a database open. */
  #opened: Promise<void> | undefined;
  #isLate = false;
  /** Whether this page cannot use it at all: a newer version of the app, or another key, has written to it. */
  #isForeign = false;
  #recovering: Promise<boolean> | undefined;
  #controller: ControllerApi | undefined;
  #listener: DiskListener | undefined;
  #references: References | undefined;

  constructor(storage: Storage, failures: Failures, options: DiskOptions) {
    const { version, migrate, codec } = options;
    this.storage = storage;
    this.records = codec === undefined ? storage : new CodedRecords(storage, codec);
    this.failures = failures;
    this.status = failures.status;
    const upgrade = migrate && upgradeWith(migrate, failures, () => this.references);
    this.decoding = {
      version,
      unreadable: failures.unreadable,
      metas: new SharedMetas(),
      upgrade: (row, from) => {
        const upgraded = upgrade === undefined ? row : upgrade(row, from);
        if (upgraded === undefined) this.lostRows.add(row.table);
        return upgraded;
      },
    };
    this.log = new WriteAheadLog(this.decoding, {
      onForeign: (batch) => this.#onForeign(() => this.directory.onForeignBatch(batch)),
      onMissed: (tables, results) => this.#onForeign(() => this.directory.onMissed(tables, results)),
      onEvicted: (results) => this.#onForeign(() => this.directory.onEvicted(results, this.log)),
      lost: () => {
        if (this.directory.isLoaded) this.#touchAll();
      },
    });
    this.reader = new Reader(this);
    storage.onReplaced(() => this.#onReplaced());
    storage.onLost((records) =>
      failures.failure(
        'HF_STORAGE',
        `the browser can no longer read records (${records})`,
        'they were deleted; data in memory is written again, the rest is fetched again',
      ),
    );
  }

  /** Settles once the database is open and its directory loaded, or it is unusable for now. Never rejects. */
  get opened(): Promise<void> {
    return (this.#opened ??= this.#open());
  }

  /** Whether it can be read and written, as far as known. */
  get isUsable(): boolean {
    return this.failure === undefined;
  }

  /** Whether other plugins' records may be on disk that this page has not been able to read. */
  get hidesSide(): boolean {
    const isUnknown = this.#isLate || (this.#isForeign && !this.directory.isLoaded);
    // Without IndexedDB nothing is on disk, and resets stay due.
    return isUnknown || (hasIndexedDB() && this.isResetDue && !this.discardsSide);
  }

  /** Whether what the disk has, as of the last read, is of the session that memory has. */
  get hasSession(): boolean {
    return !this.isResetDue && this.log.epoch === this.epoch;
  }

  /** Whether a reset has yet to be carried out: the disk has the session before. */
  get isResetDue(): boolean {
    return this.#due.length > 0;
  }

  /** Whether a reset that has yet to be carried out deletes other plugins' records. */
  get discardsSide(): boolean {
    return this.#due.some(({ keepsSide }) => !keepsSide);
  }

  /** The controller, which is set when the plugin starts. */
  get controller(): ControllerApi {
    if (this.#controller === undefined)
      throw new TypeError('indexedDB() is used before a controller has started it');
    return this.#controller;
  }

  get references(): References {
    return (this.#references ??= new References(this.controller));
  }

  attach(controller: ControllerApi, listener: DiskListener): void {
    this.#controller = controller;
    this.#listener = listener;
    this.#startedAt = controller.now();
  }

  /** Stops using the database. Only other plugins' records stay pending, so that those plugins learn of the failure. */
  disable(failure: HoldfastError): void {
    this.failure = failure;
    this.pending.clear();
    this.listChanges.clear();
  }

  /** As `fail`, for a read. */
  readFailure(cause: unknown, then: string): HoldfastError {
    this.isBlocked = errorName(cause) === 'TimeoutError';
    return this.fail('it cannot be read', then, cause);
  }

  /** Reports a failure, and disables the disk if this page cannot use it at all. */
  fail(what: string, then: string, cause: unknown): HoldfastError {
    return this.disableIfForeign(cause) ?? this.failures.degrade(what, then, cause);
  }

  /** Disables the disk if a newer version of the app, or another key, has written to it; else returns undefined. */
  disableIfForeign(cause: unknown): HoldfastError | undefined {
    const remedy =
      cause instanceof NewerVersion
        ? 'reload the page to get that version'
        : cause instanceof WrongKeyError
          ? 'pass the codec the key that it was written with, or reset the controller to clear it'
          : undefined;
    if (remedy === undefined) return undefined;
    const failure = this.failures.degrade('it stays unchanged', remedy, cause);
    this.disable(failure);
    this.#isForeign = true;
    return failure;
  }

  /**
   * Discards everything known about the disk, which is to be cleared. Records that the reset has begun: if the page unloads
   * before `clear` has ended, the next one to open the database finishes it.
   *
   * @returns a promise that settles once that is recorded, as far as possible
   */
  beginReset(reset: Reset): Promise<void> {
    // Another tab may have carried it out as one that keeps other plugins' records. What an earlier reset discarded, which
    // this tab has missed as well, is gone then, and records that were stored since must stay.
    const done = this.log.header.resets.find(({ at }) => at === reset.at);
    const due = done?.keepsSide === true ? done : reset;
    this.#due = [...this.#due, due];
    this.#resetAt = reset.at;
    this.#forget(reset.keepsSide);
    if (this.directory.isLoaded && this.isUsable)
      // `clear` reports the failure, such as that of a full disk.
      return this.storage.markReset(due).catch(() => this.storage.noteReset(due));
    this.storage.noteReset(due);
    return Promise.resolve();
  }

  /**
   * Carries out the resets that are due. If that fails, `recover` tries again.
   *
   * @param memorySince - memory may be from before later resets, which this tab has yet to follow
   * @throws the storage's error
   */
  async clear(memorySince = Infinity): Promise<void> {
    const earlier = this.#due.filter((reset) => !this.#isMissed(reset, memorySince)).map(({ at }) => at);
    const known = [...earlier, this.#resetAt];
    const { resets } = await this.storage.clear(this.#due);
    this.#due = unfinishedResets(this.#due, resets);
    this.directory.onCleared();
    this.#onUsable();
    // Another tab may have cleared the disk and stored data since, which the directory has ignored until now.
    this.log.clear();
    await this.refresh();
    // Otherwise another tab was reset after that, and this one has yet to be told of it.
    if (known.includes(this.#lastCleared)) this.epoch = this.log.epoch;
  }

  /**
   * Tries to use an unusable database again.
   *
   * @returns whether it is usable, or never will be
   */
  recover(): Promise<boolean> {
    this.#recovering ??= this.#recover().finally(() => (this.#recovering = undefined));
    return this.#recovering;
  }

  /** Whether memory is from before a reset. One in the future was made before the clock was set back. */
  #isMissed({ at }: Reset, memorySince: number): boolean {
    return at > memorySince && at <= this.controller.now();
  }

  /** Reads what was appended to the WAL. */
  async refresh(): Promise<void> {
    await this.records.read((view) => this.log.refresh(view));
    this.isBlocked = false;
    this.publishSize();
  }

  /** Updates the status: the size of what is stored has changed, and `change`. */
  publishSize(change: Partial<StorageStatus> = {}): void {
    const { rows, bytes } = compactedSize(this.log.header);
    const logged = this.log.rowCount;
    // Logged rows are measured when they are compacted; until then they count like the others.
    const perRow = rows === 0 ? 0 : bytes / rows;
    this.status.set({ rows: rows + logged, bytes: Math.round(bytes + logged * perRow), ...change });
  }

  /**
   * Whether the last reset that emptied the disk is the last one that this tab has made or followed. If this tab had
   * carried that out before, the browser has deleted the database since, and another tab has carried it out again.
   */
  get hasFollowedReset(): boolean {
    return this.#resetAt !== undefined && this.#lastCleared === this.#resetAt;
  }

  /** When the last reset that emptied the disk was, in ms since the epoch, as of the last read. */
  get #lastCleared(): number | undefined {
    return this.log.header.resets.at(-1)?.at;
  }

  /** Continues in the epoch of a reset that this tab had carried out before. Nothing in memory is on disk. */
  async adoptEpoch(): Promise<void> {
    // Records of other plugins that this tab has stored since it followed that reset.
    const hasLostSide = this.log.header.sideEpoch > this.epoch;
    this.epoch = this.log.epoch;
    this.#touchAll();
    if (hasLostSide) this.#listener?.replaced();
    this.log.clear();
    await this.refresh();
  }

  /**
   * Discards everything known about the disk.
   *
   * @param keepsSide - keeps other plugins' records that are pending
   */
  #forget(keepsSide: boolean): void {
    this.localResets += 1;
    if (!keepsSide) this.pending.side.clear();
    this.listChanges.clear();
    this.directory.clear();
    this.syncStates.clear();
    this.revisions.clear();
    this.log.clear();
    this.lastScreen = undefined;
    this.status.set({ rows: 0, bytes: 0 });
    this.readTimes.clear();
    this.lostRows = new LostRows();
  }

  /** The browser has deleted the database: nothing known about it holds, and everything in memory is pending. */
  #onReplaced(): void {
    if (!this.directory.isLoaded) {
      // A read of it may have begun.
      this.log.onReplaced();
      return;
    }
    this.failures.failure(
      'HF_STORAGE',
      'it was deleted while the app was running',
      'data in memory is written again; the rest is fetched again',
    );
    this.#forget(false);
    this.log.onReplaced();
    this.epoch = this.log.epoch;
    this.#touchAll();
    this.#listener?.replaced();
  }

  #touchAll(): void {
    if (this.state !== undefined) this.pending.markAll(this.state);
    this.#listener?.touched();
  }

  /** Handles what other tabs have written. Later writes here are newer than that, also if this system clock is behind. */
  #onForeign(handle: () => void): void {
    // Until the disk is cleared, its log is that of the session that has ended.
    if (!this.directory.isLoaded || (this.isResetDue && this.log.epoch === this.epoch)) return;
    handle();
    this.#controller?.witness(this.log.order);
  }

  async #open(): Promise<void> {
    const { localResets } = this;
    try {
      await this.storage.open();
      await this.#loadDirectory(localResets);
      this.status.markWorking();
    } catch (cause) {
      // Another tab holds an older version open, or a transaction of it does not end.
      const isTimeout = errorName(cause) === 'TimeoutError';
      const then = isTimeout
        ? 'data is kept in memory until it can; if this lasts, close other tabs of the app'
        : 'data is kept in memory only; allow site data to keep it';
      this.disable(this.fail('it cannot be opened', then, cause));
      this.#isLate = isTimeout;
      if (isTimeout) void this.recover();
    }
  }

  /** Memory has changed without it, so all of that may be pending. */
  async #recover(): Promise<boolean> {
    if (this.#isForeign || typeof indexedDB === 'undefined') return true;
    try {
      await this.storage.openWithoutTimeout();
      // Data from before a reset must not be restored.
      if (this.isResetDue) await this.clear();
      // Before it was opened, another page may have been reset without this one's knowledge.
      else await this.#loadDirectory(this.localResets, Math.max(this.#startedAt, this.#resetAt ?? 0));
    } catch (cause) {
      return this.disableIfForeign(cause) !== undefined;
    }
    this.#onUsable();
    return true;
  }

  /** It has become usable. */
  #onUsable(): void {
    const isNew = this.#isLate && this.storage.isCreated;
    this.#isLate = false;
    this.#isForeign = false;
    if (this.failure !== undefined) {
      this.failure = undefined;
      if (isNew) this.#listener?.replaced();
      this.#listener?.recovered();
      this.#touchAll();
    }
    // A listener may flush.
    this.status.markWorking();
  }

  /**
   * Loads the directory; finishes a reset of a page that has unloaded, and rebuilds the header if it is damaged.
   *
   * @param localResets - `localResets` before it was opened: after a later reset, the disk may still have older data
   * @param memorySince - as for `clear`
   */
  async #loadDirectory(localResets: number, memorySince?: number): Promise<void> {
    // Before anything is decoded: it may be of another user, with another key.
    const unfinished = await this.storage.readUnfinishedResets();
    const { dataLoss } = this.storage;
    if (dataLoss !== undefined)
      this.failures.failure('HF_STORAGE', `the browser has deleted it (${dataLoss})`, 'it is empty now');
    if (unfinished.length > 0) {
      this.#due = [...unfinished, ...this.#due];
      await this.clear(memorySince);
    }
    if (await this.#readDirectory(localResets, memorySince)) return;
    this.failures.failure('HF_STORAGE', 'its header is missing or damaged', 'it is rebuilt');
    await rebuildHeader(this.records, this.decoding);
    this.log.clear();
    await this.#readDirectory(localResets, memorySince);
  }

  /** @returns false if the header is damaged, or missing although there are shards */
  #readDirectory(localResets: number, memorySince = Infinity): Promise<boolean> {
    return this.records.read(async (view) => {
      const [header, keys, screen] = await Promise.all([
        this.log.refresh(view),
        view.resultKeys(),
        readScreen(view),
        // Other plugins' records may be the only ones that show that the key is wrong.
        ...(this.records instanceof CodedRecords
          ? this.controller.plugins.map(({ name }) => view.side(name))
          : []),
      ]);
      // There is no header before the first compaction.
      if (
        header === EMPTY_HEADER &&
        ((await view.header()) !== undefined || (await view.shardKeys()).length > 0)
      )
        return false;
      this.epoch = epochAt(
        header,
        header.resets.filter((reset) => this.#isMissed(reset, memorySince)),
      );
      if (localResets !== this.localResets || this.isResetDue) return true;
      this.publishSize();
      const lastScreen = decodeScreen(screen, header, this.log, this.decoding);
      this.lastScreen = lastScreen && { ...lastScreen, missing: NO_REFS, lastSeen: this.log.lastSeen };
      for (const [table, { lostThrough }] of header.tables)
        if (lostThrough !== undefined && !this.lostRows.has(table)) this.lostRows.add(table, lostThrough);
      this.directory.load(header, keys, this.log, this.isUsable);
      return true;
    });
  }
}

/** The epoch of the memory of a page that has missed these resets. */
function epochAt({ epoch, sideEpoch }: Header, missed: readonly Reset[]): number {
  if (missed.length === 0) return epoch;
  return (missed.every(({ keepsSide }) => keepsSide) ? epoch : sideEpoch) - 1;
}
