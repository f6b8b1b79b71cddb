import type { State } from 'holdfast';
import { tableOrder } from './reading/tableOrder.ts';
import type { Header } from './records/header.ts';
import type { WriteBatch } from './records/records.ts';
import type { SyncStates } from './writing/SyncStates.ts';
import type { Log } from './writing/WriteAheadLog.ts';

/** What this tab knows of a database's content: its results and tables, and what other tabs have written since. */
export class Directory {
  /** The keys of stored results: a read of any other key skips the disk. */
  readonly results = new Set<string>();
  /** The tables that were on disk at the start, in restore order. */
  tables: readonly string[] = [];
  /** Whether it was read from disk, or the disk was cleared. */
  isLoaded = false;
  /** Results in memory of which other tabs have written newer versions, which are to be read. */
  readonly outdated = new Set<string>();
  readonly #syncStates: SyncStates;
  readonly #state: () => State | undefined;

  /** @param state - the confirmed state as of the last commit */
  constructor(syncStates: SyncStates, state: () => State | undefined) {
    this.#syncStates = syncStates;
    this.#state = state;
  }

  /**
   * Takes over what was read at the start.
   *
   * @param keys - of the results in shards
   * @param isEmptyMemory - whether nothing in memory can be on disk already
   */
  load(header: Header, keys: Iterable<string>, log: Log, isEmptyMemory: boolean): void {
    this.#addResults(keys, log);
    this.tables = tableOrder(header.tables, log.named());
    const state = this.#state();
    if (isEmptyMemory || state === undefined) this.#syncStates.setTables(this.tables);
    else this.#syncStates.recordMissed(this.tables, state);
    this.isLoaded = true;
  }

  /** Another tab has appended this batch. */
  onForeignBatch({ rows, results }: WriteBatch): void {
    const state = this.#state();
    for (const { table, pk } of rows)
      this.#syncStates.set(
        table,
        pk,
        state?.tables[table]?.get(pk) === undefined ? 'diskOnly' : 'needsMerge',
      );
    for (const { key } of results) this.#resultWritten(key);
  }

  /** Other tabs have written to these tables and results, in batches that were compacted before this tab read them. */
  onMissed(tables: Iterable<string>, results: readonly string[]): void {
    const state = this.#state();
    if (state === undefined) this.#syncStates.setTables(tables);
    else this.#syncStates.recordMissed(tables, state);
    for (const key of results) this.#resultWritten(key);
  }

  /**
   * Rows that this tab has stored may be gone; the next write that refers to them stores them again.
   *
   * @param keys - of the results that are left in shards
   */
  onEvicted(keys: readonly string[], log: Log): void {
    this.#syncStates.recordEviction();
    this.results.clear();
    this.#addResults(keys, log);
  }

  /** The disk was cleared, and `clear` called before. */
  onCleared(): void {
    this.isLoaded = true;
  }

  clear(): void {
    this.outdated.clear();
    this.results.clear();
  }

  #addResults(keys: Iterable<string>, log: Log): void {
    for (const key of keys) this.results.add(key);
    for (const { key } of log.results()) this.results.add(key);
  }

  #resultWritten(key: string): void {
    this.results.add(key);
    if (this.#state()?.results.get(key) !== undefined) this.outdated.add(key);
  }
}
