import type { CollectionArgs, Membership } from './collectionArgs.ts';
import type { EntityValue, Invalidity, Meta } from './Meta.ts';
import type { Missing } from './missing.ts';

/**
 * The shape of a value: an entity class, a list `[schema]`, a plain object of schemas, a converter such as `Date`,
 * or a schema object such as `new Delete(Article)`. Members of a plain object that are a string, number, boolean or
 * null pass through and only document the type.
 */
export type Schema = EntityClass | SchemaObject | Converter | readonly Schema[] | ObjectSchema | Passthrough;

/**
 * The static side of an entity: what schema code needs of a class, whether it extends `Entity` or was made one by
 * a mixin.
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
  /** For the rows of a collection: the entities whose keys its key is made of. */
  readonly namedAfter?: readonly EntityClass[];
  /** Fields by whose values rows are found. */
  readonly indexes?: readonly string[];
  queryKey(args: readonly unknown[], visitor?: Lookup): string | undefined;
  /** For the rows of a `Scalar`: what selects the part of a row that a reader gets. */
  readonly lens?: Lens;
  /** For those too: whether two versions of a row read the same with these args. */
  readsAlike?(before: EntityValue, after: EntityValue, args: readonly unknown[]): boolean;
}

/** Tells the value, such as a currency, that the args of an endpoint select; undefined where they select none. */
export type Lens = (args: readonly unknown[]) => string | number | null | undefined;

/** A plain object of schemas. */
export interface ObjectSchema {
  readonly [field: string]: Schema;
}

/** A default that stands for its type: `''` is a string, `0` a number. */
export type Passthrough = string | number | boolean | null | undefined;

/** Turns a stored value into what the reader gets: `Date`, `BigNumber`, `Temporal.Instant.from`. Runs when joined. */
export type Converter = (DateConstructor | ((value: never) => unknown)) & {
  /** An endpoint is a function too, but no schema. */
  readonly testKey?: never;
};

/**
 * The contract of schema objects. Every method is pure: it sees the store only through its visitor.
 *
 * `Output` is the type of the joined value and exists only for inference.
 */
export interface SchemaObject<Output = unknown> {
  /** Never set: carries `Output` for inference. */
  readonly output?: Output;
  /** Replaces nested entities by their pks and hands them to the visitor. Must not change `input`. */
  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown;
  /** The reverse: joins a normalized value. `MISSING` when a required part is not there. */
  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown;
  /** The normalized value that these args ask for, without any response; `undefined` when it cannot be told. */
  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown;
  /** Calls `found` for each row that a normalized value names directly. */
  references(input: unknown, visitor: ReferenceVisitor): void;
  /** What normalized values look like, as plain data that differs from that of other shapes. */
  shape(describe: (schema: Schema) => unknown): unknown;
  /** The entities that one value may be, where it is always one of some: that of the given one, if it tells. */
  entities?(value?: unknown): readonly EntityClass[];
  /**
   * As the schema of an entity's field, in place of `normalize`, also where the field is absent: stores its value
   * elsewhere and returns what stands in the row.
   */
  normalizeField?(
    value: unknown,
    field: string,
    entity: EntityClass,
    pk: string,
    visitor: NormalizeVisitor,
  ): unknown;
  /** What selects the value that a reader gets, where it depends on the args. */
  readonly lens?: Lens;
  /** Where what it names is not joined into what holds it: finds what is needed all the same. */
  readonly lazyReach?: LazyReach;
}

/** The node of a row in the graph of what is joined, or any other, and those that it was joined from. */
export interface Reachable {
  readonly entity?: EntityClass;
  readonly pk?: string;
  readonly deps: readonly Reachable[];
}

/** What is stored, by table. */
export interface StoredTables {
  row(table: string, pk: string): EntityValue | undefined;
  rows(table: string): Iterable<readonly [pk: string, value: EntityValue | undefined]>;
}

/**
 * Finds, among rows that nothing joined reaches, those that lazy relations of stored rows name, and what those reach.
 *
 * @param unreached - the nodes of these rows
 * @param owners - the entities that have lazy relations
 */
export type LazyReach = (
  unreached: Iterable<Reachable>,
  owners: Iterable<EntityClass>,
  stored: StoredTables,
) => ReadonlySet<Reachable>;

/** A processed entity: a plain object that may be changed. */
export interface Identified {
  readonly pk: string;
  readonly value: Record<string, unknown>;
}

