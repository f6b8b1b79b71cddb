import type { Commit, ResultRevision, Restored, Unsent, RestoreQuery, SideRecords } from 'holdfast';
import { Background } from './scheduling/Background.ts';
import { estimateStorage, requestPersistence } from './storage/browserStorage.ts';
import { NAME, type ControllerApi } from './ControllerApi.ts';
import { Disk } from './Disk.ts';
import { Failures } from './Failures.ts';
import { losesUnloadWrites, UnloadMode } from './scheduling/UnloadMode.ts';
import { IdbStorage } from './storage/IdbStorage.ts';
import type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
import { DiskReads } from './reading/DiskReads.ts';
import { onPageLifecycle } from '../shared/pageLifecycle.ts';
import { defaultedKeyErrors } from './defaultedKeyErrors.ts';
import { backgroundRestore } from './reading/backgroundRestore.ts';
import { scopedName } from '../shared/scopedName.ts';
import { LastScreen } from './reading/LastScreen.ts';
import { mergeFound } from './reading/toRestored.ts';
import { SessionEnded } from './reading/Reader.ts';
import { reviseOnDisk } from './writing/reviseOnDisk.ts';
import { sideChanges } from './writing/side.ts';
import { COMPACT_AT } from './maintenance/Compactor.ts';
import type { LogSize } from './writing/WriteAheadLog.ts';
import type { Storage } from './storage/Storage.ts';
import type { Status } from './Status.ts';
import { Writer } from './writing/Writer.ts';

/** Revisions of results that are kept while the disk cannot be read. */
const MAX_REVISIONS = 1_000;

/** Replaceable parts, for tests. */
export interface IndexedDBPluginDeps {
  readonly storage?: Storage;
  readonly compactAt?: LogSize;
}

/** The storage plugin: passes commits to the writer, and restores by reads. */
export class IndexedDBPluginImpl implements IndexedDBPlugin {
  readonly name = NAME;
  isAttached = false;
  readonly restored: Promise<void>;
  readonly plainDatabase: string | undefined;
  readonly status: Status;
  readonly requestPersistence = requestPersistence;
  readonly estimate = estimateStorage;
  readonly #options: IndexedDBOptions;
  readonly #disk: Disk;
  readonly #writer: Writer;
  readonly #unloadMode = new UnloadMode();
  readonly #background: Background;
  #unlisten: () => void = () => undefined;
  readonly #reads: DiskReads;
  readonly #lastScreen: LastScreen;
  /** Settles once all revisions are written, as far as possible. */
  #revising = Promise.resolve();
  #isScreenScheduled = false;
  #resolveRestored: () => void = () => undefined;
  #backgroundRestore: Promise<void> | undefined;

