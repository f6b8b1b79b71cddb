import type { EntityValue } from '../Meta.ts';
import type { EntityClass, RowObserver, RowSource } from '../Schema.ts';
import type { Conditions } from './conditions.ts';
import { isSameList } from './isSameList.ts';
import { LiveIndex, type LiveBucket, type LiveQuery } from './LiveIndex.ts';
import type { Ordering } from './ordering.ts';

/** The compiled options of a query for one entity. */
export interface Plan {
  readonly entity: EntityClass;
  readonly conditions: Conditions;
  readonly ordering: Ordering;
  /** The fields of related entities that it reads. */
  readonly watched: readonly (readonly [entity: EntityClass, field: string | undefined])[];
}

/** The queries of one graph of views that have readers, and their indexes, which queries share. */
export class LiveIndexes implements RowObserver {
  readonly source: RowSource;
  readonly #indexes = new Map<EntityClass, LiveIndex[]>();
  readonly #queries = new Map<Plan, LiveQuery & { readonly bucket: LiveBucket }>();
  readonly #plans = new Map<object, Plan>();
  /** The last result of queries over several tables. */
  readonly #lists = new WeakMap<Plan, readonly unknown[]>();
  #hasIdle = false;

  constructor(source: RowSource) {
    this.source = source;
  }

  /** The query of a plan; created for its first reader. */
  query<Q extends LiveQuery & { readonly bucket: LiveBucket }>(
    plan: Plan,
    make: (bucket: LiveBucket) => Q,
  ): Q {
    const known = this.#queries.get(plan);
    if (known !== undefined) return known as Q; // a plan is of one query
    const { equal } = plan.conditions;
    const fields = [...equal.keys()].sort();
    const index = this.#indexFor(plan, fields);
    for (const [entity, field] of plan.watched) index.watch(entity, field);
    const bucket = index.bucket(fields.map((field) => equal.get(field)));
    const query = make(bucket);
    bucket.add(query);
    this.#queries.set(plan, query);
    this.#plans.set(query, plan);
    return query;
  }

  /** The former list of a plan if it has the same members, else the new one. */
  same(plan: Plan, list: readonly unknown[]): readonly unknown[] {
    const former = this.#lists.get(plan);
    if (former !== undefined && isSameList(former, list)) return former;
    this.#lists.set(plan, list);
    return list;
  }

  /** The indexes there are, for tools. */
  *all(): Iterable<LiveIndex> {
    for (const indexes of this.#indexes.values()) yield* indexes;
  }

  follows(table: string): boolean {
    for (const index of this.all()) if (index.follows(table)) return true;
    return false;
  }

  holds(table: string): boolean {
    for (const index of this.all()) if (index.queries > 0 && index.follows(table)) return true;
    return false;
  }

  changed(
    table: string,
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
  ): Iterable<object> {
    if (this.#hasIdle) this.#dropIdle();
    const changed = new Set<LiveQuery>();
    for (const index of this.all()) if (index.follows(table)) index.change(table, pk, before, after, changed);
    return changed;
  }

  renamed(table: string, from: string): Iterable<object> {
    const changed = new Set<LiveQuery>();
    for (const index of this.all()) if (index.follows(table)) index.changeDependents(table, from, changed);
    return changed;
  }

  released(part: object): void {
    const plan = this.#plans.get(part);
    const query = plan === undefined ? undefined : this.#queries.get(plan);
    if (plan === undefined || query === undefined) return;
    this.#plans.delete(part);
    this.#queries.delete(plan);
    const { bucket } = query;
    bucket.remove(query);
    bucket.index.idleSince = this.source.now();
    if (bucket.index.queries === 0) this.#hasIdle = true;
  }

  #indexFor({ entity, ordering }: Plan, fields: readonly string[]): LiveIndex {
    this.#dropIdle();
    const indexes = this.#indexes.get(entity) ?? [];
    const fits = (index: LiveIndex): boolean =>
      isSameList(index.fields, fields) &&
      index.ordering.id === ordering.id &&
      isSameList(index.ordering.collators, ordering.collators);
    let index = indexes.find(fits);
    if (index === undefined) {
      index = new LiveIndex(entity, fields, ordering, this.source);
      this.#indexes.set(entity, [...indexes, index]);
    }
    return index;
  }

  /** Drops indexes that have had no query for `gcTime`. */
  #dropIdle(): void {
    const { now, gcTime } = this.source;
    let hasIdle = false;
    for (const [entity, indexes] of this.#indexes) {
      const kept = indexes.filter(({ queries, idleSince }) => {
        const isIdle = queries === 0;
        const isKept = !isIdle || now() - idleSince <= gcTime;
        if (isIdle && isKept) hasIdle = true;
        return isKept;
      });
      if (kept.length < indexes.length) this.#indexes.set(entity, kept);
    }
    this.#hasIdle = hasIdle;
  }
}