/** What `normalize` offers a schema. */
export interface NormalizeVisitor {
  readonly args: readonly unknown[];
  /** The field, key of a map or index in a list at which the value was found; undefined for a whole response. */
  readonly step: string | number | undefined;
  visit(schema: Schema, input: unknown, parent: unknown, key: string | undefined): unknown;
  /** `visit` for a member of a map or list, which sees the map's own parent and field; `step` names it in errors. */
  member(
    schema: Schema,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    step: string | number,
  ): unknown;
  /**
   * Processes an entity's value and finds its pk.
   *
   * @throws HoldfastError `HF_PROCESS`, `HF_PK_MISSING`
   */
  identify(entity: EntityClass, input: object, parent: unknown, key: string | undefined): Identified;
  /** Hoists a processed entity out of the response. */
  put(entity: EntityClass, pk: string, value: object): void;
  /** Marks an entity as deleted. */
  remove(entity: EntityClass, pk: string): void;
  /** Has stored collections changed when the response is written. */
  update(change: CollectionUpdate): void;
  /** Throws the coded error for a value that is not of the schema's shape. */
  mismatch(expected: string, input: unknown): never;
}

/** The row of an entity as plain data; `undefined` when there is none, or it was deleted. */
export type Stored = (entity: EntityClass, pk: string) => EntityValue | undefined;

/** A change of stored collections that a response brings. */
export interface CollectionUpdate {
  /** The class of their rows. */
  readonly rows: EntityClass;
  /** The one collection to change, which is made where there is none. Absent: every one that is stored. */
  readonly pk?: string;
  /** Called before the entities of the response are written; what it returns is done after that. */
  begin(stored: Stored): ChangeMembers | Addition;
}

/** Makes the new members of a stored collection, a list or a map of references; the same ones to leave it alone. */
export type ChangeMembers = (collectionPk: string, members: unknown) => unknown;

/**
 * References that are added to stored lists, none twice. Nothing has to be known of a list to add to it, so the
 * additions of many responses are made in one pass, once somebody looks at the list, and other tabs make them to the
 * lists that they have.
 */
export interface Addition {
  readonly added: readonly unknown[];
  readonly end: 'first' | 'last';
  /** The lists that they belong in: as data, unless the app has a function of its own for it. */
  readonly where: Membership | ((list: CollectionArgs) => boolean);
}

/** What a join offers a schema. */
export interface DenormalizeVisitor {
  readonly args: readonly unknown[];
  /** What is being joined, for errors. */
  readonly place?: string | undefined;
  visit(schema: Schema, input: unknown): unknown;
  /** The joined entity, identical for every reader; `MISSING` when absent, deleted, invalid, or incomplete. */
  entity(entity: EntityClass, pk: string): object | Missing;
  /** The stored row itself, without a join; what is joined depends on it. */
  row(entity: EntityClass, pk: string): EntityValue | undefined;
  /** Joins a list, leaving out members that are missing. */
  list(member: Schema, items: readonly unknown[]): readonly unknown[];
  /** The pks of every row of an entity's table, deleted ones left out. */
  rows(entity: EntityClass): readonly string[];
  /** Notes that what is joined holds an entity's own data where its pk should stand. */
  foundInline?(): void;
  /** What is being filled by the join. */
  readonly current: Joined | undefined;
  /** What comes last in this join, made where there is nothing yet. Only one kind of it may be asked for. */
  afterwards<A extends Afterwards>(make: () => A): A;
}

/** One thing that is joined. */
export interface Joined {
  readonly value: unknown;
  /** `'begun'` while the join that it is part of is under way. */
  readonly phase: 'dirty' | 'begun' | 'clean';
  /** What it was joined from. */
  readonly deps: readonly Joined[];
  /** The args of the read; none where readers with different ones share it. */
  readonly args: readonly unknown[];
}

/** What comes last in a join. */
export interface Afterwards<Thing extends Joined = Joined> {
  /** Something else begins to be filled. */
  filling(): void;
  /** All else is complete. Gives what is to be filled again, in this order. */
  begin(): readonly Thing[];
}

/** What a look-up without a response offers a schema. */
export interface QueryVisitor extends Lookup {
  visit(schema: Schema, args: readonly unknown[]): unknown;
}

/** What can be found out about the stored rows. */
export interface Lookup {
  /** The pk of a row whose field has this value, by an index; `undefined` when there is none. */
  find(entity: EntityClass, field: string, value: unknown): string | undefined;
  /**
   * Whether there are rows of this entity, so that all of them can be read. Never in an endpoint's read, where only
   * a response tells that they are all.
   */
  hasTable(entity: EntityClass): boolean;
}

/** What listing references offers a schema. */
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
