import { ArraySchema } from './ArraySchema.ts';
import { checkList } from './checkList.ts';
import {
  belongsIn,
  collectionArgs,
  collectionPk,
  givenTexts,
  isExempt,
  pathOf,
  withoutPath,
  type CollectionArgs,
  type ExemptArgs,
  type Membership,
} from './collectionArgs.ts';
import { CollectionChange, namedRow } from './CollectionChange.ts';
import { collectionRow, isMap, type CollectionMembers } from './CollectionRow.ts';
import { entitiesOf } from './entitiesOf.ts';
import { isPagingWord } from './nonFilterArguments.ts';
import { asList, without, withAdded, withAssigned } from './members.ts';
import { MISSING } from './missing.ts';
import type {
  Addition,
  ChangeMembers,
  CollectionUpdate,
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
  Stored,
} from './Schema.ts';

/** Some args of an endpoint: parameters, or a body. */
type Params = Readonly<Record<string, unknown>>;

/** Tells of which stored collections something is a member, by their args. */
export type CollectionFilter = (collection: CollectionArgs) => boolean;

/** How collections of one kind are told apart, and which of them a new member belongs in. */
export interface CollectionOptions {
  /**
   * The args that identify it, made of those of the endpoint. With it or `nestKey`, endpoints with different paths share
   * their lists. Default: the members of the first arg, with the path of the endpoint.
   */
  argsKey?(params: Params, ...rest: readonly unknown[]): object;
  /** The args that identify one that is nested in an entity, made of that entity and the field it is in. */
  nestKey?(parent: Params, key: string): object;
  /**
   * Which args do not decide membership, besides those that order, limit or page (`sort`, `limit`, `page: 1`): names,
   * a pattern, or a function that decides for all.
   */
  readonly nonFilterArgumentKeys?: ExemptArgs;
  /**
   * Which stored collections a member belongs in that is added by an endpoint with these args. Default: those of
   * whose args each that filters is a member of the endpoint's first or second.
   */
  createCollectionFilter?(params: Params, ...rest: readonly unknown[]): CollectionFilter;
}

/** What a collection may be made of. */
export type CollectionSchema = readonly Schema[] | CollectionMembers;

/** The schema of one member. */
export type MemberOf<S> = S extends readonly (infer Member)[]
  ? Member
  : S extends { readonly schema: infer Member }
    ? Member
    : never;

/** Adds to members: makes the new ones, a list or map, of the present and the added ones, all by reference. */
export type MergeMembers = (members: never, added: never) => unknown;

/**
 * Puts what is added at the beginning of a list, for `moveWith` and `addWith`.
 *
 * @example
 * class Inbox<S extends CollectionSchema> extends Collection<S> {
 *   constructor(schema: S, options?: CollectionOptions) {
 *     super(schema, options);
 *     this.move = this.moveWith(unshift);
 *   }
 * }
 */
export function unshift(members: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  return withAdded(members, [{ added, end: 'first' }]);
}

/**
 * A list or map that grows: what `push`, `unshift`, `assign`, `remove` and `move` change without a fetch. Everyone who
 * reads it with the same args reads the identical one, whatever endpoint or entity it is reached through.
 *
 * It belongs to the first endpoint that it is given to, and with `argsKey` or `nestKey` to none.
 *
 * @example
 * const filter: { user?: string } = {};
 * const getTasks = new RestEndpoint({
 *   path: '/tasks',
 *   schema: new Collection([Task]),
 *   searchParams: filter,
 * });
 * await controller.fetch(getTasks.push, { user: 'ann' }, { text: 'Rest' });
 * // Now also in getTasks() and getTasks({ user: 'ann' }), where these were read.
 */
export class Collection<S extends CollectionSchema> implements SchemaObject<Denormalize<S>> {
  declare readonly output?: Denormalize<S>;
  /** The list or map that it is. */
  readonly schema: CollectionMembers;
  /** The class of the rows it is stored in. */
  readonly row: EntityClass;
  /** As the option, for subclasses. */
  argsKey?(params: Params, ...rest: readonly unknown[]): object;
  /** As the option, for subclasses. */
  nestKey?(parent: Params, key: string): object;
  readonly #options: CollectionOptions;
  #owner: ListOwner | undefined;
  #fields: readonly string[] | undefined;

  /**
   * @param schema - `[Entity]`, an `ArraySchema` or `Values`
   * @param options - how collections are told apart
   */
  constructor(schema: S, options: CollectionOptions = {}) {
    const members: CollectionSchema = schema;
    if (process.env.NODE_ENV !== 'production' && Array.isArray(members))
      checkList(members, 'the members of a Collection');
    this.schema =
      // Array.isArray does not narrow a readonly list away.
      Array.isArray(members) ? new ArraySchema(members[0] as Schema) : (members as CollectionMembers);
    this.row = collectionRow(this.schema);
    this.#options = options;
  }

  /** The path whose lists it is; undefined where args alone identify them. */
  get path(): string | undefined {
    return this.#isKeyed ? undefined : this.#owner?.();
  }

