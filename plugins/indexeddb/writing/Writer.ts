import type { HoldfastError, State } from 'holdfast';
import { SessionEnded } from '../reading/Reader.ts';
import { appendBatch, LogMoved, type AppendBatchOptions } from './appendBatch.ts';
import { NAME } from '../ControllerApi.ts';
import type { Disk } from '../Disk.ts';
import { Compactor, type CompactorOptions } from '../maintenance/Compactor.ts';
import { errorName } from '../../shared/errorName.ts';
import { hasIndexedDB } from '../../shared/hasIndexedDB.ts';
import { collectBatch, type CollectOptions } from './collectBatch.ts';
import { catchUp, Reconciliation } from './reconcile.ts';
import type { PendingWrites } from './PendingWrites.ts';
import type { WriteBatch } from '../records/records.ts';
import type { Reset } from '../records/resets.ts';

/** Options of the writer. */
export interface WriterOptions extends CompactorOptions, CollectOptions, AppendBatchOptions {}

/** Writes pending changes, one operation after the other. */
export class Writer {
  readonly compactor: Compactor;
  readonly #disk: Disk;
  readonly #options: WriterOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** The next flush, which all callers share until it starts. */
  #next: Promise<void> | undefined;
  /** Settles once the last reset is carried out. */
  #cleared: Promise<void> = Promise.resolve();
  /** Whether data was evicted since the last write: if that made no space, another eviction would only lose data. */
  #hasEvicted = false;

  constructor(disk: Disk, options: WriterOptions) {
    this.#disk = disk;
    this.#options = options;
    this.compactor = new Compactor(disk, options, (run) => this.#enqueue(run));
  }

  /**
   * Writes pending changes as one batch.
   *
   * @throws HoldfastError `HF_STORAGE` when they could not be written and stay pending, `HF_KEY_DEFAULTED` when an
   * entity has no explicit key, `HF_PLUGIN` when a function of the app threw, `HF_ROW_NOT_CLONABLE` when another
   * plugin's record cannot be stored
   */
  flush(): Promise<void> {
    this.#next ??= this.#enqueue(() => {
      this.#next = undefined;
      return this.#flush();
    })
      // The old data is on disk until the reset is carried out.
      .then(() => this.#cleared);
    return this.#next;
  }

