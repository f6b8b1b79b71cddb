import type { Collection, CollectionSchema } from './Collection.ts';
import { unwrapped, type CollectionChange } from './CollectionChange.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import { references } from './references.ts';
import type { CollectionUpdate, EntityClass, Schema } from './Schema.ts';
import type { UnionMembers } from './Union.ts';

/**
 * The change that adds to a list what a mutation has made: none where its answer names no member of it.
 *
 * @param schema - of the answer; an object may wrap the member: `{ article: Article }`
 * @param result - the answer, normalized by it
 */
export function addedBy(
  list: Collection<CollectionSchema> | CollectionChange<unknown>,
  schema: Schema,
  result: unknown,
  args: readonly unknown[],
): readonly CollectionUpdate[] {
  const member = 'member' in list ? list.member : list.schema.schema;
  const made = madeIn(schema, result, member);
  if (made === undefined) return [];
  return [list.addition(made.members, made.fields.reduce<readonly unknown[]>(unwrapped, args))];
}

interface Made {
  readonly members: readonly unknown[];
  /** The fields of the objects that wrap them, from outside. */
  readonly fields: readonly string[];
}

/** The first members in a normalized value; an object may hold others beside them, such as related ones. */
function madeIn(schema: Schema, value: unknown, member: Schema): Made | undefined {
  if (isObjectSchema(schema) && typeof value === 'object' && value !== null) {
    for (const [field, nested] of Object.entries(schema)) {
      const made = madeIn(nested, (value as Readonly<Record<string, unknown>>)[field], member); // by name
      if (made !== undefined) return { ...made, fields: [field, ...made.fields] };
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

/** How a list of members refers to a row; undefined where that is none of them. */
function referenceTo(member: Schema, { key }: EntityClass, pk: string): unknown {
  if (isEntity(member)) return member.key === key ? pk : undefined;
  if (typeof member !== 'object' || member === null || !('members' in member)) return undefined;
  const types = Object.entries(member.members as UnionMembers); // of a union
  const type = types.find(([, entity]) => entity.key === key)?.[0];
  return type === undefined ? undefined : [type, pk];
}

function isObjectSchema(schema: Schema): schema is Readonly<Record<string, Schema>> {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    !Array.isArray(schema) &&
    !isEntity(schema) &&
    !isConverter(schema) &&
    !isSchemaObject(schema)
  );
}
