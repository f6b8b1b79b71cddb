import type { Disk } from '../Disk.ts';
import { yieldInBackground } from '../../shared/mainThread.ts';
import { reconcileRestored } from '../writing/reconcile.ts';
import type { DiskResult, DiskRow, Refs } from '../records/records.ts';
import type { ShardRange } from './Reader.ts';

/** The time after which to yield while merging, in ms: a phone takes four times as long. */
const BUDGET = 4;

/** Rows merged in one commit: few enough to check the clock often, many enough to share its costs. */
const ROWS = 512;

/** The same for results, which may each refer to many rows. */
const RESULTS = 32;

/** Shards read in one transaction. */
const SHARDS = 256;

/** Results read in one transaction: decoding them is one task. */
const RESULTS_READ = 128;

/** Reads in progress at a time, so that the disk works while memory merges. More would delay reads of components. */
const PREFETCHED = 2;

/** Options of the background restore. */
export interface BackgroundRestoreOptions {
  /** The plugin's name. */
  readonly name: string;
  /** Settles once no read of the app is in progress. */
  readonly settled: () => Promise<void>;
  /** Whether to continue. */
  readonly isActive: () => boolean;
}

/**
 * Restores everything into memory, in short tasks while the main thread is idle. Rows come before results: a result
 * in memory is read without the disk, so everything it refers to must already be there.
 */
export async function backgroundRestore(disk: Disk, options: BackgroundRestoreOptions): Promise<void> {
  const importer = new Importer(disk, options);
  for (const { table, shards } of disk.tables) {
    if (!(await importer.waitForTurn()) || !(await restoreTable(disk, table, shards, importer))) return;
    disk.syncStates.markComplete(table);
  }
  // Its references are in memory now.
  await reconcileRestored(disk, options.name, () => importer.waitForTurn());
  if (await importer.waitForTurn()) await restoreResults(disk, importer);
}

/** Returns false if it was stopped. */
async function restoreTable(disk: Disk, table: string, shards: number, importer: Importer): Promise<boolean> {
  const createPrefetcher = (shardCount: number): Prefetcher<ShardRange> =>
    new Prefetcher(shardCount, SHARDS, (first) => disk.reader.shards(table, first, SHARDS));
  let shardCount = shards;
  let prefetcher = createPrefetcher(shardCount);
  for (let reading = prefetcher.next(); reading !== undefined; reading = prefetcher.next()) {
    const found = await reading;
    if (!(await importer.waitForTurn())) return false;
    if (found.shards !== shardCount) {
      // A compaction has resharded the table. Rows that are already in memory are skipped.
      shardCount = found.shards;
      prefetcher = createPrefetcher(shardCount);
    } else if (!(await importer.rows(table, found))) return false;
  }
  return true;
}

async function restoreResults(disk: Disk, importer: Importer): Promise<void> {
  const keys = [...disk.onDisk].sort();
  const prefetcher = new Prefetcher(keys.length, RESULTS_READ, (first) => {
    const last = Math.min(first + RESULTS_READ, keys.length) - 1;
    return disk.reader.resultsBetween(keys[first] ?? '', keys[last] ?? '');
  });
  for (let reading = prefetcher.next(); reading !== undefined; reading = prefetcher.next()) {
    const found = await reading;
    if (!(await importer.waitForTurn()) || !(await importer.results(found))) return;
  }
}

/** Sequential reads, a few of which are started ahead. */
class Prefetcher<T> {
  readonly #end: number;
  readonly #step: number;
  readonly #read: (first: number) => Promise<T>;
  readonly #readings: Promise<T>[] = [];
  #first = 0;

  /**
   * @param end - the number of items
   * @param step - items per read
   */
  constructor(end: number, step: number, read: (first: number) => Promise<T>) {
    this.#end = end;
    this.#step = step;
    this.#read = read;
  }

  /** The next read; undefined after the last. */
  next(): Promise<T> | undefined {
    while (this.#first < this.#end && this.#readings.length < PREFETCHED) {
      const reading = this.#read(this.#first);
      // Awaited by the caller, unless it stops.
      reading.catch(() => undefined);
      this.#readings.push(reading);
      this.#first += this.#step;
    }
    return this.#readings.shift();
  }
}

/** Merges restored records into memory. */
class Importer {
  readonly #disk: Disk;
  readonly #options: BackgroundRestoreOptions;
  /** When it got the main thread. */
  #since = 0;

