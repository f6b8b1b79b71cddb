import { NAME } from '../ControllerApi.ts';
import type { Disk } from '../Disk.ts';
import {
  NO_REFS,
  type DiskReadResult,
  type DiskResult,
  type DiskRow,
  type Refs,
} from '../records/records.ts';
import { yieldInBackground } from '../../shared/mainThread.ts';
import { needsReconcile } from '../writing/SyncStates.ts';
import type { ShardRange } from './Reader.ts';
import { toRestored } from './toRestored.ts';

/** The time after which to yield while merging, in ms: a phone takes four times as long. */
const BUDGET = 4;

/** Rows merged in one commit: few enough to check the clock often, many enough to share its costs. */
const ROWS = 512;

/** The same for results, which may each refer to many rows. */
const RESULTS = 32;

/** Options of an importer. */
export interface ImporterOptions {
  /** Settles once nothing more important is being read. */
  readonly settled: () => Promise<unknown>;
  /** Whether to continue. */
  readonly isActive: () => boolean;
  /** Whether what the rows refer to is in memory, so that they are merged with rows that came from elsewhere. */
  readonly hasReferences?: boolean;
}

/** Merges restored records into memory. */
export class Importer {
  readonly #disk: Disk;
  readonly #options: ImporterOptions;
  /** When it got the main thread. */
  #since = 0;

  constructor(disk: Disk, options: ImporterOptions) {
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

  /** Returns false if it was stopped. */
  async rows(table: string, { rows, lastSeen, evictions }: ShardRange): Promise<boolean> {
    const { status, log, syncStates } = this.#disk;
    const isComplete = await this.#inSlices(rows, ROWS, (slice) => {
      this.#merge(this.#recordSyncStates(table, slice, lastSeen), [], lastSeen);
      status.set({ restoredRows: status.get().restoredRows + slice.length });
    });
    // Some of the rows may have been evicted since they were read.
    if (isComplete && evictions !== log.header.evictions) syncStates.recordEviction();
    return isComplete;
  }

  /** Merges rows that others refer to, those first that refer to none. Returns false if it was stopped. */
  async references(found: DiskReadResult): Promise<boolean> {
    const { syncStates, log } = this.#disk;
    const { lastSeen } = found;
    const isComplete = await this.#inSlices([...found.rows].reverse(), ROWS, (rows) => {
      const slice = { rows, results: [], missing: NO_REFS, lastSeen };
      this.#merge(syncStates.recordRead(slice, log.lastSeen), [], lastSeen);
    });
    if (isComplete) syncStates.recordRead({ ...found, rows: [] }, log.lastSeen);
    return isComplete;
  }

  /** Returns false if it was stopped. */
  results(found: readonly DiskResult[]): Promise<boolean> {
    return this.#inSlices(found, RESULTS, (slice) => {
      const { state } = this.#disk;
      const missing = slice.filter(({ key }) => state?.results.get(key) === undefined);
      this.#merge([], missing, Infinity); // without rows, there are no lists that may lack changes
    });
  }

  /** Merges slices of a list. Returns false if it was stopped. */
  async #inSlices<T>(
    all: readonly T[],
    length: number,
    merge: (slice: readonly T[]) => void,
  ): Promise<boolean> {
    for (let start = 0; start < all.length; start += length) {
      if (performance.now() - this.#since > BUDGET && !(await this.waitForTurn())) return false;
      merge(all.slice(start, start + length));
    }
    return true;
  }

  /** Records the sync states of a table's rows. Returns those that memory lacks or has to merge. */
  #recordSyncStates(table: string, rows: readonly DiskRow[], lastSeen: number): readonly DiskRow[] {
    const { syncStates, log } = this.#disk;
    const { hasReferences = false } = this.#options;
    // Other tabs may have written the rows since they were read.
    const syncState = lastSeen === log.lastSeen ? 'synced' : 'needsMerge';
    return rows.filter(({ pk }) => {
      const before = syncStates.get(table, pk);
      // In an incomplete table, a row in memory has a state unless it is known not to be on disk.
      const isMissing = before === undefined || (before !== 'deleted' && !this.#isInMemory(table, pk));
      if (isMissing || (hasReferences && needsReconcile(before))) {
        syncStates.set(table, pk, syncState);
        return true;
      }
      if (before === 'deleted') syncStates.set(table, pk, 'synced');
      // The version on disk may refer to rows that are not restored yet. It is merged when all rows are in memory, or,
      // with its references, when the row is written.
      if (before === 'unverified') syncStates.set(table, pk, 'needsMerge');
      return false;
    });
  }

  #merge(rows: readonly DiskRow[], results: readonly DiskResult[], lastSeen: number): void {
    const { controller } = this.#disk;
    if (rows.length + results.length === 0) return;
    for (const { refs } of rows) this.#recordReferences(refs);
    for (const { refs } of results) this.#recordReferences(refs);
    controller.apply(toRestored(this.#disk, rows, results, lastSeen), {
      origin: NAME,
      type: 'restore',
      isTransferred: true,
      isDeferred: true,
    });
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
