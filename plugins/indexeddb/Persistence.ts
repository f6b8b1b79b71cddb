import type { Commit, ResultRevision, Restored, Unsent, Wanted, SideRecords } from 'holdfast';
import { Background } from './Background.ts';
import { estimateStorage, requestPersistence, type StorageEstimate } from './browserStorage.ts';
import { CodedStorage } from './CodedStorage.ts';
import type { Core } from './Core.ts';
import { Disk } from './Disk.ts';
import { Failures } from './Failures.ts';
import { Haste } from './Haste.ts';
import { IdbStorage } from './IdbStorage.ts';
import type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
import { Inquiries } from './Inquiries.ts';
import { onPage } from './onPage.ts';
import { refusals } from './refusals.ts';
import { restoreRest } from './restoreRest.ts';
import { scopedName } from '../shared/scopedName.ts';
import { reviseOnDisk } from './reviseOnDisk.ts';
import { sideChanges } from './side.ts';
import type { LogSize } from './Size.ts';
import type { Storage } from './Storage.ts';
import type { Status } from './Status.ts';
import { Writer } from './Writer.ts';

/** A log this long is folded: reading it is what every start costs. */
const FOLD_AT: LogSize = { records: 256, rows: 1_024 };

/** What the plugin is made of, where it is not what it usually is. */
export interface PersistenceParts {
  readonly storage?: Storage;
  readonly foldAt?: LogSize;
}

/** The plugin: what its controller tells it goes to the writer, what the controller asks is answered by inquiries. */
export class Persistence implements IndexedDBPlugin {
  readonly name = 'indexeddb';
  readonly restored: Promise<void>;
  readonly status: Status;
  readonly #options: IndexedDBOptions;
  readonly #disk: Disk;
  readonly #writer: Writer;
  readonly #haste = new Haste();
  readonly #background: Background;
  #unlisten: () => void = () => undefined;
  readonly #inquiries: Inquiries;
  /** Revisions on their way to the disk. */
  readonly #revising = new Set<Promise<void>>();
  #isTaken = false;
  #settleRestored: () => void = () => undefined;
  #restoring: Promise<void> | undefined;

