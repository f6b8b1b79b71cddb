import type { EntityValue, Meta } from '../schema/Meta.ts';
import { Table } from './Table.ts';

/** A stored entity. Plain data that survives structured clone: what is in memory is what goes to disk. */
export interface StoredRow {
  /** The fields as they arrived, nested entities as pks; undefined marks a deleted entity (a tombstone). */
  readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** The entity has another pk now: whatever names this one means that. Only where `value` is undefined. */
  readonly movedTo?: string;
}

/** A stored answer of an endpoint, by the endpoint's key. */
export interface StoredResult {
  /** The response with pks in place of entities. */
  readonly value: unknown;
  readonly meta: Meta;
  /** The shape of the schema that the value was stored by; absent where the value has no entities in it. */
  readonly shape?: string;
  /** The error of the newest request, where it failed. Kept in memory only. */
  readonly error?: unknown;
  /** Set by `invalidate`: the value must not be shown any more. */
  readonly invalidated?: true;
}

/** Everything that is known, immutable. */
export interface State {
  /** Table name → rows by pk. Has no prototype, so that any name is ordinary data. */
  readonly tables: Readonly<Record<string, Table<StoredRow>>>;
  /** Endpoint key → result. */
  readonly results: Table<StoredResult>;
}

/** A state that knows nothing. */
export function emptyState(): State {
  return { tables: Object.create(null) as State['tables'], results: Table.empty<StoredResult>() };
}

/** The row of an entity, tombstones included. */
export function rowOf(state: State, table: string, pk: string): StoredRow | undefined {
  return state.tables[table]?.get(pk);
}

/**
 * The pk that an entity goes by now: where it was renamed, the last of its names.
 *
 * @param row - gives a stored row
 */
export function currentPk(row: (pk: string) => StoredRow | undefined, pk: string): string {
  const met = new Set<string>();
  let current = pk;
  // What two tabs wrote may lead in a circle.
  for (let next = row(pk)?.movedTo; next !== undefined && !met.has(next); next = row(next)?.movedTo) {
    met.add(next);
    current = next;
  }
  return current;
}
