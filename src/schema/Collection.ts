import { ArraySchema } from './ArraySchema.ts';
import {
  argTexts,
  collectionArgs,
  collectionPk,
  matchesArgs,
  membershipOf,
  type CollectionArgs,
  type ExemptArgs,
} from './collectionArgs.ts';
import { CollectionChange, namedRow } from './CollectionChange.ts';
import { collectionRow, isMap, type CollectionMembers } from './CollectionRow.ts';
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

/** Tells of which stored collections something is a member. */
export type CollectionFilter = (collection: CollectionArgs) => boolean;

/** How collections of one kind are told apart, and which of them a new member belongs in. */
export interface CollectionOptions {
  /** The args that tell it apart from others, made of those of the endpoint. Default: the members of the first. */
  argsKey?(params: Params, ...rest: readonly unknown[]): object;
  /** The args of one that is nested in an entity, made of that entity and the field it is in. */
  nestKey?(parent: Params, key: string): object;
  /** Which args do not decide membership, such as a sort order. Default: names that begin with `order`. */
  readonly nonFilterArgumentKeys?: ExemptArgs;
  /**
   * Which stored collections a member belongs in that is added by an endpoint with these args. Default: those of
   * whose args each is a member of the endpoint's first or second.
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

/**
 * A list or map that grows: what `push`, `unshift`, `assign`, `remove` and `move` change without a fetch. Everyone who
 * reads it with the same args reads the identical one, whatever endpoint or entity it is reached through.
 *
 * @example
 * const getTasks = new RestEndpoint({
 *   path: '/tasks',
 *   schema: new Collection([Task]),
 *   searchParams: {} as { user?: string },
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
  readonly #options: CollectionOptions;

  /**
   * @param schema - `[Entity]`, an `ArraySchema` or `Values`
   * @param options - how collections are told apart
   */
  constructor(schema: S, options: CollectionOptions = {}) {
    const members: CollectionSchema = schema;
    this.schema =
      // Array.isArray does not narrow a readonly list away.
      Array.isArray(members) ? new ArraySchema(members[0] as Schema) : (members as CollectionMembers);
    this.row = collectionRow(this.schema);
    this.#options = options;
  }

  /** Adds what arrives, one or more, at the end of the lists they belong in. Those that are there stay in place. */
  get push(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingAt('last');
  }

  /** Adds what arrives, one or more, at the beginning. */
  get unshift(): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#addingAt('first');
  }

  /** Adds what arrives, a map, to the maps it belongs in, in place of what stands at the same keys. */
  get assign(): CollectionChange<Denormalize<S>> {
    return this.#adding(withAssigned);
  }

  /** Takes what arrives, one or more, out of the collections that the args name, and stores what it says of them. */
  get remove(): CollectionChange<Denormalize<MemberOf<S>>> {
    return new CollectionChange(this.row, this.schema, false, (args, given) => {
      const filter = this.#filter(args);
      return (pk, members) => (filter(collectionArgs(pk)) ? without(members, asList(given)) : members);
    });
  }

  /**
   * Takes what arrives, one or more, out of the collections that it belonged in as it was stored before, and adds it
   * to those that it belongs in now.
   */
  get move(): CollectionChange<Denormalize<MemberOf<S>>> {
    return new CollectionChange(this.row, this.schema, false, (args, given, stored) => {
      const moves = asList(given).map((reference) => this.#moving(reference, args, stored));
      return (pk, members) => moves.reduce((present, move) => move(pk, present), members);
    });
  }

  /**
   * Adds in a way of your own.
   *
   * @param merge - makes the new members, a list or a map, of the present and the added ones: all by reference
   * @param createCollectionFilter - which collections it adds to. Default: as the collection says
   */
  addWith(
    merge: (members: never, added: never) => unknown,
    createCollectionFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Denormalize<MemberOf<S>>> {
    return this.#adding(merge as Merge, createCollectionFilter); // given a list or map, as this collection is
  }

  /** Adds what an endpoint's own schema has normalized: what `push` does without being the schema. */
  addition(given: unknown, args: readonly unknown[]): CollectionUpdate {
    const addition = this.#addition(isMap(this.schema) ? [] : [given], 'last', args);
    return { rows: this.row, begin: () => addition };
  }

  /** The pk of the collection that some args ask for. */
  pk(parent: unknown, key: string | undefined, args: readonly unknown[]): string {
    const options = this.#options;
    if (options.nestKey !== undefined && (key !== undefined || options.argsKey === undefined))
      return collectionPk(options.nestKey(asParams(parent), key ?? ''));
    const [first, ...rest] = args;
    if (options.argsKey !== undefined) return collectionPk(options.argsKey(asParams(first), ...rest));
    return collectionPk(first === undefined || typeof first === 'object' ? asParams(first) : { 0: first });
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
    return typeof input === 'string' ? visitor.entity(this.row, input) : MISSING;
  }

  queryKey(args: readonly unknown[]): string | undefined {
    const isNested = this.#options.nestKey !== undefined && this.#options.argsKey === undefined;
    return isNested ? undefined : this.pk(undefined, undefined, args);
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (typeof input === 'string') visitor.found(this.row, input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return { collection: describe(this.schema) ?? null };
  }

  #addingAt<Output>(end: Addition['end']): CollectionChange<Output> {
    return new CollectionChange<Output>(this.row, this.schema, isMap(this.schema), (args, given) =>
      this.#addition(asList(given), end, args),
    );
  }

  #addition(added: readonly unknown[], end: Addition['end'], args: readonly unknown[]): Addition {
    const { nonFilterArgumentKeys: exempt } = this.#options;
    if (this.#options.createCollectionFilter === undefined && typeof exempt !== 'function')
      return { added, end, where: membershipOf(args.slice(0, 2), exempt) };
    return { added, end, where: this.#filter(args) };
  }

  #adding<Output>(
    merge: Merge,
    createFilter?: CollectionOptions['createCollectionFilter'],
  ): CollectionChange<Output> {
    const takesMap = isMap(this.schema);
    return new CollectionChange<Output>(this.row, this.schema, takesMap, (args, given) => {
      const filter =
        createFilter === undefined ? this.#filter(args) : createFilter(asParams(args[0]), ...args.slice(1));
      return (pk, members) => (filter(collectionArgs(pk)) ? merge(members, given) : members);
    });
  }

  #moving(reference: unknown, args: readonly unknown[], stored: Stored): ChangeMembers {
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
      if (Array.isArray(members)) return withAdded(members, [{ added: [reference], end: 'last' }]);
      return withAssigned(members, { [row?.pk ?? '']: reference });
    };
  }

  #filter(args: readonly unknown[]): CollectionFilter {
    const options = this.#options;
    if (options.createCollectionFilter !== undefined)
      return options.createCollectionFilter(asParams(args[0]), ...args.slice(1));
    const given = args.slice(0, 2).map(argTexts);
    return (collection) => matchesArgs(collection, given, options.nonFilterArgumentKeys);
  }
}

type Merge = (members: unknown, added: unknown) => unknown;

function asParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {}; // an object is read by name
}
