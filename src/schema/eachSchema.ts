import { isEntity, isSchemaObject } from './isEntity.ts';
import type { EntityClass, LazyReach, Lens, Schema, SchemaObject } from './Schema.ts';

/** What of a schema says how it is read. */
type Traits = Pick<SchemaObject, 'lens' | 'lazyReach'>;

/** Calls `met` for a schema and those in it, and looks into those for which it returns true. */
function eachSchema(start: Schema, met: (schema: Schema, traits: Traits) => boolean): void {
  const seen = new Set<Schema>();
  const visit = (schema: Schema): void => {
    if (schema === null || schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    if (!met(schema, schema as Traits)) return; // read by name: of most schemas, both are undefined
    if (isEntity(schema)) Object.values(schema.schema).forEach(visit);
    else if (isSchemaObject(schema)) schema.shape(visit);
    else if (typeof schema === 'object') Object.values(schema).forEach(visit);
  };
  visit(start);
}

/** The lenses by which an entity is read, or what is joined into it: readers for whom they differ get their own. */
export function lensesOf(entity: EntityClass): readonly Lens[] {
  const lenses = new Set<Lens>();
  eachSchema(entity, (_schema, { lens, lazyReach }) => {
    if (lens !== undefined) lenses.add(lens);
    return lens === undefined && lazyReach === undefined;
  });
  return [...lenses];
}

/** What finds the rows that lazy relations of an entity name; undefined where it has none. */
export function lazyReachOf(entity: EntityClass): LazyReach | undefined {
  let found: LazyReach | undefined;
  eachSchema(entity, (schema, { lazyReach }) => {
    found ??= lazyReach;
    return schema === entity || !isEntity(schema);
  });
  return found;
}
