import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { Schema } from '../schema/Schema.ts';
import type { State, StoredRow } from './State.ts';
import type { Table } from './Table.ts';
import { references } from '../schema/references.ts';

/**
 * The table of all renames that are known, one row each. A reference that is older than a rename means the renamed
 * entity, even after the server has given its former pk to another one.
 */
export const RENAMES = '~renames';

/** A rename as it is stored: ordered by the meta of the mutation that made it. */
export interface Rename extends StoredRow {
  readonly value: {
    readonly table: string;
    readonly from: string;
    readonly to: string;
    /** What identifies the lists below the entity; absent if its path is unknown. */
    readonly below?: PathRename;
  };
}

/** The path parameters that identified an entity, and those that do now. */
export interface PathRename {
  /** The path of the entity, with the server's address. */
  readonly path: string;
  readonly was: Readonly<Record<string, string>>;
  readonly now: Readonly<Record<string, string>>;
}

/** The row that has the entity now which a row of `RENAMES` is about. */
export function renamedTo({ value }: Pick<StoredRow, 'value'>): readonly [table: string, pk: string] {
  const { table, to } = value as Rename['value']; // all rows of the table are renames
  return [table, to];
}

/** Renames of queued mutations come after all others, in the order of their layers. They are only in the head. */
export const LAYER_ORDER = 2 ** 52;

/** The renames that queued mutations have predicted, in the order of their layers. */
export function pendingRenames({ tables }: State): readonly Rename[] {
  return renamesSince(tables[RENAMES]).filter(({ meta }) => meta.order > LAYER_ORDER);
}

interface SortedRenames {
  /** The oldest first. */
  readonly renames: readonly Rename[];
  /** The order at which the last of them was answered. */
  readonly last: number;
}

// Derived from an immutable table alone, so it is the same for every controller.
const known = /* @__PURE__ */ new WeakMap<Table<StoredRow>, SortedRenames>();

const NONE: readonly Rename[] = [];

/**
 * The renames that some data is older than, the oldest first.
 *
 * @param meta - of the data. Default: all renames
 */
export function renamesSince(table: Table<StoredRow> | undefined, meta?: Meta): readonly Rename[] {
  if (table === undefined) return NONE;
  let all = known.get(table);
  if (all === undefined) {
    const renames = byOrder([...table.entries()].map(([, row]) => row));
    const last = renames.reduce((max, { meta: { answered } }) => Math.max(max, answered), 0);
    known.set(table, (all = { renames, last }));
  }
  if (meta === undefined) return all.renames;
  // Most data is newer than all of them.
  return meta.order >= all.last ? NONE : all.renames.filter((rename) => isOlder(meta, rename.meta));
}

/** Renames, the oldest first. */
export function byOrder(rows: readonly StoredRow[]): readonly Rename[] {
  const renames = rows as readonly Rename[]; // all rows of the table are
  return [...renames].sort((left, right) => left.meta.order - right.meta.order);
}

interface Named {
  readonly table: Table<StoredRow>;
  readonly schema: Schema;
  /** Those that are applied to the value, the oldest first. */
  readonly renames: readonly Rename[];
  readonly value: unknown;
}

// By objects that belong to one store; weak, so that they go with it.
const current = /* @__PURE__ */ new WeakMap<object, Named>();

/**
 * The value of a row or result, with the pks that entities have now where it names them by those that they had when it
 * was stored.
 */
export function withCurrentPks(
  state: State,
  schema: Schema,
  holder: { readonly value: unknown; readonly meta: Meta },
): unknown {
  const table = state.tables[RENAMES];
  if (table === undefined) return holder.value;
  let named = current.get(holder);
  // The classes of a row may declare different relations.
  if (named?.schema !== schema) named = undefined;
  if (named?.table !== table) {
    const renames = renamesSince(table, holder.meta);
    // A new rename is mostly the newest, and a list can be long.
    if (named?.renames.some((rename, at) => rename !== renames[at])) named = undefined;
    const further = renames.slice(named?.renames.length);
    const value = renamedBy(further, schema, (named ?? holder).value);
    current.set(holder, (named = { table, schema, renames, value }));
  }
  return named.value;
}

/** A row that is to be merged with what is as new as `until`, with the pks that entities had then. */
export function renamedRow(state: State | undefined, schema: Schema, row: StoredRow, until: Meta): StoredRow {
  const table = state?.tables[RENAMES];
  if (table === undefined) return row;
  const later = renamesSince(table, row.meta).filter(({ meta }) => !isOlder(until, meta));
  // The value of a list that was added to is made when it is read.
  if (later.length === 0) return row;
  const value = renamedBy(later, schema, row.value);
  return value === row.value ? row : { ...row, value: value as EntityValue | undefined }; // renaming keeps the type
}

function renamedBy(renames: readonly Rename[], schema: Schema, value: unknown): unknown {
  return renames.reduce(
    (named, { value: { table, from, to } }) => renameInValue(schema, named, table, from, to),
    value,
  );
}

/** Whether data is older than the rename of the entity that had its pk then. */
export function isOfFormer(state: State, table: string, pk: string, meta: Meta): boolean {
  const renames = state.tables[RENAMES];
  if (renames === undefined) return false;
  return renamesSince(renames, meta).some(({ value }) => value.table === table && value.from === pk);
}

/** Replaces a text in order to find out whether it is a reference. */
const PROBE = '\0renamed';

/**
 * A normalized value with another pk wherever it refers to a row; the same value if it does not. A list that contains
 * both pks keeps only one.
 */
function renameInValue(schema: Schema, value: unknown, table: string, from: string, to: string): unknown {
  let renamed = value;
  for (const path of pathsTo(from, value)) {
    const tables = new Set<string>();
    references(schema, withText(renamed, path, PROBE), ({ key }, pk) => {
      if (pk === PROBE) tables.add(key);
    });
    if (tables.has(table)) renamed = withText(renamed, path, to);
  }
  return renamed;
}

type Path = readonly string[];

/** The positions of a text in a value, the last index of a list first. */
function pathsTo(text: string, value: unknown): readonly Path[] {
  if (value === text) return [[]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .reverse()
    .flatMap(([name, member]) => pathsTo(text, member).map((path) => [name, ...path]));
}

function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (!Array.isArray(value)) {
    const fields = value as Readonly<Record<string, unknown>>; // pathsTo() has found a member
    return { ...fields, [name]: withText(fields[name], rest, text) };
  }
  const at = Number(name);
  const list: readonly unknown[] = value;
  if (rest.length === 0 && list.includes(text)) return list.filter((_, place) => place !== at);
  return list.map((member, place) => (place === at ? withText(member, rest, text) : member));
}
