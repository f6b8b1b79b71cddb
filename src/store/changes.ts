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

/** Changes under collection. */
export class ChangeSet implements Changes {
  readonly rows = new Map<string, Map<string, StoredRow | undefined>>();
  readonly results = new Map<string, StoredResult | undefined>();

  /** Whether something was noted twice: the second time may have undone the first. */
  hasRepeated = false;

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

  /** `result` for one that has not been noted, where there are so many that looking it up counts. */
  newResult(key: string, before: StoredResult): void {
    this.results.set(key, before);
  }

  /** Takes over later changes; for what both touched, the earlier `before` stands. */
  append(later: Changes): void {
    for (const [table, rows] of later.rows) for (const [pk, before] of rows) this.row(table, pk, before);
    for (const [key, before] of later.results) this.result(key, before);
  }
}

/** Adds changes to others; gives those of them that are new there. */
export function appendNew(to: ChangeSet, changes: Changes): Changes {
  const added = new ChangeSet();
  for (const [table, rows] of changes.rows) {
    const known = to.rows.get(table);
    for (const [pk, before] of rows) if (known?.has(pk) !== true) added.row(table, pk, before);
  }
  for (const [key, before] of changes.results) if (!to.results.has(key)) added.result(key, before);
  to.append(added);
  return added;
}

/** Whether nothing was touched. */
export function isEmpty(changes: Changes): boolean {
  return changes.rows.size === 0 && changes.results.size === 0;
}

/** What was noted on the way between two states, without what came to nothing. */
export function settledChanges(before: State, after: State, noted: ChangeSet): Changes {
  return noted.hasRepeated ? differences(before, after, noted) : noted;
}

/** What differs between two states among the rows and results that `touched` names. */
export function differences(before: State, after: State, touched: Changes): Changes {
  const found = new ChangeSet();
  for (const [table, rows] of touched.rows) {
    for (const pk of rows.keys()) {
      const row = rowOf(before, table, pk);
      if (row !== rowOf(after, table, pk)) found.row(table, pk, row);
    }
  }
  for (const key of touched.results.keys()) {
    const result = before.results.get(key);
    if (result !== after.results.get(key)) found.result(key, result);
  }
  return found;
}
