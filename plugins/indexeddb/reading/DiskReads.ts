import type { Restored, SideRecords, RestoreQuery } from 'holdfast';
import { yieldToMain } from '../../shared/mainThread.ts';
import type { Disk } from '../Disk.ts';
import { decodeHeader } from '../records/header.ts';
import type { LastScreen } from './LastScreen.ts';
import { QueriedTables, type QueriedTablesOptions } from './QueriedTables.ts';
import { SessionEnded } from './Reader.ts';
import { acceptFound } from './toRestored.ts';

/** What reads need to know of the plugin. */
export type DiskReadsOptions = Omit<QueriedTablesOptions, 'settled'>;

/** Reads from disk for the controller and other plugins. */
export class DiskReads {
  readonly #disk: Disk;
  readonly #tables: QueriedTables;
  readonly #lastScreen: LastScreen;
  readonly #catchUp: () => Promise<void>;
  readonly #isStopped: () => boolean;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** Settles once collected rows are written, as far as possible: restores wait for it. */
  pendingFlush: Promise<void> | undefined;

  constructor(disk: Disk, lastScreen: LastScreen, options: DiskReadsOptions) {
    this.#disk = disk;
    this.#lastScreen = lastScreen;
    this.#catchUp = options.catchUp;
    this.#isStopped = options.isStopped;
    this.#tables = new QueriedTables(disk, { ...options, settled: () => Promise.allSettled(this.#inFlight) });
  }

  /** Whether the disk may be read: it is usable, as far as known, and no reset is pending. */
  async isReadable(): Promise<boolean> {
    const disk = this.#disk;
    await disk.opened;
    if (disk.isResetDue) await this.#catchUp();
    return disk.isUsable && !disk.isBlocked && !disk.isResetDue;
  }

  /**
   * The requested data that is on disk; undefined if there is none, or it cannot be read. Whole tables are not part of
   * the answer: when it comes, they are in memory.
   */
  async restore(query: RestoreQuery): Promise<Restored | undefined> {
    const { syncStates, status } = this.#disk;
    if (query.tables?.every((table) => syncStates.isInMemory(table)) ?? true) return this.#restore(query);
    // At once: what a live query shows until then is never said to be all.
    status.beginRestore();
    try {
      return await this.#restore(query);
    } finally {
      // Not before the queries have got their last rows, which happens when this has resolved.
      void yieldToMain().then(() => status.endRestore());
    }
  }

  /** Restores the tables that could not be read when a query asked for them. */
  restoreUnread(): void {
    const { unread } = this.#tables;
    const tables = [...unread];
    unread.clear();
    if (tables.length > 0) void this.restore({ tables });
  }

  async #restore(query: RestoreQuery): Promise<Restored | undefined> {
    const disk = this.#disk;
    if (!(await this.isReadable())) {
      for (const table of query.tables ?? []) this.#tables.unread.add(table);
      return undefined;
    }
    if (this.#lastScreen.answers(query)) return undefined;
    await this.pendingFlush;
    if (query.tables !== undefined) await this.#tables.restore(query.tables);
    const stored = this.#storedPart(query);
    if (stored === undefined) return undefined;
    for (const key of stored.results ?? []) disk.readTimes.record(key, disk.controller.now());
    const reading = disk.reader.readReachable(stored);
    this.#inFlight.add(reading);
    try {
      const found = await reading;
      // Otherwise pending changes may still fail to be written.
      if (disk.pending.isEmpty) disk.status.markWorking();
      return acceptFound(disk, found);
    } catch (cause) {
      if (cause instanceof SessionEnded) void this.#catchUp();
      else if (!this.#isStopped()) disk.readFailure(cause, 'it is fetched instead');
      return undefined;
    } finally {
      this.#inFlight.delete(reading);
    }
  }

  /** The stored records of another plugin. */
  async side(plugin: string): Promise<SideRecords> {
    const disk = this.#disk;
    await this.isReadable();
    // A log-out of another tab that keeps them leaves them where they are.
    if (disk.isUsable && !disk.discardsSide) {
      const [records, header] = await disk.records.read((view) =>
        Promise.all([view.side(plugin), view.header()]),
      );
      const { epoch, version } = decodeHeader(header);
      // Another tab was reset: the plugin must learn of it before it takes what is missing for sent. Or it has a newer
      // version of the app, which must send its mutations itself.
      if (epoch !== disk.epoch || version > disk.decoding.version) await this.#catchUp();
      if (this.#disk.isUsable) return records;
    }
    // An outbox that cannot be read yet is not empty.
    if (disk.hidesSide && disk.failure !== undefined) throw disk.failure;
    return [];
  }

  /** Settles once no read is in progress. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#inFlight, this.#tables.settled()]);
  }

  /** The part of the query that may be on disk; undefined if nothing is, so that the disk is skipped. */
  #storedPart({ results = [], rows = [] }: RestoreQuery): RestoreQuery | undefined {
    const { directory, syncStates } = this.#disk;
    const stored = {
      results: results.filter((key) => directory.results.has(key)),
      rows: rows.filter(
        ([table, pk]) => syncStates.get(table, pk) !== undefined || !syncStates.isComplete(table),
      ),
    };
    return stored.results.length + stored.rows.length > 0 ? stored : undefined;
  }
}
