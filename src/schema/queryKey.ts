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
  const value: Record<string, unknown> = {};
  const fields = Object.entries(schema as ObjectSchema); // what is left of the union
  // Every field is asked, so that whoever looks things up learns of all that there is to look up.
  for (const [field, nested] of fields) value[field] = queryKey(nested, args, lookup);
  // A plain field, such as a cursor beside a list, is in the response alone.
  const isKnown = fields.length > 0 && !Object.values(value).includes(undefined);
  return isKnown ? value : undefined;
}
