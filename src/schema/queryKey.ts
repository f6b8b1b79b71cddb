import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import type { Lookup, ObjectSchema, Schema } from './Schema.ts';

/** Finds nothing: for what the args alone say. */
const NO_ROWS: Lookup = { find: () => undefined, hasTable: () => false };

/**
 * The normalized value that args ask for without any response, such as the pk in `{ id: 5 }`; undefined when the
 * schema and args cannot tell.
 *
 * @param lookup - finds rows by index. Default: finds none
 */
export function queryKey(schema: Schema, args: readonly unknown[], lookup: Lookup = NO_ROWS): unknown {
  if (isEntity(schema)) return schema.queryKey(args, lookup);
  if (isConverter(schema) || typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return undefined;
  if (isSchemaObject(schema)) {
    return schema.queryKey(args, {
      find: (entity, field, wanted) => lookup.find(entity, field, wanted),
      hasTable: (entity) => lookup.hasTable(entity),
      visit: (nested, nestedArgs) => queryKey(nested, nestedArgs, lookup),
    });
  }
  return queryObject(schema as ObjectSchema, args, lookup); // what is left of the union
}

/**
 * An object is served from rows where the args name all its entities; its plain members then read as the schema
 * declares them. Beside a list they are in the response alone: a cursor or a total would be a wrong one.
 */
function queryObject(schema: ObjectSchema, args: readonly unknown[], lookup: Lookup): unknown {
  const value: Record<string, unknown> = {};
  const named: Schema[] = [];
  // Every field is asked, so that whoever looks things up learns of all that there is to look up.
  for (const [field, nested] of Object.entries(schema)) {
    const declared = declaredValue(nested);
    value[field] = declared === undefined ? queryKey(nested, args, lookup) : declared;
    if (declared === undefined) named.push(nested);
  }
  const members = Object.values(value);
  if (named.length === 0 || members.includes(undefined)) return undefined;
  return named.length === members.length || !named.some(holdsList) ? value : undefined;
}

/** The value that a passthrough, or an object of nothing else, declares; undefined for any other schema. */
function declaredValue(schema: Schema): unknown {
  if (typeof schema === 'function' || typeof schema === 'undefined') return undefined;
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema) || isSchemaObject(schema)) return undefined;
  const value: Record<string, unknown> = {};
  for (const [field, nested] of Object.entries(schema)) {
    value[field] = declaredValue(nested); // a member of an ObjectSchema
    if (value[field] === undefined) return undefined;
  }
  return value;
}

/** Whether a schema that the args name is, or has in it, a list: one that names no single entity. */
function holdsList(schema: Schema): boolean {
  if (isEntity(schema)) return false;
  if (isSchemaObject(schema)) return schema.entities === undefined;
  return Object.values(schema as ObjectSchema).some(holdsList); // what is left of those that args name
}