  constructor(options: IndexedDBOptions, parts: IndexedDBPluginDeps = {}) {
    const {
      persist,
      durability = 'relaxed',
      version = 0,
      migrate,
      codec,
      maxRows = Infinity,
      maxBytes = Infinity,
      onError,
    } = options;
    const database = scopedName(options.name, options.scope);
    const { storage = options.storage?.(database) ?? new IdbStorage(database), compactAt = COMPACT_AT } =
      parts;
    this.plainDatabase = codec === undefined && options.storage === undefined ? database : undefined;
    const failures = new Failures(database, onError);
    this.status = failures.status;
    this.#options = options;
    this.#disk = new Disk(storage, failures, { version, migrate, codec });
    this.#lastScreen = new LastScreen(this.#disk);
    this.#writer = new Writer(this.#disk, {
      database,
      persist,
      durability,
      compactAt,
      unloadMode: this.#unloadMode,
      limits: { maxRows, maxBytes },
      lastScreen: this.#lastScreen,
    });
    this.restored = new Promise((resolve) => {
      this.#resolveRestored = resolve;
    });
    const { restored: restoreComplete } = this;
    this.#reads = new DiskReads(this.#disk, this.#lastScreen, {
      isStopped: () => this.#background.isStopped,
      onRestored: () => this.#background.whenIdle(() => this.#recordScreen()),
      catchUp: () => this.#background.catchUp(),
    });
    this.#background = new Background({
      restoreComplete,
      flush: () => this.flush(),
      catchUp: () => this.catchUp(),
      compactor: this.#writer.compactor,
      schedule: (run, delay) => this.#disk.controller.schedule(run, delay),
      retry: () => this.#retry(),
    });
  }

  async start(controller: ControllerApi): Promise<void> {
    this.isAttached = true;
    const disk = this.#disk;
    const onLeave = (): void => this.leave();
    this.#unlisten = onPageLifecycle({
      onLeave,
      onBeforeUnload: losesUnloadWrites() ? onLeave : undefined,
      // Other tabs have continued while this one was frozen.
      onReturn: () => void this.#background.catchUp(),
    });
    const syncRecords = (cause: 'missed' | 'lost'): void => {
      // The plugins report their own failures.
      for (const plugin of controller.plugins) plugin.syncRecords?.(cause).catch(() => undefined);
    };
    disk.attach(controller, {
      recovered: () => {
        controller.witness(disk.log.order);
        // They could not be read until now.
        syncRecords('missed');
        this.#makeUp();
      },
      replaced: () => syncRecords('lost'),
      touched: () => this.#background.flushWhenIdle(),
    });
    await disk.opened;
    const retry = (): void => {
      if (this.status.get().state === 'degraded') this.#background.retryLater();
    };
    this.status.subscribe(retry);
    retry();
    if (!disk.isUsable) {
      this.status.endRestore();
      this.#resolveRestored();
      return;
    }
    controller.witness(disk.log.order);
    const inMemory: string[] = [];
    disk.state?.results.forEach((_, key) => {
      if (disk.directory.results.has(key)) inMemory.push(key);
    });
    this.#lastScreen.restore();
    this.#backgroundRestore = this.#restoreInBackground(inMemory);
  }

  /** The page is hidden, and may not come back: writes what is pending, and what is on screen. */
  leave(): void {
    this.#recordMountedReads();
    this.#lastScreen.request();
    this.#disk.storage.prepareUnload();
    void this.#unloadMode.run(() => this.#background.flush());
  }

  commit(commit: Commit): void {
    const disk = this.#disk;
    disk.state = commit.base;
    if (commit.action.type === 'reset') disk.pending.clear();
    else if (commit.origin === this.name) this.#onRestoreCommit(commit);
    else {
      if (disk.isUsable) disk.pending.observe(withoutUnreadResults(commit), disk.syncStates);
      else disk.syncStates.recordDeletions(commit);
      disk.listChanges.observe(commit, disk.isUsable);
    }
    if (commit.action.type === 'collect') this.#onCollectCommit(commit);
    if (commit.baseChanges.results.size > 0) this.#recordScreenIfOutdated();
    const hasSide = this.#queueSide(commit.side);
    if (!disk.isUsable || (disk.pending.isEmpty && disk.listChanges.isEmpty)) return;
    for (const refusal of defaultedKeyErrors(commit, this.#options.persist, disk.references))
      disk.failures.report(refusal);
    if (hasSide) void this.#background.flush();
    else this.#background.flushWhenIdle();
  }

  restore(query: RestoreQuery): Promise<Restored | undefined> {
    return this.#reads.restore(query);
  }

  revise(revision: ResultRevision): void {
    const { revisions } = this.#disk;
    revisions.add(revision);
    const before = this.#revising;
    // If it fails, it applies to whatever is read here, until a retry succeeds.
    const revising = this.#revise(revision).catch(() => false);
    this.#revising = revising.then(() => before);
    void revising.then(async (isDone) => {
      if (!isDone) return;
      // Reads that began before may merge their data later, which it applies to as well.
      await Promise.all([this.restored, this.#reads.settled()]);
      revisions.delete(revision);
    });
  }

  holds(key: string): boolean {
    const { directory, pending } = this.#disk;
    return this.status.get().state === 'working' && directory.results.has(key) && !pending.results.has(key);
  }

  async flush(): Promise<void> {
    await this.#revising;
    await this.#writer.flush();
    this.#background.compactWhenIdle();
  }

  async reset(origin: string, unsent: Unsent = 'discard', at = 0): Promise<void> {
    const keepsSide = unsent === 'keep';
    if (keepsSide) this.#lastScreen.forget();
    const { log, controller } = this.#disk;
    // A new reset has the time of an earlier one if the clock was set back, or stands still. 0 is an unknown time: then
    // other tabs do not recognize this reset.
    const isTaken = origin === 'app' && log.header.resets.some((reset) => reset.at === at);
    await this.#writer.reset({ at: isTaken || at === 0 ? controller.now() + Math.random() : at, keepsSide });
  }

  catchUp(): Promise<void> {
    return this.#writer.catchUp();
  }

  async stop(): Promise<void> {
    this.#background.stop();
    this.#recordMountedReads();
    this.#lastScreen.request();
    this.#unlisten();
    this.#resolveRestored();
    try {
      await this.#disk.opened;
      // An unusable disk has already reported what it cannot keep.
      if (this.#disk.isUsable) await this.flush();
    } finally {
      await Promise.allSettled([
        this.#reads.settled(),
        this.#backgroundRestore,
        this.#writer.compactor.settled(),
      ]);
      this.#disk.storage.close();
    }
  }

  side(plugin: string): Promise<SideRecords> {
    return this.#reads.side(plugin);
  }

  /** A page that crashes is not hidden first, and browsers may lose what an unloading page writes. */
  #recordScreen(): Promise<void> {
    this.#lastScreen.request();
    return this.#background.flush();
  }

  /** Results have changed, so other reads may be mounted. */
  #recordScreenIfOutdated(): void {
    if (this.#isScreenScheduled) return;
    this.#isScreenScheduled = true;
    this.#background.whenIdle(() => {
      this.#isScreenScheduled = false;
      return this.#lastScreen.isOutdated ? this.#recordScreen() : Promise.resolve();
    });
  }

  /** Restored rows are in memory, and their sync states recorded. Lists with new changes are written. */
  #onRestoreCommit(commit: Commit): void {
    for (const table of new Set(commit.listChanges.map((change) => change.table)))
      for (const pk of commit.baseChanges.rows.get(table)?.keys() ?? [])
        this.#disk.pending.markRow(table, pk);
  }

  /** Memory has collected rows: they are restored only after their pending changes are written. */
  #onCollectCommit({ baseChanges }: Commit): void {
    const { readTimes, directory, controller } = this.#disk;
    for (const key of baseChanges.results.keys())
      if (directory.results.has(key)) readTimes.record(key, controller.now());
    this.#reads.pendingFlush = this.#background.flush();
  }

  /** The page may not come back, so mounted reads count as read now. Only needed for eviction. */
  #recordMountedReads(): void {
    const { controller, readTimes, directory, isUsable } = this.#disk;
    const { maxRows = Infinity, maxBytes = Infinity } = this.#options;
    if (!isUsable || Math.min(maxRows, maxBytes) === Infinity) return;
    for (const key of controller.mountedKeys())
      if (directory.results.has(key)) readTimes.record(key, controller.now());
    readTimes.isUrgent = true;
  }

  /** Whether there are records of other plugins to write. */
  #queueSide(side: Commit['side']): boolean {
    const { pending, failures } = this.#disk;
    const changes = Object.entries(side).flatMap(([plugin, records]) => sideChanges(plugin, records));
    for (const change of changes) {
      if (change === undefined)
        failures.failure(
          'HF_PLUGIN',
          '`side` of a plugin did not return a list of [key, record]',
          'it was not written',
        );
      else pending.addSideChange(change);
    }
    return changes.length > 0;
  }

  /** Returns whether the revision is written, or given up. */
  async #revise(revision: ResultRevision): Promise<boolean> {
    const disk = this.#disk;
    const { localResets } = disk;
    // The disk may never be readable, so few are kept.
    if (!(await this.#reads.isReadable())) return disk.revisions.size > MAX_REVISIONS;
    if (localResets !== disk.localResets) return true;
    await reviseOnDisk(disk, revision).catch((cause: unknown) => {
      if (cause instanceof SessionEnded) void this.#background.catchUp();
      // A retry makes up for it.
      else if (!this.#background.isStopped) disk.readFailure(cause, 'changes stay in memory until it can');
      throw cause;
    });
    await this.#writer.flush();
    return true;
  }

  /** Does what could not be done while the disk could not be read. */
  #makeUp(): void {
    this.#reads.restoreUnread();
    for (const revision of this.#disk.revisions) this.revise(revision);
  }

  /** Retries what failed. Resolves with whether everything has succeeded, or cannot succeed. */
  async #retry(): Promise<boolean> {
    const disk = this.#disk;
    if (!disk.isUsable && !(await disk.recover())) return false;
    if (!disk.isUsable) return true;
    const { problem } = this.status.get();
    await this.catchUp();
    this.#makeUp();
    await this.flush();
    await this.restored;
    await this.#writer.compactor.compact();
    const now = this.status.get().problem;
    if (now !== undefined && now !== problem) return false;
    this.status.markWorking();
    return true;
  }

  /** @param results - those on disk that memory had before the disk was open, such as those of an `initialState` */
  async #restoreInBackground(results: readonly string[]): Promise<void> {
    const disk = this.#disk;
    const { localResets } = disk;
    try {
      // They may be older than the disk: a page that a service worker has cached contains its state of that time.
      if (results.length > 0) mergeFound(disk, await disk.reader.readReachable({ results }));
      if (this.#options.restore === 'lazy') return;
      await backgroundRestore(disk, {
        settled: () => this.#reads.settled(),
        isActive: () => !this.#background.isStopped && disk.isUsable && localResets === disk.localResets,
      });
    } catch (cause) {
      if (cause instanceof SessionEnded) void this.#background.catchUp();
      else if (!this.#background.isStopped)
        disk.failures.degrade('the rest of it cannot be restored', 'each read retries it', cause);
    } finally {
      this.status.endRestore();
      this.#resolveRestored();
      this.#background.compactWhenIdle();
    }
  }
}

/**
 * A commit without the results that a server sent and that were not read yet. Their references are unknown until
 * then, and they are committed again. The rows themselves must be reconciled with the disk.
 */
function withoutUnreadResults(commit: Commit): Commit {
  const { action, baseChanges } = commit;
  if (action.type !== 'hydrate' || action.key !== undefined) return commit;
  return { ...commit, baseChanges: { rows: baseChanges.rows, results: new Map() } };
}
