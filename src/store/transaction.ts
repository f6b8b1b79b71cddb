import { Immer } from 'immer';
import { equal } from '../util/adopt.ts';
import { WHOLE_TABLE } from './Footprints.ts';
import { ChangeSet, settledChanges } from './changes.ts';
import { expectAsShown, isGrowing, withAddition, type ListAddition } from './grownRow.ts';
import { rowOf, type StoredResult, type StoredRow, type State } from './State.ts';
import { Table } from './Table.ts';

// An instance of our own: the user's global one is not ours to set. Rows are frozen by `adopt`, in development.
const immer = new Immer({ autoFreeze: false });

/** How a transaction reads and writes. Reads see its own writes. */
export interface Writer {
  /** The state that the transaction began with. What is read from it is noted nowhere: ask for it by `row` too. */
  readonly before: State;
  row(table: string, pk: string): StoredRow | undefined;
  /** The rows of a table as it stands, tombstones included. */
  rows(table: string): Iterable<readonly [pk: string, row: StoredRow]>;
  setRow(table: string, pk: string, row: StoredRow): void;
  /**
   * Stores a row where there is none.
   *
   * @returns the row that is there already, and stays
   */
  addRow(table: string, pk: string, row: StoredRow): StoredRow | undefined;
  deleteRow(table: string, pk: string): void;
  result(key: string): StoredResult | undefined;
  /** Adds to stored lists. What a layer adds is added anew to whatever the lists become, without it being asked again. */
  add(addition: ListAddition): void;
  setResult(key: string, result: StoredResult): void;
  deleteResult(key: string): void;
  /** Puts what `change` makes of each result in its place; the same one leaves it. */
  mapResults(change: (result: StoredResult, key: string) => StoredResult): void;
}

/** What a transaction does. Throwing leaves everything as it was. */
export type Recipe<T = void> = (writer: Writer) => T;

/** What came of a transaction. */
export interface Outcome<T> {
  readonly state: State;
  /** Exactly what differs from the state before. */
  readonly changes: ChangeSet;
  /** What it added to lists. */
  readonly additions: readonly ListAddition[];
  /** What the recipe returned. */
  readonly value: T;
}

/** What a transaction has to do with besides its state. */
export interface TransactOptions {
  /** The states that readers have, or come back to; what is as in one of them, the first of all, keeps its identity. */
  readonly shown?: readonly State[];
  /** Gets every row and result that is read or written, lists that are only added to left out. */
  readonly footprint?: ChangeSet;
}

/** Runs a recipe on a state. */
export function transact<T>(state: State, recipe: Recipe<T>, options: TransactOptions = {}): Outcome<T> {
  const writer = new TableWriter(state, options);
  const value = recipe(writer);
  const next = writer.finish();
  return {
    state: next,
    changes: settledChanges(state, next, writer.changes),
    additions: writer.additions,
    value,
  };
}

/** Runs an Immer recipe of the user's on one stored value; what it returns, or the changed copy. */
export function produceValue<T extends object>(value: T, recipe: (draft: T) => unknown): unknown {
  return immer.produce<object>(value, recipe as (draft: object) => object); // typed by the caller: Immer cannot tell a draft of T
}

class TableWriter implements Writer {
  readonly changes = new ChangeSet();
  readonly additions: ListAddition[] = [];
  readonly before: State;
  readonly #shown: readonly State[];
  readonly #footprint: ChangeSet | undefined;
  /** Tables that this transaction wrote to. Kept beside the draft, since reading through a draft copies. */
  readonly #tables = new Map<string, Table<StoredRow>>();
  #results: Table<StoredResult>;
  /** Marks the chunks that this transaction has copied; nothing else may hold it afterwards. */
  readonly #owner = {};

  constructor(state: State, { shown = [], footprint }: TransactOptions) {
    this.before = state;
    this.#shown = shown.filter((other) => other !== state);
    this.#footprint = footprint;
    this.#results = state.results;
  }

  row(table: string, pk: string): StoredRow | undefined {
    this.#footprint?.row(table, pk, undefined);
    return this.#table(table)?.get(pk);
  }

