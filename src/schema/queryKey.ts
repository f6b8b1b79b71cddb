import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import type { ObjectSchema, QueryVisitor, Schema } from './Schema.ts';

const visitor: QueryVisitor = { visit: queryKey };

/**
 * The normalized value that args ask for without any response, such as the pk in `{ id: 5 }`; undefined when the
 * schema and args cannot tell.
 */
export function queryKey(schema: Schema, args: readonly unknown[]): unknown {
  if (isEntity(schema)) return schema.queryKey(args);
  if (isConverter(schema) || typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return undefined;
  if (isSchemaObject(schema)) return schema.queryKey(args, visitor);
  const value: Record<string, unknown> = {};
  let known = false;
  for (const [field, nested] of Object.entries(schema as ObjectSchema)) {
    // what is left of the union
    value[field] = queryKey(nested, args);
    if (value[field] !== undefined) known = true;
  }
  return known ? value : undefined;
}
