import type { CollectionArgs, Membership } from './collection/collectionArgs.ts';
import type { EntityValue, Invalidity, Meta } from './Meta.ts';
import type { Missing } from './missing.ts';

/**
 * The shape of a value: an entity class, a list `[schema]`, a plain object of schemas, a converter such as `Date`,
 * or a schema object such as `new Delete(Article)`. Members of a plain object that are a string, number, boolean or
 * null pass through and only document the type.
 */
export type Schema = EntityClass | SchemaObject | Converter | readonly Schema[] | ObjectSchema | Passthrough;

/**
 * The static side of an entity: the members of a class that schema code uses, whether it extends `Entity` or was
 * turned into an entity by a mixin.
 */
export interface EntityClass<T extends object = object> {
  new (): T;
  readonly prototype: T;
  readonly name: string;
  readonly key: string;
  readonly schema: Readonly<Record<string, Schema>>;
  readonly defaults: Readonly<Record<string, unknown>>;
  pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): string | undefined;
  process(input: unknown, parent: unknown, key: string | undefined, args: readonly unknown[]): unknown;
  merge(existing: EntityValue, incoming: EntityValue): EntityValue;
  mergeWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: EntityValue,
    incoming: EntityValue,
  ): EntityValue;
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: EntityValue, incoming: EntityValue): boolean;
  shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: EntityValue,
    incoming: EntityValue,
  ): boolean;
  validate(processed: EntityValue): Invalidity;
  fromJS(props?: object): T;
  /** For the rows of a collection: the entities whose keys are part of its key. */
  readonly namedAfter?: readonly EntityClass[];
  /** Fields by whose values rows can be found. */
  readonly indexes?: readonly string[];
  queryKey(args: readonly unknown[], visitor?: Lookup): string | undefined;
  /** For the rows of a `Scalar`: selects the part of a row that a reader gets. */
  readonly lens?: Lens;
  /** For the rows of a `Scalar`: whether two versions of a row give the same value with these args. */
  isEqualForLens?(before: EntityValue, after: EntityValue, args: readonly unknown[]): boolean;
}

/** Returns the value, such as a currency, that the args of an endpoint select; undefined if they select none. */
export type Lens = (args: readonly unknown[]) => string | number | null | undefined;

/** A plain object of schemas. */
export interface ObjectSchema {
  readonly [field: string]: Schema;
}

/** A default that determines a type: `''` a string, `0` a number. */
export type Passthrough = string | number | boolean | null | undefined;

/**
 * Converts a stored value for the reader: `Date`, `BigNumber`, `Temporal.Instant.from`. Called during
 * denormalization.
 */
export type Converter = (DateConstructor | ((value: never) => unknown)) & {
  /** An endpoint is a function too, but not a schema. */
  readonly testKey?: never;
};

/**
 * The contract of schema objects. Every method is pure: it accesses the store only through its visitor.
 *
 * `Output` is the type of the denormalized value and exists only for inference.
 */
export interface SchemaObject<Output = unknown> {
  /** Never set: carries `Output` for inference. */
  readonly output?: Output;
  /** Replaces nested entities by their pks and passes them to the visitor. Must not change `input`. */
  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown;
  /** The reverse: denormalizes a normalized value. `MISSING` if a required part is missing. */
  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown;
  /** The normalized value for these args, without any response; `undefined` if it cannot be determined. */
  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown;
  /** Calls `found` for each row that a normalized value refers to directly. */
  references(input: unknown, visitor: ReferenceVisitor): void;
  /** Describes the shape of its normalized values, as plain data that differs from that of other shapes. */
  shape(describe: (schema: Schema) => unknown): unknown;
  /**
   * The entities that one value may be, for schemas whose values are always entities; for a given value, only those
   * it can be.
   */
  entities?(value?: unknown): readonly EntityClass[];
  /**
   * As the schema of an entity's field, called in place of `normalize`, also if the field is absent: stores the value
   * elsewhere and returns the value for the row.
   */
  normalizeField?(
    value: unknown,
    field: string,
    entity: EntityClass,
    pk: string,
    visitor: NormalizeVisitor,
  ): unknown;
  /** Whether `controller.set()` stores its values without args, since each entity in them identifies itself. */
  readonly isSelfIdentifying?: boolean;
  /** Selects the value that a reader gets, where it depends on the args. */
  readonly lens?: Lens;
  /** For relations that are not denormalized: finds the rows that they need all the same. */
  readonly lazyReach?: LazyReach;
}

