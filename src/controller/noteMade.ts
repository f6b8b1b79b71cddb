import { namedRow } from '../schema/CollectionChange.ts';
import type { Core } from './Core.ts';
import type { Mutation } from './Mutation.ts';

/** Notes the pk that the server has given to what a mutation made, so that readers of its temporary one go on. */
export function noteMade(core: Core, mutation: Mutation, answered: unknown): void {
  const { endpoint, temporaryPk } = mutation;
  if (!namesMade(mutation)) return;
  const made = namedRow(endpoint.schema, answered);
  if (made === undefined) return;
  mutation.made = { table: made.entity.key, pk: made.pk };
  core.aliases.add(made.entity.key, temporaryPk, made.pk);
}

/** Whether what a mutation is expected to answer is something that it makes, under its temporary pk. */
export function namesMade({ endpoint, temporaryPk, expected }: Mutation): boolean {
  return namedRow(endpoint.schema, expected)?.pk === temporaryPk;
}
