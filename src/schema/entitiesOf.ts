import { isEntity, isSchemaObject } from './isEntity.ts';
import type { EntityClass, Schema } from './Schema.ts';

/** The entities that a value of this schema is one of; without a value, all that it may be. None for other schemas. */
export function entitiesOf(schema: Schema, value?: unknown): readonly EntityClass[] {
  if (isEntity(schema)) return [schema];
  return (isSchemaObject(schema) ? schema.entities?.(value) : undefined) ?? [];
}

/** The keys of the entities that values of a schema are, as one name. */
export function nameOf(schema: Schema): string {
  const names = entitiesOf(schema).map(({ key }) => key);
  return [...new Set(names)].sort().join('|');
}
