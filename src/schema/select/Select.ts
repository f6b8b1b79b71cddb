import { HoldfastError } from '../../util/errors.ts';
import { getOrInsert } from '../../util/getOrInsert.ts';
import { QueryPass } from '../query/QueryPass.ts';
import { entitiesOf } from '../entitiesOf.ts';
import { isEntity } from '../isEntity.ts';
import { MISSING } from '../missing.ts';
import type {
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from '../Schema.ts';
import { LiveIndexes, type Plan } from './LiveIndexes.ts';
import type { Entry } from './ordering.ts';
import { planOf } from './plan.ts';
import { relationOf } from './relations.ts';
import { Picked } from './Picked.ts';
import type { Exactly, MemberOf, OrderBy, SelectSource, Where } from './types.ts';
import { Window } from './Window.ts';
import { checkDefined } from '../checkSchema.ts';

/** The options of a `Select`. Each may be a function of the args of the read. */
export interface SelectOptions<T, Args extends readonly unknown[], W = unknown> {
  /** The condition for members, evaluated on stored rows. Default: none. */
  readonly where?: Where<T> | ((...args: Args) => Exactly<W, T>);
  /** Tests a denormalized member, after `where`. It must be pure, and runs again only for members that changed. */
  readonly filter?: (member: T, ...args: Args) => boolean;
  /** The order; members that compare as equal are sorted by pk. Default: that of a list, or by pk. */
  readonly orderBy?:
    | OrderBy<T>
    | readonly OrderBy<T>[]
    | ((...args: Args) => OrderBy<T> | readonly OrderBy<T>[] | undefined);
  /** The maximum number of members; NaN and negative ones are 0. Default: all. */
  readonly limit?: number | ((...args: Args) => number | undefined);
  /** The number of members to skip at the beginning; NaN and negative ones are 0. Default: 0. */
  readonly offset?: number | ((...args: Args) => number | undefined);
}

/** The plans of a read, whose args are the same list while it has readers. */
export interface ReadPlan {
  /** The classes of the members; none if these are not entities. */
  readonly entities: readonly EntityClass[];
  /** One for each entity; none if the source is a list. */
  readonly plans: readonly Plan[];
  /** The same without an order, for aggregates; none if the source has a limit or offset. */
  readonly tallied: readonly Plan[];
  readonly picked: Picked;
  readonly hasFilter: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** The combined options of a `Select` and the `Select`s that are its source. */
interface Asked {
  readonly where: readonly unknown[];
  readonly filters: readonly ((member: unknown) => boolean)[];
  readonly orderBy: unknown;
}

/**
 * The members of a source that match a condition, sorted, with limit and offset: a live query of the data in memory.
 * It is updated row by row, with indexes that queries share.
 *
 * The source is an entity, a `Union`, a `Collection` or another `Select`. The result is the same list (`===`) as long
 * as nothing in it changes.
 *
 * @example
 * const articlesBy = new Select(Article, {
 *   where: ({ author }: { author: string }) => ({
 *     author: { name: author },
 *     title: { exists: true },
 *   }),
 *   orderBy: { title: 'asc' },
 *   limit: 50,
 * });
 * controller.get(articlesBy, { author: 'Ada' }); // Article[]
 */
export class Select<
  S extends SelectSource,
  Args extends readonly unknown[] = readonly [],
  W = unknown,
> implements SchemaObject<MemberOf<S>[]> {
  declare readonly output?: MemberOf<S>[];
  /** Never set: its args, for inference. */
  declare readonly takes?: Args;
  /** The source of the members. */
  readonly schema: S;
  readonly options: SelectOptions<MemberOf<S>, Args, W>;
  readonly #reads = new WeakMap<readonly unknown[], ReadPlan>();

  /**
   * @param source - an entity, a `Union`, a `Collection`, or another `Select`
   * @param options - conditions, order and window
   */
  constructor(source: S, options: SelectOptions<MemberOf<S>, Args, W> = {}) {
    if (process.env.NODE_ENV !== 'production') checkDefined(source, 'The schema of new Select()');
    this.schema = source;
    this.options = options;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.#stored, input, parent, key);
  }

  /**
   * @throws HoldfastError `HF_NOT_QUERYABLE` if the options contain an unknown operator or a field that is not stored
   */
  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    const { plans, picked, hasFilter, offset, limit } = this.readPlan(visitor.args);
    const indexes = visitor.observer((source) => new LiveIndexes(source));
    const pick = (list: unknown): unknown =>
      QueryPass.of(visitor).derive(visitor, list, picked.of(indexes.source));
    const [only, ...others] = plans;
    if (only === undefined) return pick(visitor.visit(this.schema, input));
    if (!plans.some(({ entity }) => indexes.source.hasTable(entity.key))) {
      // The first row of a table changes the result of this read.
      for (const { entity } of plans) visitor.rows(entity);
      return MISSING;
    }
    // A filter runs before limit and offset, and lists of several tables are cut after merging.
    const cut: readonly [number, number] = hasFilter
      ? [0, Infinity]
      : others.length > 0
        ? [0, offset + limit]
        : [offset, limit];
    const windows = plans.map((plan) => {
      const window = indexes.query(plan, (bucket) => new Window(bucket.matches(plan.conditions), ...cut));
      indexes.depend(visitor, window);
      return window;
    });
    const [window] = windows;
    if (others.length === 0) {
      const list = visitor.list(only.entity, window?.pks ?? []);
      return hasFilter ? pick(list) : list;
    }
    const merged = merge(windows, only.ordering.compare);
    const list: unknown[] = [];
    for (const { entity, pk } of hasFilter ? merged : merged.slice(offset, offset + limit)) {
      const value = visitor.entity(entity, pk);
      if (value !== MISSING) list.push(value);
    }
    // Either way, a list with the same members stays the same.
    return hasFilter
      ? pick(list)
      : QueryPass.of(visitor).derive(visitor, list, { derive: this, make: (made) => made });
  }

  /** Nothing in an endpoint's read, where only a response says which members exist. */
  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown {
    const entities = this.#entities();
    if (entities.length === 0) return visitor.visit(this.schema, args);
    // Each one is queried, so that every table is restored.
    return entities.filter((entity) => visitor.scans?.(entity) === true).length > 0 ? [] : undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit(this.#stored, input);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe(this.#stored);
  }

  /** Stored like the response of a list. */
  get #stored(): Schema {
    return entitiesOf(this.schema).length > 0 ? [this.schema] : this.schema;
  }

  /** The entities whose rows are the source; none if the source is a list. */
  #entities(): readonly EntityClass[] {
    const { schema } = this;
    if (schema instanceof Select)
      return (schema as AnySelect).#isCut ? [] : (schema as AnySelect).#entities();
    return [...new Set(entitiesOf(schema))];
  }

  get #isCut(): boolean {
    return this.options.limit !== undefined || this.options.offset !== undefined;
  }

  /** The plans of a read with these args. For schemas based on it. */
  readPlan(args: readonly unknown[]): ReadPlan {
    return getOrInsert(this.#reads, args, () => this.#compile(args));
  }

  #compile(args: readonly unknown[]): ReadPlan {
    const entities = this.#entities();
    const { where, filters, orderBy } = this.#asked(args);
    const planFor = (entity: EntityClass): Plan => planOf(entity, { AND: where }, orderBy);
    const offset = countOf(this.options.offset, args) ?? 0;
    const limit = countOf(this.options.limit, args) ?? Infinity;
    const listed = entities.length === 0 ? membersOf(this.schema) : [];
    if (entities.length + listed.length === 0 && (where.length > 0 || orderBy !== undefined))
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        'the members of the source are not entities, which `where` and `orderBy` need; use `filter`, or sort in a Query',
      );
    return {
      entities: [...entities, ...listed],
      plans: entities.map(planFor),
      tallied: this.#isCut ? [] : entities.map((entity) => planOf(entity, { AND: where }, undefined)),
      picked: new Picked({
        members: listed.map(planFor),
        isSorted: orderBy !== undefined,
        filter: (member) => filters.every((filter) => filter(member)),
        offset,
        limit,
      }),
      hasFilter: filters.length > 0,
      offset,
      limit,
    };
  }

  /** The options, combined with those of the source if that is a `Select` without limit and offset. */
  #asked(args: readonly unknown[]): Asked {
    const { filter } = this.options;
    const source = this.schema instanceof Select ? (this.schema as AnySelect) : undefined;
    const inner = source === undefined || source.#isCut ? undefined : source.#asked(args);
    const where = valueOf<unknown>(this.options.where, args);
    const orderBy = [valueOf<unknown>(this.options.orderBy, args) ?? []].flat();
    return {
      where: [...(inner?.where ?? []), ...(where === undefined ? [] : [where])],
      filters: [
        ...(inner?.filters ?? []),
        ...(filter === undefined ? [] : [(member: unknown) => filter(member as never, ...(args as never))]), // as the read was typed
      ],
      orderBy: orderBy.length > 0 ? orderBy : inner?.orderBy,
    };
  }
}

