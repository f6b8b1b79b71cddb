import { Collection, type CollectionSchema } from '../schema/Collection.ts';
import { CollectionPage, type RemoveCursor } from '../schema/CollectionPage.ts';
import type { ObjectSchema, Schema, SchemaObject } from '../schema/Schema.ts';

/** The collection in a schema: the schema itself, or a member of its plain objects or of what a query is made of. */
export type CollectionOf<S> = Schema extends S ? never : CollectionIn<S>;

type CollectionIn<S> =
  S extends Collection<infer C>
    ? Collection<C>
    : S extends AnyQuery
      ? CollectionIn<S['schema']>
      : S extends ObjectSchema
        ? { [K in keyof S]: CollectionIn<S[K]> }[keyof S]
        : never;

/** A `Query`, of whatever and whatever it makes of that. */
interface AnyQuery extends SchemaObject {
  readonly schema: Schema;
  readonly derive: (data: never, ...args: never) => unknown;
}

/** The changes of a collection that an endpoint can be made of. */
export type ChangeName = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** The schema that makes a change of the collection in a schema. */
export type ChangeOf<S, Name extends ChangeName> =
  CollectionOf<S> extends Readonly<Record<Name, infer Change extends Schema>> ? Change : never;

/** The schema with a page in place of its collection. */
export type PageOf<S> =
  S extends Collection<infer C>
    ? CollectionPage<C>
    : S extends AnyQuery
      ? S
      : S extends ObjectSchema
        ? { readonly [K in keyof S]: PageOf<S[K]> }
        : S;

/** The first collection in a schema; undefined where there is none. */
export function collectionOf(schema: Schema): Collection<CollectionSchema> | undefined {
  if (schema instanceof Collection) return schema as Collection<CollectionSchema>; // of whatever it is
  if (isQuery(schema)) return collectionOf(schema.schema);
  if (!isObjectSchema(schema)) return undefined;
  for (const nested of Object.values(schema)) {
    const found = collectionOf(nested);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema with pages in place of its collections. */
export function pageOf(schema: Schema, removeCursor: RemoveCursor): Schema {
  if (schema instanceof Collection)
    return new CollectionPage(schema as Collection<CollectionSchema>, removeCursor); // of whatever it is
  if (isQuery(schema)) {
    const Class = schema.constructor as new (of: Schema, derive: AnyQuery['derive']) => AnyQuery; // as Query's
    return new Class(pageOf(schema.schema, removeCursor), schema.derive);
  }
  if (!isObjectSchema(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([field, nested]) => [field, pageOf(nested, removeCursor)]),
  );
}

/** By its members: an app without queries need not load the class. */
function isQuery(schema: Schema): schema is AnyQuery {
  return typeof schema === 'object' && schema !== null && !isObjectSchema(schema) && 'derive' in schema;
}

function isObjectSchema(schema: Schema): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && Object.getPrototypeOf(schema) === Object.prototype;
}
