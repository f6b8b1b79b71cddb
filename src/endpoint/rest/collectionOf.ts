import type { Collection, CollectionSchema, ListOwner } from '../../schema/collection/Collection.ts';
import type { CollectionChange } from '../../schema/collection/CollectionChange.ts';
import type { CollectionPage, RemoveCursor } from '../../schema/collection/CollectionPage.ts';
import { isObjectSchema } from '../../schema/isEntity.ts';
import type { AnyQuery } from '../../schema/query/AnyQuery.ts';
import type { ObjectSchema, Schema } from '../../schema/Schema.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import type { EndpointInterface } from '../EndpointInterface.ts';
import type { ListTarget } from '../EndpointOptions.ts';

/** The collection in a schema: the schema itself, or a member of its plain objects or of a query's schema. */
export type CollectionOf<S> = Schema extends S ? never : CollectionIn<S>;

type CollectionIn<S> =
  S extends Collection<infer C>
    ? Collection<C>
    : S extends AnyQuery
      ? CollectionOf<S['schema']>
      : S extends ObjectSchema
        ? { [K in keyof S]: CollectionOf<S[K]> }[keyof S]
        : never;

/** The changes of a collection that have an endpoint. */
export type ChangeName = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** The schema for a change of the collection in a schema. */
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

/** Any collection. */
export type AnyCollection = Collection<CollectionSchema>;

/** The first collection in a schema; undefined if there is none. */
export function collectionOf(schema: Schema): AnyCollection | undefined {
  return leavesOf(schema).find(isCollection);
}

/** The tables of the lists in a schema, or of those that it changes. */
export function listTablesIn(schema: Schema): readonly string[] {
  return leavesOf(schema).flatMap((part) =>
    hasMember(part, 'row') ? [(part as AnyCollection).row.key] : [],
  );
}

/** A schema that adds to a list. */
type ListAdder = AnyCollection | CollectionChange<unknown>;

/**
 * The schemas that add created entities to their lists, that of their own resource first.
 *
 * @throws HoldfastError `HF_NO_COLLECTION`
 */
export function listAddersOf({
  name,
  ownList,
  appendTo = [],
}: Pick<EndpointInterface, 'name' | 'ownList' | 'appendTo'>): readonly ListAdder[] {
  // Array.isArray does not exclude a readonly list from the type.
  const others = Array.isArray(appendTo) ? (appendTo as readonly ListTarget[]) : [appendTo as ListTarget];
  return [...(ownList === undefined ? [] : [ownList]), ...others].map((target) => listAdderOf(target, name));
}

/** The first collection in a list's schema, or a change of one. */
function listAdderOf(target: ListTarget | undefined, name: string): ListAdder {
  const schema = target !== undefined && 'testKey' in target ? target.schema : target;
  const parts = leavesOf(schema as Schema); // a schema that may contain one
  const adder = parts.find((part): part is ListAdder => hasMember(part, 'additions')); // only these two have it
  if (adder !== undefined) return adder;
  throw new HoldfastError(
    'HF_NO_COLLECTION',
    `\`appendTo\` of ${name} has ${describe(target)}, which has no Collection; pass a list endpoint or its Collection`,
  );
}

/** The schema with pages in place of its collections. */
export function pageOf(schema: Schema, removeCursor: RemoveCursor): Schema {
  return withCollections(schema, (collection) => collection.page(removeCursor));
}

/** The part of an endpoint that identifies lists. */
interface ListEndpoint {
  readonly name: string;
  readonly path?: string;
  readonly urlPrefix?: string | undefined;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string;
}

/** Identifies the lists of an endpoint besides their args; undefined for one without a path. */
export function pathOfLists({ path, urlPrefix = '' }: ListEndpoint): string | undefined {
  return path === undefined ? undefined : urlPrefix + path;
}

/** Whether an endpoint reads, and its body says what: the body of a mutation says what to change. */
export function readsBody({ method, sideEffect }: ListEndpoint): boolean {
  return method !== undefined && method !== 'GET' && sideEffect !== true;
}

/** Assigns the collections in a schema to an endpoint with a path, except those that belong to another one. */
export function claimCollections(schema: Schema, endpoint: ListEndpoint): void {
  if (pathOfLists(endpoint) === undefined) return;
  for (const [index, collection] of [...new Set(leavesOf(schema).filter(isCollection))].entries())
    collection.belongTo(ownerOf(endpoint, index));
}

/** The schema with copies of its collections that belong to an endpoint. */
export function collectionsAt(schema: Schema, endpoint: ListEndpoint): Schema {
  const copies = new Map<AnyCollection, AnyCollection>();
  return withCollections(schema, (collection) => {
    const copy = copies.get(collection) ?? collection.at(ownerOf(endpoint, copies.size));
    copies.set(collection, copy);
    return copy;
  });
}

/** If a response contains several lists, those after the first are identified by their number. */
function ownerOf(endpoint: ListEndpoint, index: number): ListOwner {
  return {
    get path() {
      const path = pathOfLists(endpoint);
      return path === undefined || index === 0 ? path : `${path} ${index}`;
    },
    get readsBody() {
      return readsBody(endpoint);
    },
  };
}

function isCollection(schema: Schema): schema is AnyCollection {
  return hasMember(schema, 'belongTo');
}

/** Recognizes a schema by a member: an app that does not use its class does not load it. */
export function hasMember(schema: Schema, member: string): boolean {
  return typeof schema === 'object' && schema !== null && !isObjectSchema(schema) && member in schema;
}

/** The parts of a schema, apart from plain objects and queries. */
function leavesOf(schema: Schema): readonly Schema[] {
  if (isQuery(schema)) return leavesOf(schema.schema);
  return isObjectSchema(schema) ? Object.values(schema).flatMap(leavesOf) : [schema];
}

function withCollections(schema: Schema, replace: (collection: AnyCollection) => Schema): Schema {
  if (isCollection(schema)) return replace(schema);
  if (isQuery(schema)) {
    const of = withCollections(schema.schema, replace);
    if (of === schema.schema) return schema;
    const Class = schema.constructor as new (of: Schema, derive: AnyQuery['derive']) => AnyQuery; // as Query declares it
    return new Class(of, schema.derive);
  }
  if (!isObjectSchema(schema)) return schema;
  const fields = Object.entries(schema).map(
    ([field, nested]) => [field, withCollections(nested, replace)] as const,
  );
  return fields.every(([field, nested]) => nested === schema[field]) ? schema : Object.fromEntries(fields);
}

function isQuery(schema: Schema): schema is AnyQuery {
  return hasMember(schema, 'derive');
}
