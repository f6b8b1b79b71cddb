import type { EntityValue, Meta } from '../schema/Meta.ts';
import { Table } from './Table.ts';

/** A stored entity: plain data that survives structured clone. Memory and disk hold the same. */
export interface StoredRow {
  /** The fields as they arrived, nested entities as pks; undefined marks a deleted entity (a tombstone). */
  readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** The current pk of a renamed entity; references to this pk mean that one. Only set where `value` is undefined. */
  readonly movedTo?: string;
}

/** A stored response of an endpoint, by the endpoint's key. */
export interface StoredResult {
  /** The response with pks in place of entities. */
  readonly value: unknown;
  readonly meta: Meta;
  /** The shape of the schema that the value was stored by; absent if the value contains no entities. */
  readonly shape?: string;
  /** The error of the latest request, if it failed. Kept in memory only. */
  readonly error?: unknown;
  /** Set by `invalidate`: the value must no longer be shown. */
  readonly invalidated?: true;
}

/** Everything that is stored, immutable. */
export interface State {
  /** Table name → rows by pk. Has no prototype, so any name is ordinary data. */
  readonly tables: Readonly<Record<string, Table<StoredRow>>>;
  /** Endpoint key → result. */
  readonly results: Table<StoredResult>;
}

/** An empty state. */
export function emptyState(): State {
  return { tables: Object.create(null) as State['tables'], results: Table.empty<StoredResult>() };
}

/** The row of an entity, tombstones included. */
export function rowOf(state: State, table: string, pk: string): StoredRow | undefined {
  return state.tables[table]?.get(pk);
}

/** Looks up a stored row. */
export type RowOf = (table: string, pk: string) => StoredRow | undefined;

/** The current pk of an entity: the last one that renames lead to. */
export function currentPk(row: RowOf, table: string, pk: string): string {
  let next = row(table, pk)?.movedTo;
  if (next === undefined) return pk;
  const visited = new Set<string>();
  let current = pk;
  // Renames written by two tabs may form a cycle.
  for (; next !== undefined && !visited.has(next); next = row(table, next)?.movedTo) {
    visited.add(next);
    current = next;
  }
  return current;
}