  rows(table: string): Iterable<readonly [pk: string, row: StoredRow]> {
    this.#footprint?.row(table, WHOLE_TABLE, undefined);
    return this.#table(table)?.entries() ?? [];
  }

  setRow(table: string, pk: string, row: StoredRow): void {
    this.#footprint?.row(table, pk, undefined);
    this.#set(table, pk, row);
  }

  addRow(table: string, pk: string, row: StoredRow): StoredRow | undefined {
    this.#footprint?.row(table, pk, undefined);
    const rows = this.#table(table) ?? Table.empty<StoredRow>();
    const slot = rows.slotOf(pk);
    const before = rows.at(slot);
    if (before === undefined) this.#setAt(rows, slot, table, pk, row);
    return before;
  }

  add(addition: ListAddition): void {
    const { table, pk } = addition;
    this.additions.push(addition);
    const rows = this.#table(table);
    // The rows come and go while they are walked.
    const lists = pk === undefined ? [...(rows?.entries() ?? [])] : [[pk, rows?.get(pk)] as const];
    for (const [list, row] of lists) {
      const added = withAddition(row, list, addition);
      if (added !== undefined && added !== row) this.#set(table, list, added);
    }
  }

  deleteRow(table: string, pk: string): void {
    this.#footprint?.row(table, pk, undefined);
    const rows = this.#table(table);
    const before = rows?.get(pk);
    if (rows === undefined || before === undefined) return;
    this.changes.row(table, pk, before);
    this.#tables.set(table, rows.without(pk, this.#owner));
  }

  result(key: string): StoredResult | undefined {
    this.#footprint?.result(key, undefined);
    return this.#results.get(key);
  }

  setResult(key: string, result: StoredResult): void {
    this.#footprint?.result(key, undefined);
    const slot = this.#results.slotOf(key);
    const before = this.#results.at(slot);
    if (before === result) return;
    this.changes.result(key, before);
    this.#results = this.#results.withAt(slot, result, this.#owner);
  }

  deleteResult(key: string): void {
    this.#footprint?.result(key, undefined);
    const before = this.#results.get(key);
    if (before === undefined) return;
    this.changes.result(key, before);
    this.#results = this.#results.without(key, this.#owner);
  }

  mapResults(change: (result: StoredResult, key: string) => StoredResult): void {
    const isFirst = this.changes.isEmpty;
    this.#results = this.#results.map((before, key) => {
      const after = change(before, key);
      if (after === before) return before;
      this.#footprint?.result(key, undefined);
      if (isFirst) this.changes.newResult(key, before);
      else this.changes.result(key, before);
      return after;
    }, this.#owner);
  }

  finish(): State {
    const { before } = this;
    const results = this.#results;
    if (this.#tables.size === 0)
      return results === before.results ? before : { tables: before.tables, results };
    const tables = immer.produce(before.tables, (draft) => {
      // Tables are opaque to Immer, whose types would draft them too.
      const open = draft as unknown as Record<string, Table<StoredRow>>;
      for (const [name, table] of this.#tables) open[name] = table;
    });
    return { tables, results };
  }

  #set(table: string, pk: string, row: StoredRow): void {
    const rows = this.#table(table) ?? Table.empty<StoredRow>();
    const slot = rows.slotOf(pk);
    if (rows.at(slot) !== row) this.#setAt(rows, slot, table, pk, row);
  }

  #setAt(rows: Table<StoredRow>, slot: number, table: string, pk: string, row: StoredRow): void {
    this.changes.row(table, pk, rows.at(slot));
    const next = rows.withAt(slot, this.#asShown(table, pk, row), this.#owner);
    if (next !== rows) this.#tables.set(table, next);
  }

  /** An answer that says what was shown in expectation of it keeps the identity of that. */
  #asShown(table: string, pk: string, row: StoredRow): StoredRow {
    for (const state of this.#shown) {
      const shown = rowOf(state, table, pk);
      if (isGrowing(row)) {
        expectAsShown(row, shown);
        return row;
      }
      const value = shown?.value;
      if (value === row.value || row.value === undefined) return row;
      if (equal(value, row.value)) return { value, meta: row.meta };
    }
    return row;
  }

  #table(name: string): Table<StoredRow> | undefined {
    return this.#tables.get(name) ?? this.before.tables[name];
  }
}