/** The node of a row (or any other value) in the graph of denormalized values, and the nodes that it depends on. */
export interface Reachable {
  readonly entity?: EntityClass;
  readonly pk?: string;
  readonly deps: readonly Reachable[];
}

/** The stored rows, by table. */
export interface StoredTables {
  row(table: string, pk: string): EntityValue | undefined;
  rows(table: string): Iterable<readonly [pk: string, value: EntityValue | undefined]>;
}

/**
 * Among rows that no denormalized value reaches, finds those that lazy relations of stored rows refer to, and the
 * rows that those reach.
 *
 * @param unreachable - the nodes of these rows
 * @param owners - the entities that have lazy relations
 */
export type LazyReach = (
  unreachable: Iterable<Reachable>,
  owners: Iterable<EntityClass>,
  stored: StoredTables,
) => ReadonlySet<Reachable>;

/** A processed entity: a plain object that may be changed. */
export interface Identified {
  readonly pk: string;
  readonly value: Record<string, unknown>;
}

/** The API that `normalize` offers to a schema. */
export interface NormalizeVisitor {
  readonly args: readonly unknown[];
  /**
   * The field, the key of a map or the index in a list at which the value was found; undefined for a whole response.
   */
  readonly step: string | number | undefined;
  /** Whether the value is inside of an entity, rather than in an object that only wraps the response. */
  readonly isInEntity: boolean;
  visit(schema: Schema, input: unknown, parent: unknown, key: string | undefined): unknown;
  /** `visit` for a member of a map or list, which gets the map's own parent and field; `step` names it in errors. */
  member(
    schema: Schema,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    step: string | number,
  ): unknown;
  /**
   * Processes an entity's value and determines its pk.
   *
   * @throws HoldfastError `HF_PROCESS`, `HF_PK_MISSING`
   */
  identify(entity: EntityClass, input: object, parent: unknown, key: string | undefined): Identified;
  /** Adds a processed entity to the result. */
  put(entity: EntityClass, pk: string, value: object): void;
  /** Marks an entity as deleted. */
  remove(entity: EntityClass, pk: string): void;
  /** Schedules a change of stored collections for when the response is written. */
  update(change: CollectionUpdate): void;
  /** Throws the error for a value that does not have the schema's shape. */
  mismatch(expected: string, input: unknown): never;
}

/** The row of an entity as plain data; `undefined` if there is none or it was deleted. */
export type Stored = (entity: EntityClass, pk: string) => EntityValue | undefined;

/** A change of stored collections that a response brings. */
export interface CollectionUpdate {
  /** The class of their rows. */
  readonly rows: EntityClass;
  /** The one collection to change, which is created if there is none. Absent: every stored one. */
  readonly pk?: string;
  /**
   * Called before the entities of the response are written; the function that it returns is called after that.
   *
   * @param former - the row that the mutation names, as it was when the mutation was called. Another response may have
   * brought the change before its own
   */
  prepare(stored: Stored, former?: EntityValue): MembersChange | (() => readonly MembersChange[]);
}

/**
 * Returns the new members of a stored collection, a list or a map of references; the same object to leave it
 * unchanged.
 */
export type ChangeMembers = (members: unknown) => unknown;

/**
 * A change of the members of stored collections. It needs no knowledge of their present members, so the changes of many
 * responses are applied together when the list is next read, and also to lists that are only on disk. Other tabs apply
 * those that are plain data to their own lists.
 */
