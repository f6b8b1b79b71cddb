import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import type { Schema } from './Schema.ts';
import { shapeOf } from './shapeOf.ts';

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
