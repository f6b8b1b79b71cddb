import { isShallowlyEqual } from '../../util/adopt.ts';
import type { EntityValue } from '../Meta.ts';
import type {
  DenormalizeVisitor,
  EntityClass,
  QueriedNode,
  QueryPart,
  RowObserver,
  RowSource,
} from '../Schema.ts';
import type { Conditions } from './conditions.ts';
import type { LiveBucket } from './LiveBucket.ts';
import { LiveIndex } from './LiveIndex.ts';
import type { Ordering } from './ordering.ts';

/** The compiled options of a query for one entity. */
export interface Plan {
  readonly entity: EntityClass;
  readonly conditions: Conditions;
  readonly ordering: Ordering;
  /** The fields of related entities that it reads. */
  readonly watched: readonly (readonly [entity: EntityClass, field: string | undefined])[];
}

/** What a query shows, kept up to date by its bucket until it is closed. */
export interface LivePart {
  readonly bucket: LiveBucket;
  /** How many rows meet its condition, for tools. */
  readonly size: number;
  close(): void;
}

/** The queries of one graph of views that have readers, and their indexes, which queries share. */
export class LiveIndexes implements RowObserver {
  readonly source: RowSource;
  indexes: readonly LiveIndex[] = [];
  readonly #queries = new Map<Plan, LivePart>();
  readonly #plans = new Map<unknown, { readonly plan: Plan; readonly index: LiveIndex }>();
  #hasIdle = false;

  constructor(source: RowSource) {
    this.source = source;
  }

  /** The query of a plan; created for its first reader. */
  query<Q extends LivePart>(plan: Plan, make: (bucket: LiveBucket) => Q): Q {
    const known = this.#queries.get(plan);
    if (known !== undefined) return known as Q; // a plan is of one query
    const { equal } = plan.conditions;
    const fields = [...equal.keys()].sort();
    const index = this.#indexFor(plan, fields);
    for (const [entity, field] of plan.watched) index.watch(entity, field);
    const query = make(index.bucket(fields.map((field) => equal.get(field))));
    index.queries += 1;
    this.#queries.set(plan, query);
    this.#plans.set(query, { plan, index });
    return query;
  }

  /** Makes the node being filled depend on a query: on what it shows, and on whether there is a table. */
  depend(visitor: DenormalizeVisitor, query: LivePart): void {
    const { index } = query.bucket;
    visitor.part(query, index.tables);
    visitor.part(index.table, index.tables);
  }

  rows(queries: Iterable<QueriedNode>, limit: number): (readonly [table: string, pk: string])[] {
    const rows: (readonly [string, string])[] = [];
    for (const { deps } of queries) {
      if (!deps.some(({ value }) => this.#plans.has(value))) continue;
      const below = [...deps];
      for (const { entity, pk, deps: members } of below) {
        if (rows.length >= limit) return rows;
        if (entity !== undefined && pk !== undefined) rows.push([entity.key, pk]);
        // A long list is a node of its own.
        else for (const member of members) below.push(member);
      }
    }
    return rows;
  }

  report(part: unknown): QueryPart | undefined {
    const { plan, index } = this.#plans.get(part) ?? {};
    const query = plan && this.#queries.get(plan);
    if (plan === undefined || index === undefined || query === undefined) return undefined;
    const { test, range } = plan.conditions;
    return { index, rows: query.size, isTested: test !== undefined, range: range?.field };
  }

  follows(table: string): boolean {
    return this.indexes.some((index) => index.follows(table));
  }

  holds(table: string): boolean {
    return this.indexes.some((index) => index.queries > 0 && index.follows(table));
  }

  changed(
    table: string,
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
  ): Iterable<object> {
    if (this.#hasIdle) this.#dropIdle();
    const changed = new Set<object>();
    for (const index of this.indexes) {
      if (index.follows(table)) index.change(table, pk, before, after, changed);
      // Without its table, which was added optimistically, a query has no value, whether or not this row was a member.
      if (index.entity.key === table && !this.source.hasTable(table)) changed.add(index.table);
    }
    return changed;
  }

  renamed(table: string, from: string): Iterable<object> {
    const changed = new Set<object>();
    for (const index of this.indexes) if (index.follows(table)) index.changeDependents(table, from, changed);
    return changed;
  }

  released(part: object): void {
    const { plan, index } = this.#plans.get(part) ?? {};
    if (plan === undefined || index === undefined) return;
    this.#plans.delete(part);
    this.#queries.get(plan)?.close();
    this.#queries.delete(plan);
    index.queries -= 1;
    index.idleSince = this.source.now();
    if (index.queries === 0) this.#hasIdle = true;
  }

  #indexFor({ entity, ordering }: Plan, fields: readonly string[]): LiveIndex {
    this.#dropIdle();
    const fits = (index: LiveIndex): boolean =>
      index.entity === entity &&
      isShallowlyEqual(index.fields, fields) &&
      index.ordering.id === ordering.id &&
      isShallowlyEqual(index.ordering.collators, ordering.collators);
    let index = this.indexes.find(fits);
    if (index === undefined) {
      index = new LiveIndex(entity, fields, ordering, this.source);
      this.indexes = [...this.indexes, index];
    }
    return index;
  }

  /** Drops indexes that have had no query for `gcTime`. */
  #dropIdle(): void {
    const { now, gcTime } = this.source;
    this.indexes = this.indexes.filter(
      ({ queries, idleSince }) => queries > 0 || now() - idleSince <= gcTime,
    );
    this.#hasIdle = this.indexes.some(({ queries }) => queries === 0);
  }
}
