import type { EntityValue } from '../Meta.ts';
import { QueryPass } from '../query/QueryPass.ts';
import { MISSING } from '../missing.ts';
import type {
  DenormalizeVisitor,
  NormalizeVisitor,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from '../Schema.ts';
import { Select, type AnySelect, type SelectOptions } from './Select.ts';
import { LiveIndexes } from './LiveIndexes.ts';
import { LiveTally } from './LiveTally.ts';
import type { RowReader } from './relations.ts';
import { Contributions, Tally, type Result } from './Tally.ts';
import type { AggregateOf, AggregateValues, GroupFieldOf, MemberOf, SelectSource } from './types.ts';

/** The options of an `Aggregate`. */
export interface AggregateOptions<T, Args extends readonly unknown[], V, G, W = unknown> extends Pick<
  SelectOptions<T, Args, W>,
  'where' | 'filter'
> {
  /** The field by whose values members are grouped. Default: one group. */
  readonly groupBy?: G & GroupFieldOf<T>;
  /** The values of each group, by name: `'count'`, or `count`, `sum`, `avg`, `min` or `max` of a field. */
  readonly values: V & AggregateValues<T>;
}

/**
 * Counts, sums, averages and extreme values of the members of a source, live: updated incrementally by each change.
 *
 * It reads as one object by group, or as the values alone without `groupBy`. Null and undefined do not count; without
 * any value an average, minimum and maximum are undefined. The result, and each group in it, is the same object
 * (`===`) as long as nothing in it changes.
 *
 * @example
 * const counts = new Aggregate(Task, {
 *   where: ({ text }: { text: string }) => ({ text: { contains: text } }),
 *   groupBy: 'isDone',
 *   values: { n: 'count', first: { min: 'text' } },
 * });
 * controller.get(counts, { text: 'milk' }); // { false: { n: 2, first: … } }
 */
export class Aggregate<
  S extends SelectSource,
  const V extends object,
  Args extends readonly unknown[] = readonly [],
  G extends string = never,
  W = unknown,
> implements SchemaObject<AggregateOf<MemberOf<S>, V, G>> {
  declare readonly output?: AggregateOf<MemberOf<S>, V, G>;
  /** Never set: its args, for inference. */
  declare readonly takes?: Args;
  /** The members to aggregate. */
  readonly schema: Select<S, Args, W>;
  readonly options: AggregateOptions<MemberOf<S>, Args, V, G, W>;
  #contributions: Contributions | undefined;

  /**
   * @param source - an entity, a `Union`, a `Collection` or a `Select`
   * @param options - the groups and values
   */
  constructor(source: S, options: AggregateOptions<MemberOf<S>, Args, V, G, W>) {
    const { where, filter } = options;
    this.schema = new Select<S, Args, W>(source, {
      ...(where === undefined ? {} : { where }),
      ...(filter === undefined ? {} : { filter }),
    });
    this.options = options;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    return visitor.visit(this.schema, input, parent, key);
  }

  /**
   * @throws HoldfastError `HF_NOT_QUERYABLE` if the options contain an unknown operator or a field that is not stored
   */
  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    const select = this.schema as unknown as AnySelect; // its members are of any type to it
    const { entities, tallied, hasFilter } = select.readPlan(visitor.args);
    const { values, groupBy } = this.options;
    // Every read has the same entities.
    const contributions = (this.#contributions ??= new Contributions(entities, values, groupBy));
    const indexes = visitor.observer((source) => new LiveIndexes(source));
    const [plan, ...others] = tallied;
    if (plan === undefined || others.length > 0 || hasFilter) {
      const reader: RowReader = { source: indexes.source, depend: () => undefined };
      const list = visitor.visit(select, input);
      return QueryPass.of(visitor).derive(visitor, list, {
        derive: this,
        make: (members, _args, previous) => {
          const tally = new Tally(contributions, previous?.value as Result | undefined); // made here
          // Instances, in a list or map, in which one may be several times.
          for (const [at, fields] of Object.entries(members as Readonly<Record<string, EntityValue>>))
            tally.set(at, { schema: undefined, fields }, reader);
          return tally.result;
        },
      });
    }
    if (!indexes.source.hasTable(plan.entity.key)) {
      // The first row of the table changes the result of this read.
      visitor.rows(plan.entity);
      return MISSING;
    }
    const tally = indexes.query(plan, (bucket) => new LiveTally(bucket, plan.conditions, contributions));
    indexes.depend(visitor, tally);
    return tally.result;
  }

  queryKey(args: readonly unknown[], visitor: QueryVisitor): unknown {
    return visitor.visit(this.schema, args); // as in denormalize
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    visitor.visit(this.schema, input); // as above
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe(this.schema); // as above
  }
}