/** Any `Select`; its args and result are typed where it is read. */
export type AnySelect = Select<SelectSource, readonly unknown[]>;

function valueOf<T>(
  option: T | ((...args: never) => T) | undefined,
  args: readonly unknown[],
): T | undefined {
  return typeof option === 'function' ? (option as (...given: readonly unknown[]) => T)(...args) : option; // no option is itself a function
}

/** A number of members: a whole one, whatever the args contain. */
function countOf(
  option: number | ((...args: never) => number | undefined) | undefined,
  args: readonly unknown[],
): number | undefined {
  const count = valueOf(option, args);
  return count == null ? undefined : Math.max(0, Math.trunc(count) || 0);
}

/** The entities of a list's members. */
function membersOf(source: SelectSource): readonly EntityClass[] {
  if (source instanceof Select) return membersOf((source as AnySelect).schema);
  return relationOf(source)?.subjects.filter(isEntity) ?? [];
}

/** The entries of several windows, in one order. */
function merge(
  windows: readonly Window[],
  compare: (left: Entry, right: Entry) => number,
): readonly { readonly entity: EntityClass; readonly pk: string }[] {
  return windows
    .flatMap(({ entries, bucket }) => entries.map((entry) => ({ entry, entity: bucket.index.entity })))
    .sort((left, right) => compare(left.entry, right.entry))
    .map(({ entry, entity }) => ({ entity, pk: entry.pk }));
}