export interface MembersChange {
  /** The references that are added or removed; for `'assign'` a map of references alone. If empty, nothing changes. */
  readonly items: readonly unknown[];
  /** `'push'` and `'unshift'` add items that the list lacks. A function returns the new members. */
  readonly how: 'push' | 'unshift' | 'remove' | 'assign' | ChangeMembers;
  /** The collections that are changed: as data, unless the app decides with a function of its own. */
  readonly where: Membership | ((list: CollectionArgs) => boolean);
  /** Those of them that are left unchanged. */
  readonly except?: MembersChange['where'];
}

/** The API that `denormalize` offers to a schema. */
export interface DenormalizeVisitor {
  readonly args: readonly unknown[];
  /** A description of the value being denormalized, for errors. */
  readonly label?: string | undefined;
  visit(schema: Schema, input: unknown): unknown;
  /** The denormalized entity, identical for every reader; `MISSING` if absent, deleted, invalid, or incomplete. */
  entity(entity: EntityClass, pk: string): object | Missing;
  /** The stored row itself, without denormalization; the node being filled then depends on it. */
  row(entity: EntityClass, pk: string): EntityValue | undefined;
  /** Denormalizes a list, leaving out members that are missing. */
  list(member: Schema, items: readonly unknown[]): readonly unknown[];
  /** The pks of all rows in an entity's table, except deleted ones. */
  rows(entity: EntityClass): readonly string[];
  /** Reports that the value contains an entity's own data in place of its pk. */
  reportInline?(): void;
  /**
   * The observer of whole tables' rows for this graph; the function creates it on first use. Only one kind may be
   * requested.
   */
  observer<O extends RowObserver>(make: (source: RowSource) => O): O;
  /** Makes the node being filled depend on a part of the observer, which reads rows of these tables. */
  part(part: object, tables: Iterable<string>): void;
  /** The node being filled. */
  readonly current: GraphNode | undefined;
  /**
   * The deferred pass of this denormalization; the function creates it on first use. Only one kind may be requested.
   */
  deferredPass<A extends DeferredPass>(make: () => A): A;
}

/** A row that contains entities, and a class that declares them. */
export interface InlineRow {
  readonly entity: EntityClass;
  readonly pk: string;
  /** Its fields. */
  readonly row: EntityValue | undefined;
}

/** The stored rows as the graph reads them, and the clock. */
export interface RowSource {
  /** The fields of a stored row, with the pks that related entities have now. */
  row(entity: EntityClass, pk: string): EntityValue | undefined;
  hasTable(table: string): boolean;
  /** Calls `visit` with every row of a table; the value of a deleted one is undefined. */
  each(table: string, visit: (pk: string, value: EntityValue | undefined) => void): void;
  /** Reports a row that contains entities in place of their pks: it was stored before their relation was known. */
  reportInline(found: InlineRow): void;
  /** The pk that a row was renamed to; undefined where it was not. */
  movedTo(table: string, pk: string): string | undefined;
  /** The time in ms since the epoch. */
  readonly now: () => number;
  /** How long unused data is kept, in ms. */
  readonly gcTime: number;
}

/** Observes the rows of whole tables, change by change, and determines which of its parts change. */
export interface RowObserver {
  /** Whether it depends on a table. */
  follows(table: string): boolean;
  /** Whether a current query needs the rows of a table to stay in memory. */
  holds(table: string): boolean;
  /** Called for each changed row, after the whole change is stored. Returns the parts whose values changed. */
  changed(
    table: string,
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
  ): Iterable<object>;
  /** Called when a rename has come: references to the former pk may mean another row. Returns what `changed` does. */
  renamed(table: string, from: string): Iterable<object>;
  /** Called when nothing depends on a part any longer. */
  released(part: object): void;
  /**
   * The rows that queries show by its parts, at most `limit`, without those that they refer to.
   *
   * @param queries - the nodes of queries
   */
  rows(queries: Iterable<QueriedNode>, limit: number): (readonly [table: string, pk: string])[];
  /** How a part is found, for tools; undefined for anything else. */
  report(part: unknown): QueryPart | undefined;
  /** Its indexes, for tools. */
  readonly indexes: readonly QueryIndex[];
}