  /** Makes it the collection of an endpoint, unless it is that of another already. */
  belongTo(owner: ListOwner): void {
    this.#owner ??= owner;
  }

  /** A copy that belongs to another endpoint; itself where it belongs to none. */
  at(owner: ListOwner): this {
    if (this.#isKeyed) return this;
    // Made by the constructor of this class alone: that of a subclass may take other parameters.
    const copy = Reflect.construct(Collection, [this.schema, this.#options], this.constructor) as this; // of its class
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(this))) {
      const value: unknown = property.value;
      Object.defineProperty(
        copy,
        name,
        value instanceof CollectionChange ? { ...property, value: value.of(copy) } : property,
      );
    }
    copy.#owner = owner;
    return copy;
  }

  /** Adds what arrives, one or more, at the end of the lists they belong in. Those that are there stay in place. */
  get push(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingAt('last');
  }

  set push(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'push', change);
  }

  /** Adds what arrives, one or more, at the beginning. */
  get unshift(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingAt('first');
  }

  set unshift(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'unshift', change);
  }

  /** Adds what arrives, a map, to the maps it belongs in, in place of what stands at the same keys. */
  get assign(): CollectionChange<Denormalize<S>> {
    return this.#addingWith(withAssigned);
  }

  set assign(change: CollectionChange<Denormalize<S>>) {
    override(this, 'assign', change);
  }

  /** Takes what arrives, one or more, out of the collections that the args name, and stores what it says of them. */
  get remove(): CollectionChange<Denormalize<MemberOf<S>>> {
    return new CollectionChange(this, false, (collection: this, args, given) => {
      const isMeant = collection.#filter(args);
      return (pk, members) => (isMeant(collectionArgs(pk)) ? without(members, asList(given)) : members);
    });
  }

  set remove(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'remove', change);
  }

  /**
   * Takes what arrives, one or more, out of the collections that it belonged in as it was stored before, and adds it
   * to those that it belongs in now: to lists at the end.
   */
  get move(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#moving(isMap(this.schema) ? withAssigned : pushed);
  }

  set move(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'move', change);
  }

  /**
   * Adds in a way of your own.
   *
   * @param merge - makes the new members, a list or a map, of the present and the added ones: all by reference
   * @param createCollectionFilter - which collections it adds to. Default: as the collection says
   */
  addWith(
    merge: MergeMembers,
    createCollectionFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingWith(merge as Merge, createCollectionFilter); // given a list or map, as this collection is
  }

  /**
   * Moves as `move` does, and adds in a way of your own.
   *
   * @param merge - makes the new members, a list or a map, of the present and the moved ones: all by reference. Not
   * called for collections that they are in already
   */
  moveWith(merge: MergeMembers): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#moving(merge as Merge); // given a list or map, as this collection is
  }

  /** Adds references that an endpoint's own schema has normalized: what `push` does without being the schema. */
  addition(given: readonly unknown[], args: readonly unknown[]): CollectionUpdate {
    return this.push.addition(given, args);
  }

  /** Whether an arg does not decide membership. A subclass may decide otherwise. */
  nonFilterArgumentKeys(name: string, value = ''): boolean {
    return isExempt(name, value, this.#options.nonFilterArgumentKeys, this.#pagingFields);
  }

  /** Which stored collections a member belongs in that is added with these args. A subclass may decide otherwise. */
  createCollectionFilter(params: Params, ...rest: readonly unknown[]): CollectionFilter {
    const own = this.#options.createCollectionFilter?.(params, ...rest);
    if (own !== undefined) return own;
    const where = { ...this.#membership([params, ...rest], undefined), exempt: this.#exempt };
    return (collection) => belongsIn(collection, where);
  }

  /** The pk of the collection that some args ask for. */
  pk(parent: unknown, key: string | undefined, args: readonly unknown[]): string {
    const [own, nested] = [this.#having('argsKey'), this.#having('nestKey')];
    if (nested?.nestKey !== undefined && (key !== undefined || own === undefined))
      return collectionPk(nested.nestKey(asParams(parent), key ?? ''));
    const [first, ...rest] = args;
    if (own?.argsKey !== undefined) return collectionPk(own.argsKey(asParams(first), ...rest));
    const params = first === undefined || typeof first === 'object' ? asParams(first) : { 0: first };
    return collectionPk(params, this.path);
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    // In a field, what looks like a pk stands for a collection that is stored, as in a row that a recipe changes.
    if (typeof input === 'string' && key !== undefined && input.startsWith('{')) return input;
    const members = visitor.visit(this.schema, input, parent, key);
    const pk = this.pk(parent, key, visitor.args);
    visitor.put(this.row, pk, { members });
    return pk;
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (typeof input === 'string') return visitor.entity(this.row, input);
    visitor.foundInline?.();
    return MISSING;
  }

  queryKey(args: readonly unknown[]): string | undefined {
    const isNested = this.#having('nestKey') !== undefined && this.#having('argsKey') === undefined;
    return isNested ? undefined : this.pk(undefined, undefined, args);
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (typeof input === 'string') visitor.found(this.row, input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return { collection: describe(this.schema) ?? null };
  }

  /** The subclass or the options, whichever has this function. */
  #having(name: 'argsKey' | 'nestKey'): CollectionOptions | undefined {
    return [this, this.#options].find((one) => one[name] !== undefined);
  }

  /** Whether a function identifies it, so that it belongs to no endpoint. */
  get #isKeyed(): boolean {
    return this.#having('argsKey') !== undefined || this.#having('nestKey') !== undefined;
  }

  #addingAt<Output>(end: Addition['end']): CollectionChange<Output> {
    const isOfMap = isMap(this.schema);
    return new CollectionChange<Output>(this, isOfMap, (collection: this, args, given) => ({
      added: isOfMap ? [] : asList(given),
      end,
      where: collection.#where(args),
    }));
  }

  #addingWith<Output>(
    merge: Merge,
    createFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Output> {
    return new CollectionChange<Output>(this, isMap(this.schema), (collection: this, args, given) => {
      const isMeant = collection.#filter(args, createFilter);
      return (pk, members) => (isMeant(collectionArgs(pk)) ? merge(members, given) : members);
    });
  }

  #moving<Output>(merge: Merge): CollectionChange<Output> {
    return new CollectionChange<Output>(this, false, (collection: this, args, given, stored) => {
      const moves = asList(given).map((reference) => collection.#move(reference, args, stored, merge));
      return (pk, members) => moves.reduce((present, move) => move(pk, present), members);
    });
  }

  #move(reference: unknown, args: readonly unknown[], stored: Stored, merge: Merge): ChangeMembers {
    const row = namedRow(this.schema.schema, reference);
    const read = (): object => (row === undefined ? {} : (stored(row.entity, row.pk) ?? {}));
    const before = { ...asParams(args[0]), ...read() };
    const left = this.#filter([before]);
    let entered: CollectionFilter | undefined;
    return (pk, members) => {
      // Read when the response is written: what is stored now has its values.
      entered ??= this.#filter([
        { ...before, ...asParams(args.length > 1 ? args.at(-1) : undefined), ...read() },
      ]);
      const collection = collectionArgs(pk);
      if (!entered(collection)) return left(collection) ? without(members, [reference]) : members;
      if (without(members, [reference]) !== members) return members;
      return isMap(this.schema)
        ? merge(members, { [row?.pk ?? '']: reference })
        : merge(asList(members), [reference]);
    };
  }

  /** The lists that something belongs in, as plain data where no function decides. */
  #where(args: readonly unknown[]): Addition['where'] {
    const exempt = this.#exempt;
    const isOwn =
      this.createCollectionFilter !== Collection.prototype.createCollectionFilter ||
      this.#options.createCollectionFilter !== undefined;
    if (isOwn || typeof exempt === 'function') return this.#filter(args);
    return { ...this.#membership(args, this.path), exempt };
  }

  #filter(
    args: readonly unknown[],
    create: CollectionOptions['createCollectionFilter'] = (...all) => this.createCollectionFilter(...all),
  ): CollectionFilter {
    const isIn = create(asParams(args[0]), ...args.slice(1));
    const { path } = this;
    return (list) => {
      const own = pathOf(list);
      // One that is identified by args alone, such as a nested one, takes up what fits them; without any, nothing does.
      const isMeant = own === path || (own === undefined && Object.keys(list).length > 0);
      return isMeant && isIn(withoutPath(list));
    };
  }

  #membership(args: readonly unknown[], path: string | undefined): Omit<Membership, 'exempt'> {
    return { path, args: args.slice(0, 2).map(givenTexts), fields: this.#pagingFields };
  }

  /** What a subclass says of args, or the options do. */
  get #exempt(): ExemptArgs {
    // Without types, a subclass may have it as a field, like the option.
    const own: unknown = Reflect.get(this, 'nonFilterArgumentKeys');
    if (own === Collection.prototype.nonFilterArgumentKeys) return this.#options.nonFilterArgumentKeys;
    if (typeof own !== 'function') return own as ExemptArgs; // of the option's type, then
    return (name, value) => this.nonFilterArgumentKeys(name, value);
  }

  /** The fields of the members that are named like args for paging. */
  get #pagingFields(): readonly string[] {
    return (this.#fields ??= entitiesOf(this.schema.schema)
      .flatMap(({ defaults }) => Object.keys(defaults))
      .filter(isPagingWord));
  }
}

/** The path of the endpoint whose lists a collection holds. Asked each time, since it may change: an app switches servers. */
export type ListOwner = () => string | undefined;

type Merge = (members: unknown, added: unknown) => unknown;

function pushed(members: unknown, added: unknown): readonly unknown[] {
  return withAdded(members, [{ added: asList(added), end: 'last' }]);
}

function override(collection: object, name: string, value: object): void {
  Object.defineProperty(collection, name, { value, writable: true, configurable: true });
}

function asParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {}; // an object is read by name
}
