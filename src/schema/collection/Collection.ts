import { ArraySchema } from '../ArraySchema.ts';
import { checkReturned, isFields } from '../checkReturned.ts';
import { checkDefined, checkList } from '../checkSchema.ts';
import {
  belongsIn,
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
import { CollectionPage, type RemoveCursor } from './CollectionPage.ts';
import { collectionRow, isMap, type CollectionMembers } from './CollectionRow.ts';
import { entitiesOf } from '../entitiesOf.ts';
import { isPagingWord } from './nonFilterArguments.ts';
import { isPlain } from '../../util/isPlain.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { asList, without, withAdded, withAssigned } from './members.ts';
import { MISSING } from '../missing.ts';
import type { EntityValue } from '../Meta.ts';
import type {
  ChangeMembers,
  CollectionUpdate,
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  MembersChange,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
  Stored,
} from '../Schema.ts';

/** The args of an endpoint: parameters or a body. */
type Params = Readonly<Record<string, unknown>>;

/** Decides from their args which stored collections a value belongs to. */
export type CollectionFilter = (collection: CollectionArgs) => boolean;

/** How collections of one kind are identified, and which of them a new member belongs to. */
export interface CollectionOptions {
  /**
   * Returns the args that identify a collection, given the args of the endpoint. With this or `nestKey`, endpoints
   * with different paths share their lists. Default: the members of the first arg, of a search by POST also those of
   * the body, plus the path of the endpoint.
   */
  argsKey?(params: Params, ...rest: readonly unknown[]): object;
  /** Returns the args that identify a nested collection, given the entity and the field that hold it. */
  nestKey?(parent: Params, key: string): object;
  /**
   * Which args do not decide membership, in addition to those that sort, limit or paginate (`sort`, `limit`, `page:
   * 1`): names, a pattern, or a function that decides for all args.
   */
  readonly nonFilterArgumentKeys?: ExemptArgs;
  /**
   * Which stored collections a member belongs to when an endpoint with these args adds it. Default: those whose
   * filter args all appear in the endpoint's first or second arg.
   */
  createCollectionFilter?(params: Params, ...rest: readonly unknown[]): CollectionFilter;
}

/** What a collection may contain. */
export type CollectionSchema = readonly Schema[] | CollectionMembers;

/** The schema of one member. */
export type MemberOf<S> = S extends readonly (infer Member)[]
  ? Member
  : S extends { readonly schema: infer Member }
    ? Member
    : never;

/** Combines the members: returns the new list or map, given the present and the added members, all as references. */
export type MergeMembers = (members: never, added: never) => unknown;

/**
 * Adds to the beginning of a list, for `moveWith` and `addWith`.
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
  return withAdded(members, [{ items: added, how: 'unshift' }]);
}

/**
 * A list or map that can be changed without a fetch, by `push`, `unshift`, `assign`, `remove` and `move`. All readers
 * with the same args get the identical object, whatever endpoint or entity they read it through.
 *
 * It belongs to the first endpoint that uses it; with `argsKey` or `nestKey` it belongs to none.
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
  /** The schema of the list or map. */
  readonly schema: CollectionMembers;
  /** The class of the rows it is stored in. */
  readonly row: EntityClass;
  /** Like the option of this name, for subclasses. */
  argsKey?(params: Params, ...rest: readonly unknown[]): object;
  /** Like the option of this name, for subclasses. */
  nestKey?(parent: Params, key: string): object;
  readonly #options: CollectionOptions;
  #owner: ListOwner | undefined;
  /** The fields of the members that have the name of a pagination arg. */
  #fields: readonly string[] | undefined;

  /**
   * @param schema - `[Entity]`, an `ArraySchema` or `Values`
   * @param options - how collections are identified
   */
  constructor(schema: S, options: CollectionOptions = {}) {
    const members: CollectionSchema = schema;
    if (process.env.NODE_ENV !== 'production') {
      checkDefined(members, 'The schema of new Collection()');
      if (Array.isArray(members)) checkList(members, 'the members of a Collection');
    }
    this.schema =
      // Array.isArray does not exclude a readonly list from the type.
      Array.isArray(members) ? new ArraySchema(members[0] as Schema) : (members as CollectionMembers);
    this.row = collectionRow(this.schema);
    this.#options = options;
  }

  /** The path that its lists belong to; undefined where args alone identify them. */
  get path(): string | undefined {
    return this.#isKeyed ? undefined : this.#owner?.path;
  }

  /** Assigns it to an endpoint, unless it belongs to another one already. */
  belongTo(owner: ListOwner): void {
    this.#owner ??= owner;
  }

  /** A copy that belongs to another endpoint; the collection itself where it belongs to none. */
  at(owner: ListOwner): this {
    if (this.#isKeyed) return this;
    // Uses the constructor of this class only: a subclass may take other parameters.
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

  /** Appends the response, one or more members, to the lists that they belong to. Present members keep their places. */
  get push(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#changing('push');
  }

  set push(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'push', change);
  }

  /** Prepends the response, one or more members. */
  get unshift(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#changing('unshift');
  }

  set unshift(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'unshift', change);
  }

  /** Merges the response, a map, into the maps that it belongs to. It replaces the values at the same keys. */
  get assign(): CollectionChange<Denormalize<S>> {
    return this.#changing('assign');
  }

  set assign(change: CollectionChange<Denormalize<S>>) {
    override(this, 'assign', change);
  }

  /** Removes the members of the response from the collections that the args name, and stores their data. */
  get remove(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#changing('remove');
  }

  set remove(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'remove', change);
  }

  /**
   * Removes the members of the response from the collections that they belonged to before, and adds them to those
   * that they belong to now: at the end of lists.
   */
  get move(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#moving(isMap(this.schema) ? withAssigned : 'push');
  }

  set move(change: CollectionChange<Denormalize<MemberOf<S>>>) {
    override(this, 'move', change);
  }

  /**
   * Adds with a merge function of your own.
   *
   * @param merge - returns the new members, a list or a map, given the present and the added ones: all as references
   * @param createCollectionFilter - which collections to add to. Default: that of the collection
   */
  addWith(
    merge: MergeMembers,
    createCollectionFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingWith(merge as Merge, createCollectionFilter); // given a list or map, as this collection is
  }

  /**
   * Moves like `move`, with a merge function of your own.
   *
   * @param merge - returns the new members, a list or a map, given the present and the moved ones: all as references.
   * Not called for collections that contain them already
   */
  moveWith(merge: MergeMembers): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#moving(merge as Merge); // given a list or map, as this collection is
  }

  /** Adds what a mutation has created, like `push` but without being the schema. See `CollectionChange.additions`. */
  additions(schema: Schema, result: unknown, args: readonly unknown[]): readonly CollectionUpdate[] {
    return this.push.additions(schema, result, args);
  }

  /**
   * A further page of it: the response is appended to the whole list, and reads as the whole list.
   *
   * @param removeCursor - returns the args of the whole list, given those of the page
   */
  page(removeCursor: RemoveCursor): CollectionPage<S> {
    return new CollectionPage(this, removeCursor);
  }

  /** Whether an arg does not affect membership. A subclass may decide otherwise. */
  nonFilterArgumentKeys(name: string, value = ''): boolean {
    return isExempt(name, value, this.#options.nonFilterArgumentKeys, this.#filters);
  }

  /** Which stored collections a member belongs to that is added with these args. A subclass may decide otherwise. */
  createCollectionFilter(params: Params, ...rest: readonly unknown[]): CollectionFilter {
    const own = this.#options.createCollectionFilter?.(params, ...rest);
    if (own !== undefined) return own;
    const where = { ...this.#membership([params, ...rest], undefined), exempt: this.#exempt };
    return (collection) => belongsIn(collection, where);
  }

  /**
   * The pk of the collection for some args.
   *
   * @param isInEntity - whether the parent is an entity, or in one, rather than an object that wraps the response
   */
  pk(
    parent: unknown,
    key: string | undefined,
    args: readonly unknown[],
    isInEntity = key !== undefined,
  ): string {
    const [own, nested] = [this.#having('argsKey'), this.#having('nestKey')];
    if (nested?.nestKey !== undefined && (isInEntity || own === undefined))
      return pkReturned('nestKey', nested.nestKey(asParams(parent), key ?? ''));
    const [first, ...rest] = args;
    if (own?.argsKey !== undefined) return pkReturned('argsKey', own.argsKey(asParams(first), ...rest));
    const params = first === undefined || typeof first === 'object' ? asParams(first) : { 0: first };
    const [body] = rest;
    const isSearch = this.#owner?.readsBody === true && isPlain(body);
    return collectionPk(isSearch ? { ...params, ...(body as Params) } : params, this.path);
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    // In a field, a string that looks like a collection's pk refers to a stored collection, as in a row that a recipe
    // changes.
    if (typeof input === 'string' && key !== undefined && input.startsWith('{')) return input;
    const members = visitor.visit(this.schema, input, parent, key);
    const pk = this.pk(parent, key, visitor.args, visitor.isInEntity);
    visitor.put(this.row, pk, { members });
    return pk;
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (typeof input === 'string') return visitor.entity(this.row, input);
    visitor.reportInline?.();
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

  /** The object that defines this function: the subclass or the options. */
  #having(name: 'argsKey' | 'nestKey'): CollectionOptions | undefined {
    return [this, this.#options].find((one) => one[name] !== undefined);
  }

  /** Whether a function identifies it, so that it belongs to no endpoint. */
  get #isKeyed(): boolean {
    return this.#having('argsKey') !== undefined || this.#having('nestKey') !== undefined;
  }

  #changing<Output>(how: Exclude<MembersChange['how'], ChangeMembers>): CollectionChange<Output> {
    // A map has `assign` in place of `push` and `unshift`.
    const isOfMap = isMap(this.schema);
    const takesMap = isOfMap && how !== 'remove';
    return new CollectionChange<Output>(this, takesMap, (collection: this, args, given) => {
      const items = how === 'assign' ? (isOfMap ? [given] : []) : takesMap ? [] : asList(given);
      const body = args.at(-1);
      if (!Array.isArray(body) || body.length !== items.length)
        return { items, how, where: collection.#where(args) };
      // Of several in one request, each belongs in the lists that it matches itself.
      const each = items.map((one, index) => ({
        items: [one],
        how,
        where: collection.#where([...args.slice(0, -1), body[index]]),
      }));
      if (how === 'unshift') each.reverse();
      return () => each;
    });
  }

  #addingWith<Output>(
    merge: Merge,
    createFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Output> {
    return new CollectionChange<Output>(this, isMap(this.schema), (collection: this, args, given) => ({
      items: [given],
      how: (members) => collection.#merged(merge, members, given),
      where: collection.#filter(args, createFilter),
    }));
  }

  #moving<Output>(merge: Merge | 'push'): CollectionChange<Output> {
    return new CollectionChange<Output>(this, false, (collection: this, args, given, ...rows) => {
      const moves = asList(given).map((reference) => collection.#move(reference, args, merge, ...rows));
      return () => moves.flatMap((move) => move());
    });
  }

  #move(
    reference: unknown,
    args: readonly unknown[],
    merge: Merge | 'push',
    stored: Stored,
    former?: EntityValue,
  ): () => MembersChange[] {
    const row = namedRow(this.schema.schema, reference);
    const read = (): object => (row === undefined ? {} : (stored(row.entity, row.pk) ?? {}));
    const now = read();
    const before = { ...asParams(args[0]), ...now };
    const versions = former === undefined || former === now ? [before] : [before, { ...before, ...former }];
    // Called when the response is written, since by then the row has its new values.
    return () => {
      const after = { ...before, ...asParams(args.length > 1 ? args.at(-1) : undefined), ...read() };
      const left = versions.map((version) => this.#where([version]));
      return this.#moved(reference, row?.pk, left, this.#where([after]), merge);
    };
  }

  /** A method of its own, so that what is kept for lists on disk does not refer to the state. */
  #moved(
    reference: unknown,
    pk = '',
    left: readonly MembersChange['where'][],
    entered: MembersChange['where'],
    merge: Merge | 'push',
  ): MembersChange[] {
    const items = [reference];
    const how: MembersChange['how'] =
      merge === 'push'
        ? merge
        : (members) => {
            if (without(members, items) !== members) return members;
            return isMap(this.schema)
              ? this.#merged(merge, members, { [pk]: reference })
              : this.#merged(merge, asList(members), items);
          };
    return [
      ...left.map((where) => ({ items, how: 'remove', where, except: entered }) as const),
      { items, how, where: entered },
    ];
  }

  /**
   * The members that a merge function returns.
   *
   * @throws HoldfastError in development: `HF_PROCESS` for anything else, which would hide the list
   */
  #merged(merge: Merge, members: unknown, added: unknown): unknown {
    const merged = merge(members, added);
    if (
      process.env.NODE_ENV !== 'production' &&
      !(isMap(this.schema) ? isFields(merged) : Array.isArray(merged))
    )
      throw new HoldfastError(
        'HF_PROCESS',
        `The merge function of a Collection returned ${describe(merged)}; return the new members`,
      );
    return merged;
  }

  /** The lists that a member belongs to, as plain data where no function decides. */
  #where(args: readonly unknown[]): MembersChange['where'] {
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
      // A collection that is identified by args alone, such as a nested one, accepts members whose fields match its
      // args; without args, it accepts none.
      const isMeant = own === path || (own === undefined && Object.keys(list).length > 0);
      return isMeant && isIn(withoutPath(list));
    };
  }

  #membership(args: readonly unknown[], path: string | undefined): Omit<Membership, 'exempt'> {
    return { path, args: args.slice(0, 2).map(givenTexts), fields: this.#filters };
  }

  /** The decision of the subclass or the options. */
  get #exempt(): ExemptArgs {
    // Without types, a subclass may define it as a field, like the option.
    const own: unknown = Reflect.get(this, 'nonFilterArgumentKeys');
    if (own === Collection.prototype.nonFilterArgumentKeys) return this.#options.nonFilterArgumentKeys;
    if (typeof own !== 'function') return own as ExemptArgs; // of the option's type, then
    return (name, value) => this.nonFilterArgumentKeys(name, value);
  }

  /** The args that filter, although they may have the name of a pagination arg: fields of the members, and params. */
  get #filters(): readonly string[] {
    this.#fields ??= entitiesOf(this.schema.schema)
      .flatMap(({ defaults }) => Object.keys(defaults))
      .filter(isPagingWord);
    return [...this.#fields, ...paramsOf(this.path)];
  }
}

/** The params in the path of a pattern, apart from those in its query, which may paginate. */
function paramsOf(path = ''): readonly string[] {
  const named = path.replace(/\\\?.*/, '').match(/[:*]\w+/g) ?? [];
  return named.map((name) => name.slice(1));
}

/** The endpoint that a collection belongs to. */
export interface ListOwner {
  /** Identifies its lists besides their args. Read each time, since an app may switch servers. */
  readonly path: string | undefined;
  /** Whether it is a read with a body, such as a search by POST. */
  readonly readsBody: boolean;
}

type Merge = (members: unknown, added: unknown) => unknown;

function override(collection: object, name: string, value: object): void {
  Object.defineProperty(collection, name, { value, writable: true, configurable: true });
}

/** The pk for the args that a function of the app returned; a list is read like an object. */
function pkReturned(method: string, args: object): string {
  if (process.env.NODE_ENV !== 'production' && !Array.isArray(args))
    checkReturned('Collection', method, args);
  return collectionPk(args);
}

function asParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {}; // an object is read by name
}