  constructor(options: IndexedDBOptions, parts: PersistenceParts = {}) {
    const {
      persist,
      durability = 'relaxed',
      version = 0,
      migrate = {},
      codec,
      maxRows = Infinity,
      maxBytes = Infinity,
      onError = (error) => console.error(error),
    } = options;
    const database = databaseName(options);
    const { storage: bare = new IdbStorage(database), foldAt = FOLD_AT } = parts;
    const storage = codec === undefined ? bare : new CodedStorage(bare, codec);
    const failures = new Failures(database, onError);
    this.status = failures.status;
    this.#options = options;
    this.#disk = new Disk(storage, failures, { version, migrate });
    this.#writer = new Writer(this.#disk, {
      name: this.name,
      database,
      persist,
      durability,
      foldAt,
      haste: this.#haste,
      limits: { maxRows, maxBytes },
    });
    this.restored = new Promise((resolve) => {
      this.#settleRestored = resolve;
    });
    const { restored } = this;
    this.#inquiries = new Inquiries(this.#disk, () => this.#background.catchUp());
    this.#background = new Background({
      restored,
      flush: () => this.flush(),
      catchUp: () => this.catchUp(),
      fold: () => this.#writer.folder.fold(),
      isFoldDue: () => this.#writer.folder.isDue,
      schedule: (run, delay) => this.#disk.core.schedule(run, delay),
      retry: () => this.#retry(),
    });
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  async start(controller: Core): Promise<void> {
    this.#isTaken = true;
    const disk = this.#disk;
    this.#unlisten = onPage({
      left: () => {
        this.#noteReads();
        disk.storage.hurry();
        void this.#haste.run(() => this.#background.flush());
      },
      // Other tabs went on while this one was frozen.
      returned: () => void this.#background.catchUp(),
    });
    disk.attach(controller, {
      recovered: () => {
        controller.witness(disk.order);
        if (disk.state !== undefined) disk.pending.touchAll(disk.state);
        this.#background.flushWhenIdle();
        // What they keep here could not be read until now. Whatever fails is theirs to tell.
        for (const plugin of controller.plugins)
          if (plugin !== this) void plugin.catchUp?.().catch(() => undefined);
      },
      replaced: () => {
        for (const plugin of controller.plugins) plugin.sideLost?.();
        this.#background.flushWhenIdle();
      },
    });
    await disk.opened;
    const retry = (): void => {
      if (this.status.get().state === 'degraded') this.#background.retryLater();
    };
    this.status.subscribe(retry);
    retry();
    if (!disk.isUsable) {
      this.status.set({ isRestored: true });
      this.#settleRestored();
      return;
    }
    controller.witness(disk.order);
    this.#restoring = this.#restoreRest();
  }

  commit(commit: Commit): void {
    const disk = this.#disk;
    disk.state = commit.base;
    if (commit.action.type === 'reset') disk.pending.clear();
    else if (commit.origin === this.name) this.#restored(commit);
    else if (disk.isUsable) {
      disk.pending.observe(withoutUnread(commit), disk.standings);
      disk.additions.observe(commit);
    }
    if (commit.action.type === 'collect') this.#collected(commit);
    const hasSide = this.#takeSide(commit.side);
    if (!disk.isUsable || (disk.pending.isEmpty && disk.additions.isEmpty)) return;
    for (const refusal of refusals(commit, this.#options.persist, disk.references))
      disk.failures.tell(refusal);
    if (hasSide) void this.#background.flush();
    else this.#background.flushWhenIdle();
  }

  restore(wanted: Wanted): Promise<Restored | undefined> {
    return this.#inquiries.restore(wanted);
  }

  revise(revision: ResultRevision): void {
    const { revisions } = this.#disk;
    revisions.begin(revision);
    const revising = this.#revise(revision)
      .then(() => revisions.end(revision))
      // What could not be written has been told of, and stays revised for whoever reads it here.
      .catch(() => undefined)
      .finally(() => this.#revising.delete(revising));
    this.#revising.add(revising);
  }

  holds(key: string): boolean {
    const { onDisk, pending } = this.#disk;
    return this.status.get().state === 'working' && onDisk.has(key) && !pending.results.has(key);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#revising);
    await this.#writer.flush();
    this.#background.foldWhenIdle();
  }

  async reset(origin: string, unsent: Unsent = 'discard'): Promise<void> {
    const keepsSide = unsent === 'keep';
    await (origin === 'app' ? this.#writer.clear(keepsSide) : this.#writer.follow(keepsSide));
  }

  async catchUp(): Promise<void> {
    await this.#writer.catchUp();
  }

  requestPersistence(): Promise<boolean> {
    return requestPersistence();
  }

  estimate(): Promise<StorageEstimate | undefined> {
    return estimateStorage();
  }

  async stop(): Promise<void> {
    this.#background.stop();
    this.#noteReads();
    this.#unlisten();
    this.#settleRestored();
    try {
      await this.#disk.opened;
      // What a disk that does not work cannot keep has been told of.
      if (this.#disk.isUsable) await this.#writer.flush();
    } finally {
      await Promise.allSettled([this.#inquiries.settled(), this.#restoring, this.#writer.folder.end()]);
      this.#disk.storage.close();
    }
  }

  side(plugin: string): Promise<SideRecords> {
    return this.#inquiries.side(plugin);
  }

  /** What was on disk is in memory. Lists that something was added to on the way are to be written. */
  #restored(commit: Commit): void {
    const { pending, standings } = this.#disk;
    standings.observeRestored(commit);
    for (const table of new Set(commit.additions.map((addition) => addition.table)))
      for (const pk of commit.baseChanges.rows.get(table)?.keys() ?? []) pending.touch(table, pk);
  }

  /** Memory has let go of something: it is read again only once what was pending of it is written. */
  #collected({ baseChanges }: Commit): void {
    const { readTimes, onDisk, core } = this.#disk;
    for (const key of baseChanges.results.keys()) if (onDisk.has(key)) readTimes.note(key, core.now());
    this.#inquiries.waitFor(this.#background.flush());
  }

  /** Nobody may be there to write later what is on screen now; it matters only where something may have to go. */
  #noteReads(): void {
    const { core, readTimes, onDisk, isUsable } = this.#disk;
    const { maxRows = Infinity, maxBytes = Infinity } = this.#options;
    if (!isUsable || Math.min(maxRows, maxBytes) === Infinity) return;
    for (const { key } of core.mountedReads()) if (onDisk.has(key)) readTimes.note(key, core.now());
    readTimes.isUrgent = true;
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

  async #revise(revision: ResultRevision): Promise<void> {
    const { generation } = this.#disk;
    if (!(await this.#inquiries.isReadable()) || generation !== this.#disk.generation) return;
    await reviseOnDisk(this.#disk, revision);
    await this.#writer.flush();
  }

  /** Tries what failed again. Resolves with whether nothing that failed is left, or nothing can be done about it. */
  async #retry(): Promise<boolean> {
    const disk = this.#disk;
    if (!disk.isUsable && !(await disk.recover())) return false;
    if (!disk.isUsable) return true;
    const { problem } = this.status.get();
    await this.catchUp();
    await this.#writer.flush();
    await this.restored;
    await this.#writer.folder.fold();
    const now = this.status.get().problem;
    if (now !== undefined && now !== problem) return false;
    this.status.works();
    return true;
  }

  async #restoreRest(): Promise<void> {
    const disk = this.#disk;
    const { generation } = disk;
    try {
      if (this.#options.restore === 'lazy') return;
      await restoreRest(disk, {
        name: this.name,
        settled: () => this.#inquiries.settled(),
        isWanted: () => !this.#background.isStopped && disk.isUsable && generation === disk.generation,
      });
    } catch (cause) {
      if (!this.#background.isStopped)
        disk.failures.storage('the rest of it cannot be restored', 'each read asks it again', cause);
    } finally {
      this.status.set({ isRestored: true });
      this.#settleRestored();
      this.#background.foldWhenIdle();
    }
  }
}

function databaseName({ name, scope }: IndexedDBOptions): string {
  return scopedName(name, scope);
}

/**
 * A commit without the results that a server sent and nothing has read. Which rows they reach is known when they are
 * read; they are committed once more then. The rows themselves must meet what disk has of them.
 */
function withoutUnread(commit: Commit): Commit {
  const { action, baseChanges } = commit;
  if (action.type !== 'hydrate' || action.key !== undefined) return commit;
  return { ...commit, baseChanges: { rows: baseChanges.rows, results: new Map() } };
}