  /** Carries out a reset of this tab or another one, after the operations that have begun. Later commits are written afterwards. */
  reset(reset: Reset): Promise<void> {
    const disk = this.#disk;
    // At once, since the app may navigate right after it has called `reset()`.
    const begun = disk.beginReset(reset);
    this.#next = undefined;
    const done = this.#enqueue(async () => {
      // Without IndexedDB there is nothing to clear; a database that does not open may have data.
      await disk.opened;
      if (!disk.isUsable && !hasIndexedDB()) return;
      try {
        await begun;
        // Opening it may have carried this out already.
        if (disk.isResetDue) await disk.clear();
      } catch (cause) {
        // Further writes would mix new data with data that should be gone.
        const then = 'data from before the reset may still be there, until a retry succeeds';
        const failure = disk.fail('it cannot be emptied', then, cause);
        disk.disable(failure);
        // A newer version of the app may have kept mutations in a database that is empty otherwise.
        if (disk.isResetDue) throw failure;
      }
      if (disk.isUsable && disk.pending.side.size > 0) await this.#flush();
    });
    this.#cleared = done.catch(() => undefined);
    return done;
  }

  /** Merges what other tabs have written into memory; resets it if another tab has cleared the disk. */
  catchUp(): Promise<void> {
    return this.#enqueue(async () => {
      const disk = this.#disk;
      await this.#refresh();
      if (!disk.isUsable) return;
      try {
        await catchUp(disk);
      } catch (cause) {
        if (cause instanceof SessionEnded) await this.#refresh();
        else throw disk.readFailure(cause, 'changes of other tabs are not shown');
      }
    });
  }

  /** Reads the changes of other tabs; returns the reported error if they have cleared the disk. */
  async #refresh(): Promise<HoldfastError | undefined> {
    const disk = this.#disk;
    await disk.opened;
    if (!disk.isUsable) return undefined;
    try {
      await disk.refresh();
      // A reset in the meantime has discarded what was read.
      if (disk.hasSession || disk.isResetDue) return undefined;
      if (!disk.hasFollowedReset) return this.#resetFromOtherTab();
      await disk.adoptEpoch();
      return undefined;
    } catch (cause) {
      throw disk.readFailure(cause, 'changes of other tabs are not shown');
    }
  }

  /** Another tab was reset without announcing it: this tab's data is outdated. */
  #resetFromOtherTab(): HoldfastError {
    const { controller, failures, log, epoch } = this.#disk;
    const failure = failures.failure('HF_STORAGE', 'another tab has emptied it', 'so does this tab');
    const unsent = log.header.sideEpoch > epoch ? 'discard' : 'keep';
    controller.reset({ origin: NAME, unsent, at: log.header.resets.at(-1)?.at ?? 0 }).catch(() => undefined);
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
    // If the browser has deleted the database, everything in memory becomes pending. A failure is reported by the
    // write.
    if (this.#disk.isUsable) await storage.open().catch(() => undefined);
    // If other tabs have written, their changes are reconciled first.
    while (!(await this.#flushOnce()));
  }

  /** Returns false if it has to be repeated. */
  async #flushOnce(): Promise<boolean> {
    const disk = this.#disk;
    const { pending, readTimes, listChanges, localResets } = disk;
    const { lastScreen } = this.#options;
    // Pending changes are of the session after it.
    if (disk.isUsable && disk.isResetDue) return true;
    if (disk.failure !== undefined) {
      // Only other plugins' records.
      if (pending.isEmpty) return true;
      throw disk.failure;
    }
    if (pending.isEmpty && listChanges.isEmpty && !readTimes.isDue && !lastScreen.isDue) return true;
    const reconciliation = new Reconciliation(disk);
    try {
      for (let pass = reconciliation.next(); pass !== undefined; pass = reconciliation.next()) {
        await pass;
        if (localResets !== disk.localResets) return false;
      }
    } catch (cause) {
      if (cause instanceof SessionEnded) {
        const failure = await this.#refresh();
        if (failure !== undefined) throw failure;
        return false;
      }
      if (localResets !== disk.localResets) return false;
      throw disk.readFailure(cause, 'changes stay in memory until it can');
    }
    // No await since `next()` has returned undefined: what is taken must be reconciled and of one state.
    const guard = { ...disk.log.guard, identity: disk.records.identity };
    const pendingWrites = pending.take();
    const { state } = disk;
    const collected = await collectBatch(disk, pendingWrites, reconciliation, this.#options);
    if (localResets !== disk.localResets) return false;
    pending.requeue(collected.skipped);
    const failed = collected.refused.map((error) => disk.failures.report(error));
    const isWriting =
      collected.batch.rows.length + collected.batch.results.length + pendingWrites.side.size > 0;
    const reads = isWriting || readTimes.isDue ? readTimes.take() : [];
    const batch = reads.length === 0 ? collected.batch : { ...collected.batch, reads };
    const screen = lastScreen.take(state, pendingWrites, batch);
    if (isWriting || reads.length > 0 || screen !== undefined) {
      const side = [...pendingWrites.side.values()];
      const startedAt = disk.controller.now();
      try {
        const refused = await appendBatch(disk, { batch, side, screen, guard }, this.#options);
        for (const each of refused) failed.push(each);
        pending.endSideChanges(pendingWrites.side);
        this.#hasEvicted = false;
        const flushedAt = disk.controller.now();
        disk.publishSize({ flushedAt, flushTook: flushedAt - startedAt });
        if (disk.isUsable) disk.status.markWorking();
      } catch (cause) {
        if (localResets !== disk.localResets) return false;
        if (screen !== undefined && cause instanceof LogMoved) lastScreen.request();
        requeue(disk, pendingWrites, batch, state);
        readTimes.requeue(reads);
        await this.#recover(cause);
        return false;
      }
    }
    if (localResets === disk.localResets)
      listChanges.markDurable(reconciliation.lists.count, disk.log.lastSeen);
    if (failed[0] !== undefined) throw failed[0];
    // If the screen contained a value that cannot be stored, it is collected again without it.
    return screen === undefined || !lastScreen.isDue;
  }

  /**
   * Stores other plugins' records alone: they exist nowhere else, and may fit where rows do not. A record is deleted
   * only together with the rows that replace it.
   */
  async #appendSide(): Promise<void> {
    const disk = this.#disk;
    const written = new Map(disk.pending.side);
    const side = [...written.values()];
    if (side.some(({ record }) => record === undefined)) return;
    const guard = { ...disk.log.guard, identity: disk.records.identity };
    await appendBatch(
      disk,
      { batch: { rows: [], results: [] }, side, screen: undefined, guard },
      this.#options,
    );
    disk.pending.endSideChanges(written);
  }

  /** Prepares another attempt if it may succeed; else throws the reported error. */
  async #recover(cause: unknown): Promise<void> {
    const disk = this.#disk;
    if (cause instanceof LogMoved) {
      const cleared = await this.#refresh();
      // Records that the reset keeps are written in the next epoch.
      if (cleared !== undefined && disk.pending.side.size === 0) throw cleared;
      return;
    }
    if (errorName(cause) === 'QuotaExceededError') {
      if (!this.#hasEvicted) {
        this.#hasEvicted = true;
        if (await this.compactor.makeRoom()) return;
      }
      // If they do not fit either, the error below says so.
      await this.#appendSide().catch(() => undefined);
    }
    throw disk.fail('it cannot be written', 'changes stay in memory until it can', cause);
  }
}

/**
 * Rows that the batch contains beyond the pending ones become pending too, since they count as persisted. What memory has
 * collected in the meantime is written as it was.
 *
 * @param before - the state that the batch stores
 */
function requeue(
  { pending, state }: Disk,
  taken: PendingWrites,
  { rows, results }: WriteBatch,
  before: State | undefined,
): void {
  for (const { table, pk } of rows) {
    if (taken.rows.get(table)?.get(pk)?.collectedRow !== undefined) continue;
    const collectedRow = before?.tables[table]?.get(pk);
    const isCollected = collectedRow !== undefined && state?.tables[table]?.get(pk) === undefined;
    taken.markRow(table, pk, isCollected ? { collectedRow } : {});
  }
  for (const { key } of results) taken.results.set(key, taken.results.get(key) ?? before?.results.get(key));
  pending.requeue(taken);
}