/** A node of the graph that a query depends on, or that of the query. */
export interface QueriedNode {
  readonly value: unknown;
  readonly deps: readonly QueriedNode[];
  /** The class and the pk of a row's node. */
  readonly entity?: EntityClass;
  readonly pk?: string;
}

/** The rows of one table that a live query reads. */
export interface QueryPart {
  readonly index: QueryIndex;
  /** How many rows meet its condition, also outside of its limit. */
  readonly rows: number;
  /** Whether it has a condition that the hashed fields of the index do not answer. */
  readonly isTested: boolean;
  /** The field of which it asks for a range. */
  readonly range: string | undefined;
}

/** An index of live queries, which share it. */
export interface QueryIndex {
  readonly entity: EntityClass;
  /** The fields that it hashes. */
  readonly fields: readonly string[];
  /** The fields of which it has a sorted list. */
  readonly ranges: readonly string[];
  /** Its `id` is the order as JSON: a list of paths and directions. */
  readonly ordering: { readonly id: string };
  /** How many mounted queries use it. Without one, it is kept for `gcTime`. */
  readonly queries: number;
  /** Its groups of rows with equal values, how many of those are read, and the rows in all of them. */
  readonly cost: { readonly buckets: number; readonly openBuckets: number; readonly entries: number };
}

/** One node of the graph of denormalized values. */
export interface GraphNode {
  readonly value: unknown;
  /** `'computing'` while the denormalization that it is part of runs. */
  readonly phase: 'dirty' | 'failed' | 'computing' | 'clean';
  /** The nodes that it depends on. */
  readonly deps: readonly GraphNode[];
  /** The args of the read; undefined for a node that readers with different args share. */
  readonly args?: readonly unknown[];
}

/** A pass that runs at the end of a denormalization. */
export interface DeferredPass<Thing extends GraphNode = GraphNode> {
  /** Called when the next node is about to be filled. */
  startNode(): void;
  /** Called when all other nodes are complete. Returns the nodes to fill again, in this order. */
  finish(): readonly Thing[];
}

/** The API for look-ups without a response. */
export interface QueryVisitor extends Lookup {
  visit(schema: Schema, args: readonly unknown[]): unknown;
}

/** What `queryKey` can look up in the stored rows. */
export interface Lookup {
  /**
   * The pk of a row whose field has this value, by an index; `undefined` if there is none. Of several, the smallest as
   * text.
   *
   * @param args - none of which another field of the row may contradict
   */
  find(entity: EntityClass, field: string, value: unknown, args?: object): string | undefined;
  /**
   * Whether this entity has rows, so that all of them can be read. Always false in an endpoint's read, where only a
   * response says which rows exist.
   */
  hasTable(entity: EntityClass): boolean;
  /** `hasTable` for schemas that observe the rows themselves, so that the read does not depend on which rows exist. */
  scans?(entity: EntityClass): boolean;
}

/** The API for listing references. */
export interface ReferenceVisitor {
  visit(schema: Schema, input: unknown): void;
  found(entity: EntityClass, pk: string): void;
}

/** The type that reading a schema gives. */
export type Denormalize<S> = S extends { readonly prototype: infer T; readonly fromJS: unknown }
  ? T
  : S extends { readonly output?: infer Output; normalize: unknown; denormalize: unknown }
    ? Output
    : S extends DateConstructor
      ? Date
      : S extends (...args: never[]) => infer R
        ? R
        : S extends readonly (infer Member)[]
          ? Denormalize<Member>[]
          : S extends string
            ? string
            : S extends number
              ? number
              : S extends boolean
                ? boolean
                : S extends null | undefined
                  ? S
                  : S extends object
                    ? { [K in keyof S]: Denormalize<S[K]> }
                    : unknown;
