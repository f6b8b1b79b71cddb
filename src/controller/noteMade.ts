import type { EntityValue } from '../schema/Meta.ts';
import type { Normalized } from '../schema/normalize.ts';
import { references } from '../schema/references.ts';
import type { Schema } from '../schema/Schema.ts';
import { rowOf } from '../store/State.ts';
import type { Core } from './Core.ts';
import type { MadeRow, Mutation } from './Mutation.ts';

/** Notes the pk that the server has given to what a mutation made, so that readers of its temporary one go on. */
export function noteMade(core: Core, mutation: Mutation, { result, entities }: Normalized): void {
  const { endpoint, temporaryPk, expected } = mutation;
  for (const { table, pk: shownPk } of rowsIn(endpoint.schema, expected)) {
    const shown = rowOf(core.store.head, table, shownPk)?.value ?? {};
    const filled = Object.keys(shown).filter((field) => shown[field] === temporaryPk);
    if (!shownPk.includes(temporaryPk) && filled.length === 0) continue;
    const made = rowsIn(endpoint.schema, result).find((row) => row.table === table);
    if (made === undefined) return;
    const value = entities.get(table)?.get(made.pk)?.value as EntityValue | undefined; // of a row
    mutation.made = { ...made, shownPk, ...idsOf(value, made.pk, filled) };
    core.aliases.add(table, shownPk, made.pk, isShown(core, table, made.pk));
    return;
  }
}

/** Whether a row is there for readers. */
export function isShown({ store }: Core, table: string, pk: string): boolean {
  return rowOf(store.head, table, pk)?.value !== undefined;
}

/** What stands in the place of a temporary pk. */
function idsOf(value: EntityValue = {}, pk: string, filled: readonly string[]): Pick<MadeRow, 'id' | 'ids'> {
  const ids: Record<string, string | number> = {};
  for (const field of new Set([...filled, 'id'])) {
    const id = value[field];
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') ids[field] = id;
  }
  // A pk may be made of several fields, of which the server has given one.
  const part = filled.length === 1 ? ids[filled[0] ?? ''] : undefined;
  return { id: Object.values(ids).find((id) => String(id) === pk) ?? part ?? pk, ids };
}

/** Whether what a mutation is expected to answer is something that it makes, under its temporary pk. */
export function makes({ endpoint, temporaryPk, expected }: Mutation): boolean {
  return rowsIn(endpoint.schema, expected).some(({ pk }) => pk.includes(temporaryPk));
}

function rowsIn(schema: Schema, value: unknown): readonly { readonly table: string; readonly pk: string }[] {
  const rows: { readonly table: string; readonly pk: string }[] = [];
  references(schema, value, ({ key: table }, pk) => rows.push({ table, pk }));
  return rows;
}
