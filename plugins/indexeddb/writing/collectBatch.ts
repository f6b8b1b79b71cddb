import { encodeText, RENAMES, type HoldfastError, type State, type StoredRow } from 'holdfast';
import type { Disk } from '../Disk.ts';
import type { Reconciliation } from './reconcile.ts';
import { losesUnloadWrites, type UnloadMode } from '../scheduling/UnloadMode.ts';
import { yieldToMain } from '../../shared/mainThread.ts';
import { newer } from '../records/newer.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import { PendingWrites, type PendingResult } from './PendingWrites.ts';
import { persistsResult, persistsRow, type Persist } from './persisted.ts';
import {
  rowRefs,
  NO_REFS,
  type WriteBatch,
  type DiskResult,
  type DiskRow,
  type Refs,
} from '../records/records.ts';
import { RowSet } from '../reading/RowSet.ts';

/**
 * Steps that are taken without yielding where the writes of an unloading page are lost, so that the transaction begins in
 * the task of the change: enough for 1,024 rows, each of which is visited as a change and as a member of its result.
 * As many are appended without yielding.
 */
const STEPS_IN_ONE_TASK = 2_100;

/** How pending changes are collected. */
export interface CollectOptions {
  readonly persist: Persist | undefined;
  /** While active, it does not yield. */
  readonly unloadMode: UnloadMode;
}

/** A batch, and the errors for what it leaves out. */
export interface CollectedBatch {
  readonly batch: WriteBatch;
  readonly refused: readonly HoldfastError[];
  /** What a function of the app threw for: it stays pending. */
  readonly skipped: PendingWrites;
}

/**
 * Collects the pending changes to persist, with everything they refer to that is not persisted yet. What is collected
 * counts as persisted from now on.
 *
 * @param reconciliation - has reconciled every pending row
 */
export async function collectBatch(
  disk: Disk,
  pending: PendingWrites,
  reconciliation: Reconciliation,
  { persist, unloadMode }: CollectOptions,
): Promise<CollectedBatch> {
  // A large batch takes several tasks; it stores the state at their beginning.
  const { state, syncStates } = disk;
  const onDisk = disk.directory.results;
  const collector = new BatchCollector(disk, reconciliation, unloadMode);
  const { yielder } = collector;
  for (const [key, fallback] of pending.results) {
    const stored = state?.results.get(key);
    const result = stored?.error === undefined ? (stored ?? fallback) : fallback;
    if (result === undefined) continue;
    collector.isolate(
      () => {
        if (onDisk.has(key) || persistsResult(persist, key, result)) collector.result(key, result);
      },
      (skipped) => skipped.results.set(key, fallback),
    );
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  for (const [table, rows] of pending.rows) {
    for (const [pk, change] of rows) {
      const { collectedRow } = change;
      // Memory may have restored an older version after it collected this one.
      const inMemory = state?.tables[table]?.get(pk);
      const row = collectedRow === undefined ? inMemory : newer(inMemory, collectedRow);
      if (row === undefined) continue;
      collector.isolate(
        () => {
          if (syncStates.get(table, pk) !== undefined || persistsRow(persist, table, pk, row))
            collector.row(table, pk, row);
        },
        (skipped) => skipped.markRow(table, pk, change),
      );
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
  // A list that has been restored in the meantime includes its changes.
  for (const [table, pk, row] of reconciliation.lists.rows)
    if (state?.tables[table]?.get(pk) === undefined) collector.row(table, pk, row);
  return collector.finish();
}

class BatchCollector {
  readonly yielder: YieldScheduler;
  readonly #disk: Disk;
  readonly #state: State | undefined;
  /** The stored versions of results whose schema is unknown here. */
  readonly #stored: Reconciliation['results'];
  readonly #rows: DiskRow[] = [];
  readonly #written = new RowSet();
  readonly #results: DiskResult[] = [];
  readonly #refused = new Map<string, HoldfastError>();
  readonly #skipped = new PendingWrites();
  /** Referenced rows to write. A list instead of recursion: chains may be long. */
  readonly #reached: [table: string, pk: string, row: StoredRow][] = [];

  constructor(disk: Disk, { results }: Reconciliation, unloadMode: UnloadMode) {
    this.#disk = disk;
    this.#state = disk.state;
    this.#stored = results;
    this.yielder = new YieldScheduler(yieldToMain, unloadMode, losesUnloadWrites() ? STEPS_IN_ONE_TASK : 0);
  }

  /** Runs functions of the app, `persist` and schemas, for a row or result. */
  isolate(collect: () => void, skip: (skipped: PendingWrites) => void): void {
    try {
      collect();
    } catch (cause) {
      skip(this.#skipped);
      this.#refused.set('', this.#disk.failures.thrown('`persist` or a schema threw', cause));
    }
  }

  result(key: string, { error: _error, ...result }: PendingResult): void {
    const refs = result.refs ?? this.#refsOf(key, result);
    if (refs === undefined) return;
    this.#results.push({ ...result, key, refs });
    this.#disk.directory.results.add(key);
    this.#reach(refs);
  }

  /** Undefined if the references are unknown: the tab that requested the result stores it. */
  #refsOf(key: string, { value, shape }: PendingResult): Refs | undefined {
    const refs = this.#disk.references.ofResult(key, value);
    if (refs !== undefined) return refs;
    const stored = this.#stored.get(key);
    if (stored !== undefined && isSameText(stored.value, value)) return stored.refs;
    return shape === undefined ? NO_REFS : undefined;
  }

  async finish(): Promise<CollectedBatch> {
    for (let next = this.#reached.pop(); next !== undefined; next = this.#reached.pop()) {
      const [table, pk] = next;
      this.isolate(
        () => this.row(...next),
        (skipped) => skipped.markRow(table, pk),
      );
      if (this.yielder.shouldYield) await this.yielder.yieldNow();
    }
    const refused = [...this.#refused.values()];
    return { batch: { rows: this.#rows, results: this.#results }, refused, skipped: this.#skipped };
  }

  row(table: string, pk: string, row: StoredRow): void {
    if (this.#written.has(table, pk)) return;
    const { references, syncStates } = this.#disk;
    const refusal = references.defaultedKeyError(table);
    if (refusal !== undefined) {
      this.#refused.set(table, refusal);
      return;
    }
    const { value, meta } = row;
    const refs = references.ofRow(table, row);
    this.#written.add(table, pk);
    this.#rows.push({ table, pk, value, meta, refs });
    const inMemory = this.#disk.state?.tables[table]?.get(pk);
    // A row that changed in the meantime may have been collected and restored as an older version.
    syncStates.set(
      table,
      pk,
      inMemory === undefined ? 'diskOnly' : inMemory === row ? 'synced' : 'needsMerge',
    );
    // A rename is kept for what names the entity, not the other way round.
    if (table !== RENAMES) this.#reach(refs);
  }

  #reach(refs: Refs): void {
    const { syncStates } = this.#disk;
    for (const [table, pk] of rowRefs(refs)) {
      const syncState = syncStates.get(table, pk);
      // An unverified row may have been evicted, or became unverified while the batch was collected. It is written as
      // it is.
      if (syncState !== undefined && syncState !== 'unverified') continue;
      const row = this.#state?.tables[table]?.get(pk);
      if (row === undefined) syncStates.set(table, pk, 'diskOnly');
      else this.#reached.push([table, pk, row]);
    }
  }
}

/** Whether two values have the same text form; false if they have none. */
function isSameText(one: unknown, other: unknown): boolean {
  try {
    return encodeText(one) === encodeText(other);
  } catch {
    return false;
  }
}
