import { Collection, type CollectionSchema, type ListOwner } from '../schema/Collection.ts';
import { CollectionChange } from '../schema/CollectionChange.ts';
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

/** A collection of whatever. */
export type AnyCollection = Collection<CollectionSchema>;

/** The first collection in a schema; undefined where there is none. */
export function collectionOf(schema: Schema): AnyCollection | undefined {
  return leavesOf(schema).find(isCollection);
}

/** What adds to a list: the first collection in a schema, or a change of one. */
export function listIn(schema: Schema): AnyCollection | CollectionChange<unknown> | undefined {
  return leavesOf(schema).find((leaf) => isCollection(leaf) || leaf instanceof CollectionChange) as
    AnyCollection | CollectionChange<unknown> | undefined; // one of them
}

/** The schema with pages in place of its collections. */
export function pageOf(schema: Schema, removeCursor: RemoveCursor): Schema {
  return withCollections(schema, (collection) => new CollectionPage(collection, removeCursor));
}

/** An endpoint, as far as it identifies lists. */
interface ListEndpoint {
  readonly name: string;
  readonly path?: string;
  readonly urlPrefix?: string | undefined;
}

/** What identifies the lists of an endpoint besides its args; undefined for one without a path. */
export function pathOfLists({ path, urlPrefix = '' }: ListEndpoint): string | undefined {
  return path === undefined ? undefined : urlPrefix + path;
}

/** Makes the collections in a schema those of an endpoint with a path, but for those that belong to another. */
export function claimLists(schema: Schema, endpoint: ListEndpoint): void {
  if (pathOfLists(endpoint) === undefined) return;
  for (const [index, collection] of [...new Set(leavesOf(schema).filter(isCollection))].entries())
    collection.belongTo(ownerOf(endpoint, index));
}

/** The schema with copies of its collections that belong to an endpoint. */
export function listsAt(schema: Schema, endpoint: ListEndpoint): Schema {
  const copies = new Map<AnyCollection, AnyCollection>();
  return withCollections(schema, (collection) => {
    const copy = copies.get(collection) ?? collection.at(ownerOf(endpoint, copies.size));
    copies.set(collection, copy);
    return copy;
  });
}

/** Of several lists in one response, those after the first are told apart by their number. */
function ownerOf(endpoint: ListEndpoint, index: number): ListOwner {
  return () => {
    const path = pathOfLists(endpoint);
    return path === undefined || index === 0 ? path : `${path} ${index}`;
  };
}

function isCollection(schema: Schema): schema is AnyCollection {
  return schema instanceof Collection;
}

/** What a schema consists of, apart from plain objects and queries. */
function leavesOf(schema: Schema): readonly Schema[] {
  if (isQuery(schema)) return leavesOf(schema.schema);
  return isObjectSchema(schema) ? Object.values(schema).flatMap(leavesOf) : [schema];
}

function withCollections(schema: Schema, replace: (collection: AnyCollection) => Schema): Schema {
  if (isCollection(schema)) return replace(schema);
  if (isQuery(schema)) {
    const of = withCollections(schema.schema, replace);
    if (of === schema.schema) return schema;
    const Class = schema.constructor as new (of: Schema, derive: AnyQuery['derive']) => AnyQuery; // as Query's
    return new Class(of, schema.derive);
  }
  if (!isObjectSchema(schema)) return schema;
  const fields = Object.entries(schema).map(
    ([field, nested]) => [field, withCollections(nested, replace)] as const,
  );
  return fields.every(([field, nested]) => nested === schema[field]) ? schema : Object.fromEntries(fields);
}

/** By its members: an app without queries need not load the class. */
function isQuery(schema: Schema): schema is AnyQuery {
  return typeof schema === 'object' && schema !== null && !isObjectSchema(schema) && 'derive' in schema;
}

function isObjectSchema(schema: Schema): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && Object.getPrototypeOf(schema) === Object.prototype;
}
