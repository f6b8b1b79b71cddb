import { rowOf, type StoredResult, type StoredRow, type State } from './State.ts';

/** Stands for every row of a table in a footprint, also rows added later. No entity has it as its pk. */
export const WHOLE_TABLE = '';

/**
 * The rows and results that a transaction wrote, each with its previous value. The current values are in the
 * resulting state.
 */
export interface Changes {
  /** Table → pk → the row before; undefined where there was none. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, StoredRow | undefined>>;
  /** Endpoint key → the result before. */
  readonly results: ReadonlyMap<string, StoredResult | undefined>;
}

type ResultBefore = readonly [key: string, before: StoredResult | undefined];

/** Changes while they are collected. */
export class ChangeSet implements Changes {
  readonly rows = new Map<string, Map<string, StoredRow | undefined>>();
  /**
   * A list until a result is looked up by key: building a map of all results takes a third of the time of expiring
   * them.
   */
  #results: ResultBefore[] | Map<string, StoredResult | undefined> = [];

  /** Whether something was recorded twice: the second write may have undone the first. */
  hasRepeated = false;

  get results(): Map<string, StoredResult | undefined> {
    if (Array.isArray(this.#results)) this.#results = new Map(this.#results);
    return this.#results;
  }

  /** All entries of `results`, without building the map. */
  get resultEntries(): Iterable<ResultBefore> {
    return this.#results;
  }

  /** Whether nothing was touched. */
  get isEmpty(): boolean {
    const results = this.#results;
    return this.rows.size === 0 && (Array.isArray(results) ? results.length : results.size) === 0;
  }

  /** Records a row's previous value; later writes in the same transaction keep the first one. */
  row(table: string, pk: string, before: StoredRow | undefined): void {
    let rows = this.rows.get(table);
    if (rows === undefined) this.rows.set(table, (rows = new Map<string, StoredRow | undefined>()));
    if (rows.has(pk)) this.hasRepeated = true;
    else rows.set(pk, before);
  }

  result(key: string, before: StoredResult | undefined): void {
    if (this.results.has(key)) this.hasRepeated = true;
    else this.results.set(key, before);
  }

  /** `result` for a key that is known not to be recorded yet; skips the lookup. */
  addNewResult(key: string, before: StoredResult): void {
    if (Array.isArray(this.#results)) this.#results.push([key, before]);
    else this.#results.set(key, before);
  }

  /** Merges later changes; for records in both, the earlier `before` is kept. */
  append(later: ChangeSet): void {
    for (const [table, rows] of later.rows) for (const [pk, before] of rows) this.row(table, pk, before);
    for (const [key, before] of later.resultEntries) this.result(key, before);
  }
}

/** Adds changes to others; returns those that were new. */
export function appendNew(to: ChangeSet, changes: ChangeSet): ChangeSet {
  const added = new ChangeSet();
  for (const [table, rows] of changes.rows) {
    const known = to.rows.get(table);
    for (const [pk, before] of rows) if (known?.has(pk) !== true) added.row(table, pk, before);
  }
  for (const [key, before] of changes.resultEntries) if (!to.results.has(key)) added.result(key, before);
  to.append(added);
  return added;
}

/** The recorded changes between two states, without those that cancelled out. */
export function netChanges(before: State, after: State, recorded: ChangeSet): ChangeSet {
  return recorded.hasRepeated ? differences(before, after, recorded) : recorded;
}

/** The rows and results among `touched` that differ between two states. */
export function differences(before: State, after: State, touched: ChangeSet): ChangeSet {
  const found = new ChangeSet();
  for (const [table, rows] of touched.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(before, table, pk);
      if (row !== rowOf(after, table, pk)) found.row(table, pk, row);
    }
  }
  for (const [key] of touched.resultEntries) {
    const result = before.results.get(key);
    if (result !== after.results.get(key)) found.result(key, result);
  }
  return found;
}
