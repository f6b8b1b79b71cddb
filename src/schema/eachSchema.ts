import { isEntity, isSchemaObject } from './isEntity.ts';
import type { EntityClass, LazyReach, Lens, Schema, SchemaObject } from './Schema.ts';

/** The properties of a schema that determine how it is read. */
type Traits = Pick<SchemaObject, 'lens' | 'lazyReach'>;

/** Calls `visitSchema` for a schema and those in it, and descends into those for which it returns true. */
function eachSchema(start: Schema, visitSchema: (schema: Schema, traits: Traits) => boolean): void {
  const seen = new Set<Schema>();
  const visit = (schema: Schema): void => {
    if (schema === null || schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    if (!visitSchema(schema, schema as Traits)) return; // read by name: most schemas have neither
    if (isEntity(schema)) Object.values(schema.schema).forEach(visit);
    else if (isSchemaObject(schema)) schema.shape(visit);
    else if (typeof schema === 'object') Object.values(schema).forEach(visit);
  };
  visit(start);
}

/**
 * The lenses that an entity, or a value denormalized into it, is read through: readers whose lens values differ get
 * their own instances.
 */
export function lensesOf(entity: EntityClass): readonly Lens[] {
  const lenses = new Set<Lens>();
  eachSchema(entity, (_schema, { lens, lazyReach }) => {
    if (lens !== undefined) lenses.add(lens);
    return lens === undefined && lazyReach === undefined;
  });
  return [...lenses];
}

/** Finds the rows that lazy relations of an entity refer to; undefined if it has no such relations. */
export function lazyReachOf(entity: EntityClass): LazyReach | undefined {
  let found: LazyReach | undefined;
  eachSchema(entity, (schema, { lazyReach }) => {
    found ??= lazyReach;
    return schema === entity || !isEntity(schema);
  });
  return found;
}