  constructor(disk: Disk, options: BackgroundRestoreOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /** Waits for an idle moment. Returns false if it should stop. */
  async waitForTurn(): Promise<boolean> {
    await yieldInBackground();
    await this.#options.settled();
    this.#since = performance.now();
    return this.#options.isActive();
  }

  get #shouldYield(): boolean {
    return performance.now() - this.#since > BUDGET;
  }

  /** Returns false if it was stopped. */
  async rows(table: string, { rows: found, shards, lastSeen }: ShardRange): Promise<boolean> {
    const { status } = this.#disk.failures;
    let toMerge: DiskRow[] = [];
    let seen = 0;
    const mergeCollected = (): void => {
      this.#merge(toMerge, []);
      status.set({ restoredRows: status.get().restoredRows + seen });
      toMerge = [];
      seen = 0;
    };
    for (const list of found) {
      for (let start = 0; start < list.length; start += ROWS) {
        const rows = list.length <= ROWS ? list : list.slice(start, start + ROWS);
        if (seen + rows.length > ROWS) {
          mergeCollected();
          if (this.#shouldYield && !(await this.waitForTurn())) return false;
        }
        this.#recordSyncStates(table, rows, shards, lastSeen, toMerge);
        seen += rows.length;
      }
    }
    mergeCollected();
    return true;
  }

  /** Returns false if it was stopped. */
  async results(found: readonly DiskResult[]): Promise<boolean> {
    for (let start = 0; start < found.length; start += RESULTS) {
      if (this.#shouldYield && !(await this.waitForTurn())) return false;
      const { state } = this.#disk;
      const slice = found.slice(start, start + RESULTS);
      this.#merge(
        [],
        slice.filter(({ key }) => state?.results.get(key) === undefined),
      );
    }
    return true;
  }

  /**
   * Records the sync states of a shard's rows.
   *
   * @param toMerge - receives the rows that memory lacks or has to merge
   */
  #recordSyncStates(
    table: string,
    rows: readonly DiskRow[],
    shardCount: number,
    lastSeen: number,
    toMerge: DiskRow[],
  ): void {
    const { syncStates, log } = this.#disk;
    // Other tabs may have written the rows since they were read.
    const syncState = lastSeen === log.lastSeen ? 'synced' : 'needsMerge';
    const pks = rows.map(({ pk }) => pk);
    if (syncState === 'synced' && syncStates.addSyncedShard(table, shardCount, pks)) {
      for (const row of rows) toMerge.push(row);
      return;
    }
    for (const row of rows) {
      const { pk } = row;
      const before = syncStates.get(table, pk);
      // In an incomplete table, a row in memory has a state unless it is known not to be on disk.
      if (before === undefined || (before !== 'deleted' && !this.#isInMemory(table, pk))) {
        toMerge.push(row);
        syncStates.set(table, pk, syncState);
      } else if (before === 'deleted') {
        syncStates.set(table, pk, 'synced');
      } else if (before === 'unverified') {
        // The version on disk may refer to rows that are not restored yet. It is merged when all rows are in memory,
        // or, with its references, when the row is written.
        syncStates.set(table, pk, 'needsMerge');
      }
    }
  }

  #merge(rows: readonly DiskRow[], results: readonly DiskResult[]): void {
    const { controller, syncStates } = this.#disk;
    if (rows.length + results.length === 0) return;
    for (const { refs } of rows) this.#recordReferences(refs);
    for (const { refs } of results) this.#recordReferences(refs);
    syncStates.isRecorded = true;
    try {
      controller.apply(this.#disk.toRestored(rows, results), {
        origin: this.#options.name,
        type: 'restore',
        isTransferred: true,
      });
    } catch (cause) {
      // Nothing was merged. Rows without a state, in an incomplete table, are reconciled before they are written.
      for (const { table, pk } of rows) syncStates.delete(table, pk);
      throw cause;
    } finally {
      syncStates.isRecorded = false;
    }
  }

  /** Referenced rows that are not in memory yet are persisted once they arrive. */
  #recordReferences(refs: Refs): void {
    const { syncStates } = this.#disk;
    for (let index = 0; index + 1 < refs.length; index += 2) {
      const table = refs[index] as string; // in range, by the condition
      const pk = refs[index + 1] as string; // likewise
      if (!this.#isInMemory(table, pk) && syncStates.get(table, pk) === undefined)
        syncStates.set(table, pk, 'diskOnly');
    }
  }

  #isInMemory(table: string, pk: string): boolean {
    return this.#disk.state?.tables[table]?.get(pk) !== undefined;
  }
}
