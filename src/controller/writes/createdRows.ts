import { isListTable } from '../../schema/collection/collectionArgs.ts';
import type { EntityValue } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import { rowOf } from '../../store/State.ts';
import { TEMPORARY_PK } from '../../store/temporaryPks.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { CreatedRow, Mutation, Prediction } from './Mutation.ts';

/** The rows that a mutation has created beside the one with its own temporary pk, by theirs. */
export type OtherRows = NonNullable<CreatedRow['others']>;

/**
 * Records the server's pk of a created entity, so that readers of its temporary pk continue with it.
 *
 * @param others - of the same response
 */
export function resolveTemporaryPk(
  internals: ControllerInternals,
  mutation: Mutation,
  { result, entities }: Normalized,
  others: OtherRows,
): void {
  const { endpoint, temporaryPk } = mutation;
  const shown = shownRow(internals, mutation);
  const hasOthers = Object.keys(others).length > 0;
  if (shown === undefined && mutation.isReferenced !== true && !hasOthers) return;
  const rows = rowsIn(endpoint.schema, result);
  // Without a prediction, only a single row is certain to be the created one.
  const created = rows.find(({ table }) => (shown === undefined ? rows.length === 1 : table === shown.table));
  if (created === undefined) return;
  const { table, pk } = created;
  // Around new entities, it may have a pk of its own.
  const { pk: shownPk, filled } = shown ?? {
    pk: hasOthers ? pk : temporaryPk,
    filled: [endpoint.itemParam ?? 'id'],
  };
  const value = entities.get(table)?.get(pk)?.value;
  const row = { table, pk, shownPk, ...serverIdsOf(value, pk, filled) };
  mutation.createdRow = hasOthers ? { ...row, others } : row;
  addAliases(internals, temporaryPk, mutation.createdRow);
}

/** Makes readers of the temporary pks of a mutation continue with the rows that the server has created. */
export function addAliases(internals: ControllerInternals, temporaryPk: string, created: CreatedRow): void {
  const { aliases, store } = internals;
  for (const [name, row] of [[temporaryPk, created] as const, ...Object.entries(created.others ?? {})]) {
    const { table, pk, shownPk } = row;
    aliases.addIds(name, row);
    aliases.add(table, shownPk, pk, rowOf(store.head, table, pk)?.value !== undefined);
  }
}

/** The temporary pks of a mutation that has created these rows. */
export function temporaryPksOf(temporaryPk: string, { others = {} }: CreatedRow): readonly string[] {
  return [temporaryPk, ...Object.keys(others)];
}

/**
 * The rows of a response that were shown under other temporary pks than the mutation's own: nested ones, or further
 * members of a list. Those at the same position are the same, if there are as many as were predicted.
 *
 * @param prediction - of the mutation
 */
export function otherRows(
  { store }: ControllerInternals,
  { endpoint, temporaryPk, expected }: Mutation,
  { result, entities }: Normalized,
  prediction: Prediction,
): OtherRows {
  const others: Record<string, CreatedRow> = {};
  const visited = new Set<string>();
  const pair = (schema: Schema, shown: unknown, answered: unknown): void => {
    const rows = rowsIn(schema, answered);
    const before = rowsIn(schema, shown);
    if (rows.length !== before.length) return;
    before.forEach(({ entity, table, pk: shownPk }, place) => {
      const row = rows[place];
      const isList = isListTable(table);
      // Below other rows, nothing is new.
      const mayBeNew = schema === endpoint.schema || isList || shownPk.includes(temporaryPk);
      if (row?.table !== table || !mayBeNew || visited.has(shownPk)) return;
      visited.add(shownPk);
      // Later mutations may have changed what is shown inside of it.
      const predicted = Object.keys(entity.schema).length === 0 ? undefined : prediction();
      const value =
        predicted?.entities.get(table)?.get(shownPk)?.value ?? rowOf(store.head, table, shownPk)?.value ?? {};
      const received = entities.get(table)?.get(row.pk)?.value;
      const [name] = shownPk.match(TEMPORARY_PK) ?? [];
      if (name !== undefined && name !== temporaryPk && !isList) {
        const filled = Object.keys(value).filter((field) => value[field] === name);
        others[name] = { table, pk: row.pk, shownPk, ...serverIdsOf(received, row.pk, filled) };
      }
      pair(entity.schema, value, received);
    });
  };
  pair(endpoint.schema, expected, result);
  return others;
}

/** The row that a mutation's prediction shows with the temporary pk, and the fields that hold it. */
function shownRow(
  { store }: ControllerInternals,
  { endpoint, temporaryPk, expected }: Mutation,
): (Row & { readonly filled: readonly string[] }) | undefined {
  for (const row of rowsIn(endpoint.schema, expected)) {
    const value = rowOf(store.head, row.table, row.pk)?.value ?? {};
    const filled = Object.keys(value).filter((field) => value[field] === temporaryPk);
    if (row.pk.includes(temporaryPk) || filled.length > 0) return { ...row, filled };
  }
  return undefined;
}

/** The server's values in place of a temporary pk. */
function serverIdsOf(
  value: EntityValue = {},
  pk: string,
  filled: readonly string[],
): Pick<CreatedRow, 'id' | 'ids'> {
  const ids: Record<string, string | number> = {};
  for (const field of new Set([...filled, 'id'])) {
    const id = value[field];
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') ids[field] = id;
  }
  // A pk may consist of several fields, of which the server has assigned one.
  const part = filled.length === 1 ? ids[filled[0] ?? ''] : undefined;
  return { id: Object.values(ids).find((id) => String(id) === pk) ?? part ?? pk, ids };
}

/** Whether a mutation's predicted response contains an entity with its temporary pk. */
export function createsRow({ endpoint, temporaryPk, expected }: Mutation): boolean {
  return rowsIn(endpoint.schema, expected).some(({ pk }) => pk.includes(temporaryPk));
}

/** Identifies a row. */
export interface Row {
  readonly table: string;
  readonly pk: string;
}

/** The rows that a normalized value refers to directly. */
export function rowsIn(schema: Schema, value: unknown): readonly (Row & { readonly entity: EntityClass })[] {
  const rows: (Row & { readonly entity: EntityClass })[] = [];
  references(schema, value, (entity, pk) => rows.push({ entity, table: entity.key, pk }));
  return rows;
}
