import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { MISSING } from '../schema/missing.ts';
import type { State, StoredRow } from '../store/State.ts';
import type { Table } from '../store/Table.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { LeafNode } from './LeafNode.ts';

const NONE: readonly RowIndex[] = [];
const NO_PKS: readonly string[] = [];

/** Finds the rows of a table by the value of one field. Updated with each change. */
export class RowIndex {
  readonly #field: string;
  /** Value → the pk of its row, or a set of them. */
  readonly #pks = new Map<string, string | Set<string>>();
  /** Value → the node that reads it. */
  readonly #indexNodes = new Map<string, LeafNode>();

  constructor(field: string, rows: Table<StoredRow> | undefined) {
    this.#field = field;
    for (const [pk, row] of rows?.entries() ?? []) this.#add(this.#keyOf(row.value), pk);
  }

  /** The pks of the rows with this value, sorted, so that their insertion order does not matter. */
  find(value: string): readonly string[] {
    const pks = this.#pks.get(value);
    if (pks === undefined) return NO_PKS;
    return pks instanceof Set ? [...pks].sort() : [pks];
  }

  /** Applies a changed row. Returns the nodes whose value may have changed. */
  change(pk: string, before: EntityValue | undefined, after: EntityValue | undefined): readonly LeafNode[] {
    const [left, entered] = [this.#keyOf(before), this.#keyOf(after)];
    if (left === entered) return [];
    this.#remove(left, pk);
    this.#add(entered, pk);
    return [left, entered].flatMap((key) => (key === undefined ? [] : (this.#indexNodes.get(key) ?? [])));
  }

  /** The node of the pks that the index has for a value; `MISSING` if there are none. */
  node(value: string): LeafNode {
    return getOrInsert(
      this.#indexNodes,
      value,
      () =>
        new LeafNode(
          () => (this.#pks.has(value) ? this.find(value) : MISSING),
          (node) => {
            if (this.#indexNodes.get(value) === node) this.#indexNodes.delete(value);
          },
        ),
    );
  }

  #keyOf(row: EntityValue | undefined): string | undefined {
    return row !== undefined && Object.hasOwn(row, this.#field) ? indexKey(row[this.#field]) : undefined;
  }

  #add(key: string | undefined, pk: string): void {
    if (key === undefined) return;
    const pks = this.#pks.get(key);
    if (pks === undefined) this.#pks.set(key, pk);
    else if (pks instanceof Set) pks.add(pk);
    else this.#pks.set(key, new Set([pks, pk]));
  }

  #remove(key: string | undefined, pk: string): void {
    if (key === undefined) return;
    const pks = this.#pks.get(key);
    if (pks instanceof Set) pks.delete(pk);
    if (pks === pk || (pks instanceof Set && pks.size === 0)) this.#pks.delete(key);
  }
}

/** A value as an index key; `1` and `'1'` are the same. Objects and absent values are not indexed. */
export function indexKey(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/**
 * The first of the rows that an index has found which no arg contradicts: `{ project: 'app', number: 1 }` is not the row
 * with `number: 1` of another project. Relations are stored as pks, which args need not name, so they contradict nothing.
 *
 * @param field - what the index has compared
 */
export function matchOf(
  pks: readonly string[],
  { schema }: EntityClass,
  field: string,
  args: object,
  rowOfPk: (pk: string) => EntityValue | undefined,
): string | undefined {
  const wanted = Object.entries(args).filter(
    ([name, value]) => name !== field && indexKey(value) !== undefined && !Object.hasOwn(schema, name),
  );
  // Most args name one field.
  if (wanted.length === 0) return pks[0];
  return pks.find((pk) => {
    const row = rowOfPk(pk) ?? {};
    return wanted.every(([name, value]) => (indexKey(row[name]) ?? indexKey(value)) === indexKey(value));
  });
}

/** The indexes of one state, by table and field. Each is built on first use. */
export class Indexes {
  readonly #tables = new Map<string, Map<string, RowIndex>>();

  of(state: State, table: string, field: string): RowIndex {
    const indexes = getOrInsert(this.#tables, table, () => new Map<string, RowIndex>());
    return getOrInsert(indexes, field, () => new RowIndex(field, state.tables[table]));
  }

  /** The indexes of a table. */
  ofTable(table: string): readonly RowIndex[] {
    const indexes = this.#tables.get(table);
    return indexes === undefined ? NONE : [...indexes.values()];
  }
}
