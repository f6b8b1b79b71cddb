import { isConverter, isEntity, isSchemaObject } from '../isEntity.ts';
import type { Lookup, ObjectSchema, Schema } from '../Schema.ts';

/** Finds nothing: only the args themselves are used. */
const NO_ROWS: Lookup = { find: () => undefined, hasTable: () => false };

/**
 * The normalized value for args, without any response, such as the pk in `{ id: 5 }`; undefined if the schema and
 * args do not determine it.
 *
 * @param lookup - finds rows by index. Default: finds none
 */
export function queryKey(schema: Schema, args: readonly unknown[], lookup: Lookup = NO_ROWS): unknown {
  if (isEntity(schema)) return schema.queryKey(args, lookup);
  if (isConverter(schema) || typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return undefined;
  if (isSchemaObject(schema)) {
    return schema.queryKey(args, {
      find: (entity, field, wanted, among) => lookup.find(entity, field, wanted, among),
      hasTable: (entity) => lookup.hasTable(entity),
      scans: (entity) => lookup.scans?.(entity) === true,
      visit: (nested, nestedArgs) => queryKey(nested, nestedArgs, lookup),
    });
  }
  return queryObject(schema as ObjectSchema, args, lookup); // the remaining type of the union
}

/**
 * An object can be served from rows if the args identify all its entities; its plain members then have the declared
 * values. Beside a list, plain members exist in the response alone: a default cursor or total would be wrong.
 */
function queryObject(schema: ObjectSchema, args: readonly unknown[], lookup: Lookup): unknown {
  const value: Record<string, unknown> = {};
  const named: Schema[] = [];
  // Every field is queried, so that all look-ups are recorded.
  for (const [field, nested] of Object.entries(schema)) {
    const declared = declaredValue(nested);
    value[field] = declared === undefined ? queryKey(nested, args, lookup) : declared;
    if (declared === undefined) named.push(nested);
  }
  const members = Object.values(value);
  if (named.length === 0 || members.includes(undefined)) return undefined;
  return named.length === members.length || !named.some(holdsList) ? value : undefined;
}

/** The default value of a passthrough, or of an object of passthroughs; undefined for any other schema. */
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

/** Whether a schema that the args identify is, or contains, a list: one that identifies no single entity. */
function holdsList(schema: Schema): boolean {
  if (isEntity(schema)) return false;
  if (isSchemaObject(schema)) return schema.entities === undefined;
  return Object.values(schema as ObjectSchema).some(holdsList); // the remaining type of those that args identify
}
