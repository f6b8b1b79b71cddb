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

/** The shapes of lists, and of collections of lists. */
const LIST = /^(?:\{"collection":)?\[/;

/** The same of maps. */
const MAP = /^(?:\{"collection":)?\{"values":/;

/**
 * The response of a read that has nothing to list: its lists and maps are empty, and plain members have the declared
 * values. Undefined if the schema contains no list, or anything that an empty response would lack.
 */
export function emptyValue(schema: Schema): unknown {
  const parts = { lists: 0, others: 0 };
  const value = valueOf(schema, parts);
  return parts.lists > 0 && parts.others === 0 ? value : undefined;
}

function valueOf(schema: Schema, parts: { lists: number; others: number }): unknown {
  if (isEntity(schema)) parts.others += 1;
  if (isConverter(schema)) return undefined;
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema) || isSchemaObject(schema)) {
    const shape = shapeOf(schema);
    const isList = LIST.test(shape);
    if (isList || MAP.test(shape)) parts.lists += 1;
    else parts.others += 1;
    return isList ? [] : {};
  }
  return Object.fromEntries(Object.entries(schema).map(([name, nested]) => [name, valueOf(nested, parts)]));
}
