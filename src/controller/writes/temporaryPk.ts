import type { EntityValue } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { references } from '../../schema/references.ts';
import type { Schema } from '../../schema/Schema.ts';
import { rowOf } from '../../store/State.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { CreatedRow, Mutation } from './Mutation.ts';

const PREFIX = 'optimistic-';
/** An order has many digits, so that no words of a person match. */
const TEMPORARY_PK = /optimistic-\d{13,}-[a-z\d]*/g;

/**
 * A pk for an entity that a mutation creates: unique among all tabs, and constant for the life of the mutation.
 * Another pk at each replay would be another entity on screen.
 *
 * @param order - of the mutation's call
 */
export function createTemporaryPk(order: number): string {
  return `${PREFIX}${order}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Whether a pk is temporary: the server has not created the entity yet. */
export function isTemporaryPk(pk: string): boolean {
  return /^optimistic-\d+-[a-z\d]*$/.test(pk);
}

/** Whether the args of a read refer to an entity that the server has not created yet. */
export function namesTemporaryPk([first]: readonly unknown[]): boolean {
  const texts = typeof first === 'object' && first !== null ? Object.values(first) : [first];
  return texts.some((text) => typeof text === 'string' && isTemporaryPk(text));
}

/** Replaces each temporary pk in a text, such as a path. */
export function replaceTemporaryPks(text: string, replace: (pk: string) => string): string {
  // Most texts contain none.
  return text.includes(PREFIX) ? text.replaceAll(TEMPORARY_PK, replace) : text;
}

/** Records the server's pk of a created entity, so that readers of its temporary pk continue with it. */
export function resolveTemporaryPk(
  internals: ControllerInternals,
  mutation: Mutation,
  { result, entities }: Normalized,
): void {
  const { endpoint, temporaryPk } = mutation;
  const shown = shownRow(internals, mutation);
  if (shown === undefined && mutation.isReferenced !== true) return;
  const rows = rowsIn(endpoint.schema, result);
  // Without a prediction, only a single row is certain to be the created one.
  const created =
    shown === undefined
      ? rows.length === 1
        ? rows[0]
        : undefined
      : rows.find(({ table }) => table === shown.table);
  if (created === undefined) return;
  const { table, pk } = created;
  const { pk: shownPk, filled } = shown ?? { pk: temporaryPk, filled: [endpoint.itemParam ?? 'id'] };
  const value = entities.get(table)?.get(pk)?.value;
  mutation.createdRow = { ...created, shownPk, ...serverIdsOf(value, pk, filled) };
  internals.aliases.addIds(temporaryPk, mutation.createdRow);
  internals.aliases.add(table, shownPk, pk, isVisible(internals, table, pk));
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

/** Whether readers see this row. */
export function isVisible({ store }: ControllerInternals, table: string, pk: string): boolean {
  return rowOf(store.head, table, pk)?.value !== undefined;
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
export function rowsIn(schema: Schema, value: unknown): readonly Row[] {
  const rows: Row[] = [];
  references(schema, value, ({ key: table }, pk) => rows.push({ table, pk }));
  return rows;
}
