import { rowOf, type StoredResult, type StoredRow, type State } from './State.ts';

/**
 * Exactly the rows and results that a transaction wrote, each with what stood there before. What stands there now is
 * in the state that came of it.
 */
export interface Changes {
  /** Table → pk → the row before; undefined where there was none. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, StoredRow | undefined>>;
  /** Endpoint key → the result before. */
  readonly results: ReadonlyMap<string, StoredResult | undefined>;
}

type ResultBefore = readonly [key: string, before: StoredResult | undefined];

/** Changes under collection. */
export class ChangeSet implements Changes {
  readonly rows = new Map<string, Map<string, StoredRow | undefined>>();
  /** A list until one is looked up by its key: making a map of all results takes a third of the time of expiring them. */
  #results: ResultBefore[] | Map<string, StoredResult | undefined> = [];

  /** Whether something was noted twice: the second time may have undone the first. */
  hasRepeated = false;

  get results(): Map<string, StoredResult | undefined> {
    if (Array.isArray(this.#results)) this.#results = new Map(this.#results);
    return this.#results;
  }

  /** What `results` holds, for who goes through all of them: that needs no map. */
  get resultsInTurn(): Iterable<ResultBefore> {
    return this.#results;
  }

  /** Whether nothing was touched. */
  get isEmpty(): boolean {
    const results = this.#results;
    return this.rows.size === 0 && (Array.isArray(results) ? results.length : results.size) === 0;
  }

  /** Notes the first `before` of a row; later writes of one transaction keep it. */
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

  /** `result` for one that has not been noted: it is not looked up. */
  newResult(key: string, before: StoredResult): void {
    if (Array.isArray(this.#results)) this.#results.push([key, before]);
    else this.#results.set(key, before);
  }

  /** Takes over later changes; for what both touched, the earlier `before` stands. */
  append(later: ChangeSet): void {
    for (const [table, rows] of later.rows) for (const [pk, before] of rows) this.row(table, pk, before);
    for (const [key, before] of later.resultsInTurn) this.result(key, before);
  }
}

/** Adds changes to others; gives those of them that are new there. */
export function appendNew(to: ChangeSet, changes: ChangeSet): ChangeSet {
  const added = new ChangeSet();
  for (const [table, rows] of changes.rows) {
    const known = to.rows.get(table);
    for (const [pk, before] of rows) if (known?.has(pk) !== true) added.row(table, pk, before);
  }
  for (const [key, before] of changes.resultsInTurn) if (!to.results.has(key)) added.result(key, before);
  to.append(added);
  return added;
}

/** What was noted on the way between two states, without what came to nothing. */
export function settledChanges(before: State, after: State, noted: ChangeSet): ChangeSet {
  return noted.hasRepeated ? differences(before, after, noted) : noted;
}

/** What differs between two states among the rows and results that `touched` names. */
export function differences(before: State, after: State, touched: ChangeSet): ChangeSet {
  const found = new ChangeSet();
  for (const [table, rows] of touched.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(before, table, pk);
      if (row !== rowOf(after, table, pk)) found.row(table, pk, row);
    }
  }
  for (const [key] of touched.resultsInTurn) {
    const result = before.results.get(key);
    if (result !== after.results.get(key)) found.result(key, result);
  }
  return found;
}
