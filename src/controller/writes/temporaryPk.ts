import type { EntityValue } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/normalize.ts';
import { references } from '../../schema/references.ts';
import type { Schema } from '../../schema/Schema.ts';
import { rowOf } from '../../store/State.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { CreatedRow, Mutation } from './Mutation.ts';

const PREFIX = 'optimistic-';
const TEMPORARY_PK = /optimistic-\d+-[a-z\d]*/g;

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
  const { endpoint, temporaryPk, expected } = mutation;
  for (const { table, pk: shownPk } of rowsIn(endpoint.schema, expected)) {
    const shown = rowOf(internals.store.head, table, shownPk)?.value ?? {};
    const filled = Object.keys(shown).filter((field) => shown[field] === temporaryPk);
    if (!shownPk.includes(temporaryPk) && filled.length === 0) continue;
    const created = rowsIn(endpoint.schema, result).find((row) => row.table === table);
    if (created === undefined) return;
    const value = entities.get(table)?.get(created.pk)?.value as EntityValue | undefined; // of a row
    mutation.createdRow = { ...created, shownPk, ...serverIdsOf(value, created.pk, filled) };
    internals.aliases.addIds(temporaryPk, mutation.createdRow);
    internals.aliases.add(table, shownPk, created.pk, isVisible(internals, table, created.pk));
    return;
  }
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
