import { isEntity, isObjectSchema, isSchemaObject } from './isEntity.ts';
import type { EntityClass, Schema } from './Schema.ts';

/** The entities that a value of this schema may be; without a value, all that it may be. Empty for other schemas. */
export function entitiesOf(schema: Schema, value?: unknown): readonly EntityClass[] {
  if (isEntity(schema)) return [schema];
  return (isSchemaObject(schema) ? schema.entities?.(value) : undefined) ?? [];
}

/** The keys of the entities that values of a schema may be, as one name. */
export function nameOf(schema: Schema): string {
  const names = entitiesOf(schema).map(({ key }) => key);
  return [...new Set(names)].sort().join('|');
}

/** The member of a plain object of schemas that leads to an entity, as `article` of `{ article: Article }`. */
export function wrapperOf(schema: Schema): readonly [name: string, nested: Schema] | undefined {
  if (!isObjectSchema(schema)) return undefined;
  return Object.entries(schema).find(
    ([, nested]) => entitiesOf(nested).length > 0 || wrapperOf(nested) !== undefined,
  );
}
