import type { Schema } from '../schema/Schema.ts';
import { references } from '../schema/references.ts';
import type { Core } from './Core.ts';
import type { MadeRow, Mutation } from './Mutation.ts';

/** Notes the pk that the server has given to what a mutation made, so that readers of its temporary one go on. */
export function noteMade(core: Core, mutation: Mutation, answered: unknown): void {
  const { endpoint, temporaryPk } = mutation;
  if (!namesMade(mutation)) return;
  const made = firstRow(endpoint.schema, answered);
  if (made === undefined) return;
  mutation.made = made;
  core.aliases.add(made.table, temporaryPk, made.pk);
}

/** Whether what a mutation is expected to answer is something that it makes, under its temporary pk. */
export function namesMade({ endpoint, temporaryPk, expected }: Mutation): boolean {
  return firstRow(endpoint.schema, expected)?.pk === temporaryPk;
}

/** The row that a normalized value names first. */
function firstRow(schema: Schema, value: unknown): MadeRow | undefined {
  let first: MadeRow | undefined;
  references(schema, value, ({ key: table }, pk) => (first ??= { table, pk }));
  return first;
}
