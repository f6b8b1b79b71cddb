import { Immer } from 'immer';
import type { Schema } from '../schema/Schema.ts';
import { equal } from '../util/adopt.ts';
import { ChangeSet, netChanges, WHOLE_TABLE } from './changes.ts';
import {
  isUnknownChange,
  reuseIfEqual,
  hasUnreadChanges,
  withListChange,
  type ListChange,
} from './lazyListRow.ts';
import { listsFor } from './listIndex.ts';
import { rowOf, type StoredResult, type StoredRow, type State } from './State.ts';
import { Table } from './Table.ts';

// Our own instance: the user's global Immer settings are not ours to change. `adopt` freezes rows in development.
const immer = new Immer({ autoFreeze: false });

/** How a transaction reads and writes. Reads see its own writes. */
export interface Writer {
  /** The state that the transaction started from. Reads from it are not tracked; use `row` for those. */
  readonly before: State;
  row(table: string, pk: string): StoredRow | undefined;
  /** The current rows of a table, tombstones included. */
  rows(table: string): Iterable<readonly [pk: string, row: StoredRow]>;
  setRow(table: string, pk: string, row: StoredRow): void;
  /**
   * Stores a row if there is none.
   *
   * @returns the existing row, which is kept
   */
  addRow(table: string, pk: string, row: StoredRow): StoredRow | undefined;
  deleteRow(table: string, pk: string): void;
  result(key: string): StoredResult | undefined;
  /** Changes stored lists. The changes of a layer are applied again to whatever the lists become, without a replay. */
  changeLists(change: ListChange, schema?: Schema): void;
  setResult(key: string, result: StoredResult): void;
  deleteResult(key: string): void;
  /** Replaces each result by the result of `change`; the same result keeps its place. */
  mapResults(change: (result: StoredResult, key: string) => StoredResult): void;
}

/** The function that a transaction runs. If it throws, nothing changes. */
export type Recipe<T = void> = (writer: Writer) => T;

/** The result of a transaction. */
export interface TransactionResult<T> {
  readonly state: State;
  /** Exactly what differs from the previous state. */
  readonly changes: ChangeSet;
  /** Its changes of lists. */
  readonly listChanges: readonly ListChange[];
  /** What the recipe returned. */
  readonly value: T;
}

/** Options of a transaction. */
interface TransactOptions {
  /**
   * The states that readers see or return to. A written row that equals one of theirs reuses it; the first match
   * wins.
   */
  readonly visibleStates?: readonly State[];
  /** Receives every row and result that is read or written, except lists that are only added to. */
  readonly footprint?: ChangeSet;
}

/** Runs a recipe on a state. */
export function transact<T>(
  state: State,
  recipe: Recipe<T>,
  options: TransactOptions = {},
): TransactionResult<T> {
  const writer = new TableWriter(state, options);
  const value = recipe(writer);
  const next = writer.finish();
  return {
    state: next,
    changes: netChanges(state, next, writer.changes),
    listChanges: writer.listChanges,
    value,
  };
}

/** Runs the user's Immer recipe on one stored value; returns its result or the changed copy. */
export function produceValue<T extends object>(value: T, recipe: (draft: T) => unknown): unknown {
  return immer.produce<object>(value, recipe as (draft: object) => object); // typed by the caller: Immer's types lack a draft of T
}

class TableWriter implements Writer {
  readonly changes = new ChangeSet();
  readonly listChanges: ListChange[] = [];
  readonly before: State;
  readonly #visibleStates: readonly State[];
  readonly #footprint: ChangeSet | undefined;
  /** The tables written by this transaction. Kept apart from the draft, since reading through a draft copies. */
  readonly #tables = new Map<string, Table<StoredRow>>();
  #results: Table<StoredResult>;
  /** Marks the chunks that this transaction has copied. Must not be shared. */
  readonly #owner = {};

  constructor(state: State, { visibleStates = [], footprint }: TransactOptions) {
    this.before = state;
    this.#visibleStates = visibleStates;
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
    if (before === undefined) this.#setAt(rows, slot, table, pk, before, row);
    return before;
  }

  changeLists(change: ListChange, schema?: Schema): void {
    const { table, pk, how } = change;
    this.listChanges.push(change);
    // A layer calls the app's function only when it is replayed, which handles its errors.
    if (typeof how === 'function') this.#footprint?.row(table, pk ?? WHOLE_TABLE, undefined);
    const rows = this.#table(table);
    const where = isUnknownChange(change) ? () => true : change.where;
    const lists = pk === undefined ? listsFor(rows, where) : [pk];
    for (const list of lists) {
      const row = rows?.get(list);
      // Unlike others, a removal from another tab does not commute with what was added after it.
      if (how === 'remove' && row !== undefined && change.meta.answered < row.meta.answered) continue;
      const changed = withListChange(row, list, change, this.before, schema);
      if (changed !== undefined && changed !== row) this.#set(table, list, changed);
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
      if (isFirst) this.changes.addNewResult(key, before);
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
      for (const [name, table] of this.#tables) {
        // As before its first row, which readers can tell from a table whose rows are deleted.
        if (table.size === 0) Reflect.deleteProperty(open, name);
        else open[name] = table;
      }
    });
    return { tables, results };
  }

  #set(table: string, pk: string, row: StoredRow): void {
    const rows = this.#table(table) ?? Table.empty<StoredRow>();
    const slot = rows.slotOf(pk);
    const before = rows.at(slot);
    if (before !== row) this.#setAt(rows, slot, table, pk, before, row);
  }

  #setAt(
    rows: Table<StoredRow>,
    slot: number,
    table: string,
    pk: string,
    before: StoredRow | undefined,
    row: StoredRow,
  ): void {
    this.changes.row(table, pk, before);
    const next = rows.withAt(slot, this.#reuseVisible(table, pk, row), this.#owner);
    if (next !== rows) this.#tables.set(table, next);
  }

  /** If a response equals the optimistic value, the row keeps its identity. */
  #reuseVisible(table: string, pk: string, row: StoredRow): StoredRow {
    for (const state of this.#visibleStates) {
      // Merging keeps the values of the state that is changed.
      if (state === this.before) continue;
      const visible = rowOf(state, table, pk);
      if (hasUnreadChanges(row)) {
        reuseIfEqual(row, visible);
        return row;
      }
      const value = visible?.value;
      if (value === row.value || row.value === undefined) return row;
      if (equal(value, row.value)) return { value, meta: row.meta };
    }
    return row;
  }

  #table(name: string): Table<StoredRow> | undefined {
    return this.#tables.get(name) ?? this.before.tables[name];
  }
}
