import { isEntity, isObjectSchema } from '../isEntity.ts';
import { references } from '../references.ts';
import type { EntityClass, Schema } from '../Schema.ts';
import type { UnionMembers } from '../Union.ts';

/** The members that a mutation has created. */
interface CreatedMembers {
  readonly members: readonly unknown[];
  /** The fields of the wrapping objects, from the outermost one. */
  readonly fields: readonly string[];
}

/**
 * The first members of a list found in a normalized response; undefined if it contains none. An object may contain
 * others beside them, such as related ones.
 *
 * @param schema - the schema of the response; an object may wrap the member: `{ article: Article }`
 * @param member - the schema of the list's members
 */
export function createdIn(schema: Schema, value: unknown, member: Schema): CreatedMembers | undefined {
  if (isObjectSchema(schema) && typeof value === 'object' && value !== null) {
    for (const [field, nested] of Object.entries(schema)) {
      const created = createdIn(nested, (value as Readonly<Record<string, unknown>>)[field], member); // by name
      if (created !== undefined) return { ...created, fields: [field, ...created.fields] };
    }
    return undefined;
  }
  const members: unknown[] = [];
  references(schema, value, (entity, pk) => {
    const reference = referenceTo(member, entity, pk);
    if (reference !== undefined) members.push(reference);
  });
  return members.length === 0 ? undefined : { members, fields: [] };
}

/** How a list of members refers to a row; undefined if the row is not one of them. */
function referenceTo(member: Schema, { key }: EntityClass, pk: string): unknown {
  if (isEntity(member)) return member.key === key ? pk : undefined;
  if (typeof member !== 'object' || member === null || !('members' in member)) return undefined;
  const types = Object.entries(member.members as UnionMembers); // of a union
  const type = types.find(([, entity]) => entity.key === key)?.[0];
  return type === undefined ? undefined : [type, pk];
}
