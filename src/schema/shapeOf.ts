import type { Schema } from './Schema.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';

/**
 * Describes the normalized values of a schema, so that a result stored by one schema is not used for that of another:
 * which tables its pks point to, and where. Fields without a schema do not count.
 *
 * @example
 * shapeOf({ results: [Article], next: '' }); // '{"results":["Article"]}'
 */
export function shapeOf(schema: Schema): string {
  const shape = describeShape(schema);
  return shape === undefined ? '' : JSON.stringify(shape);
}

function describeShape(schema: Schema): unknown {
  if (isEntity(schema)) return schema.key;
  if (isConverter(schema) || typeof schema !== 'object' || schema === null) return undefined;
  if (Array.isArray(schema)) return [describeShape(schema[0] as Schema) ?? null]; // lists have one member schema
  if (isSchemaObject(schema)) return schema.shape(describeShape);
  const fields = Object.entries(schema)
    .map(([field, nested]) => [field, describeShape(nested)] as const)
    .filter(([, shape]) => shape !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
