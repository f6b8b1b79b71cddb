import { MISSING } from '../schema/missing.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { StoredRow } from '../store/State.ts';
import type { Table } from '../store/Table.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { Node } from './Node.ts';

/** Finds the rows of a table by the value of one field. Kept up to date change by change. */
export class RowIndex {
  readonly #field: string;
  /** Value → the pk of the row that has it, or of each that does. */
  readonly #pks = new Map<string, string | Set<string>>();
  /** Value → whoever has asked for it. */
  readonly #asked = new Map<string, IndexNode>();

  constructor(field: string, rows: Table<StoredRow> | undefined) {
    this.#field = field;
    for (const [pk, row] of rows?.entries() ?? []) this.#add(this.#keyOf(row.value), pk);
  }

  /** The pk of the row that has this value: the smallest, as text, where several have it, whatever came first. */
  find(value: string): string | undefined {
    const pks = this.#pks.get(value);
    return pks instanceof Set ? [...pks].reduce((least, pk) => (pk < least ? pk : least)) : pks;
  }

  /** Takes note of a changed row. Returns the nodes that may answer differently now. */
  change(pk: string, before: EntityValue | undefined, after: EntityValue | undefined): readonly IndexNode[] {
    const [left, entered] = [this.#keyOf(before), this.#keyOf(after)];
    if (left === entered) return [];
    this.#remove(left, pk);
    this.#add(entered, pk);
    return [left, entered].flatMap((key) => (key === undefined ? [] : (this.#asked.get(key) ?? [])));
  }

  /** The node that shows the pk for a value. */
  node(value: string): IndexNode {
    return getOrInsert(this.#asked, value, () => new IndexNode(this, value));
  }

  forget(node: IndexNode): void {
    if (this.#asked.get(node.key) === node) this.#asked.delete(node.key);
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

/** The pk that an index has for one value; `MISSING` where there is none. */
export class IndexNode extends Node {
  readonly index: RowIndex;
  readonly key: string;

  constructor(index: RowIndex, key: string) {
    super();
    this.index = index;
    this.key = key;
  }

  override open(): boolean {
    this.value = this.index.find(this.key) ?? MISSING;
    return false;
  }
}

/** How a value is looked up; `1` and `'1'` are the same. Objects and absent values are in no index. */
export function indexKey(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
