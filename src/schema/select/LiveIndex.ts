import type { EntityValue } from '../Meta.ts';
import type { EntityClass, RowSource } from '../Schema.ts';
import { comparable, fieldOf } from './fields.ts';
import type { Test } from './conditions.ts';
import type { Entry, Ordering } from './ordering.ts';
import { eachNeeded, isComplete, requiredOf, type RowReader, type Subject } from './relations.ts';
import { isSameList } from './isSameList.ts';
import { SortedList } from './SortedList.ts';

/** A query that is kept up to date by a bucket of an index. */
export interface LiveQuery {
  /**
   * Updates the query for a row that changed.
   *
   * @param before - its entry until now; undefined where it was no member of the bucket
   * @param after - its entry now, the same one where its place in the order stays
   * @param read - reads the row as it is now
   * @returns whether the query reads differently
   */
  change(before: Entry | undefined, after: Entry | undefined, read: RowReader): boolean;
}

/** The rows that a row depends on, as table and pk. */
type Related = readonly (readonly [table: string, pk: string])[];

/** The pks of a closed bucket: a single one (common for fields with unique values), or a list, which may contain rows that have left. */
type Leaf = LiveBucket | string | string[];

type Nested = Map<unknown, Nested | Leaf>;

const NONE: Related = [];

const NO_VALUES: readonly unknown[] = [];

/**
 * The rows of one entity, hashed by the values of some fields, and sorted within each hash bucket. Updated row by row.
 * Buckets that no query reads hold pks alone.
 */
export class LiveIndex {
  readonly entity: EntityClass;
  /** The fields that it hashes. */
  readonly fields: readonly string[];
  readonly ordering: Ordering;
  /** The number of its queries that have readers. */
  queries = 0;
  /** When its last query ended, in ms since the epoch. */
  idleSince = 0;
  readonly #source: RowSource;
  /** Whether no row has left a closed bucket since the index was made. */
  #isExact = true;
  readonly #readers: readonly ((fields: EntityValue) => unknown)[];
  /** By the value of the first field, then of the second, and so on: an open bucket, or the pks of a closed one. */
  #buckets: Nested = new Map();
  /** Table → the fields of related rows on which members depend. */
  readonly #watched = new Map<
    string,
    { readonly entities: Set<EntityClass>; readonly fields: Set<string> }
  >();
  /** Table → pk of a related row → pks of the rows of this index that depend on it. */
  readonly #dependents = new Map<string, Map<string, Set<string>>>();
  readonly #related = new Map<string, Related>();
  /** Reads rows that depend on no others. */
  readonly #alone: RowReader & { readonly related: Related };

  constructor(entity: EntityClass, fields: readonly string[], ordering: Ordering, source: RowSource) {
    this.entity = entity;
    this.fields = fields;
    this.ordering = ordering;
    this.#source = source;
    this.#alone = { source, related: NONE, depend: () => undefined };
    this.#readers = fields.map((field) => fieldOf([entity], field).readStored);
    for (const [, relation] of requiredOf(entity))
      eachNeeded(relation, (related, field) => this.watch(related, field));
    // One list for the values of all rows: of 100,000 rows, a list each costs as much as everything else here.
    const values: unknown[] = [];
    source.each(entity.key, (pk, fields) => {
      if (fields === undefined) return;
      for (let at = 0; at < this.#readers.length; at++) values[at] = comparable(this.#readers[at]?.(fields));
      this.#add(values, pk);
    });
  }

  /** Whether changes of a table can affect this index. */
  follows(table: string): boolean {
    return table === this.entity.key || this.#watched.has(table);
  }

  /** Every table whose changes can affect it. */
  get tables(): readonly string[] {
    return [...new Set([this.entity.key, ...this.#watched.keys()])];
  }

  /**
   * Lets changes of related rows update the rows that depend on them.
   *
   * @param field - one that is read of them; undefined where it only counts whether they are there
   */
  watch(entity: EntityClass, field: string | undefined): void {
    let watched = this.#watched.get(entity.key);
    if (watched === undefined)
      this.#watched.set(entity.key, (watched = { entities: new Set(), fields: new Set() }));
    watched.entities.add(entity);
    if (field !== undefined) watched.fields.add(field);
  }

  /**
   * The bucket for these values of the fields, with all its entries. Related tables that its queries read must be
   * watched before.
   */
  bucket(values: readonly unknown[]): LiveBucket {
    const found = this.#find(values);
    if (found instanceof LiveBucket) return found;
    const bucket = new LiveBucket(this, values);
    this.#put(values, bucket);
    bucket.fill(found === undefined ? [] : typeof found === 'string' ? [found] : found, this.#isExact);
    return bucket;
  }

  /** Keeps only the pks of a bucket. */
  close(bucket: LiveBucket): void {
    const pks = [...bucket.entries.keys(), ...bucket.incomplete];
    this.#put(bucket.values, pks);
    for (const pk of pks) this.#depend(pk, NONE);
  }

  /** Updates the index for a changed row, and adds the queries that read differently to `changed`. */
  change(
    table: string,
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
    changed: Set<LiveQuery>,
  ): void {
    if (table === this.entity.key) this.#changeRow(pk, before, after, changed);
    if (this.#dependents.get(table)?.has(pk) === true && this.#matters(table, before, after))
      this.changeDependents(table, pk, changed);
  }

  /** Updates the rows that depend on another one. */
  changeDependents(table: string, pk: string, changed: Set<LiveQuery>): void {
    for (const dependent of [...(this.#dependents.get(table)?.get(pk) ?? [])]) {
      const value = this.#source.row(this.entity, dependent);
      this.#changeRow(dependent, value, value, changed);
    }
  }

  /** Creates the entry of a row and records its dependencies; undefined if the row is incomplete. */
  entry(pk: string, fields: EntityValue): Entry | undefined {
    const reader = this.reader();
    const subject: Subject = { entity: this.entity, fields };
    const entry = isComplete(this.entity, fields, reader)
      ? { pk, keys: this.ordering.keys(subject, reader) }
      : undefined;
    this.#depend(pk, reader.related);
    return entry;
  }

  /** A reader of rows, which records those that were needed of other tables. */
  reader(): RowReader & { readonly related: Related } {
    if (this.#watched.size === 0) return this.#alone;
    const related: (readonly [string, string])[] = [];
    return { source: this.#source, related, depend: (table, pk) => void related.push([table, pk]) };
  }

  /** Whether a row has these values. */
  isIn(values: readonly unknown[], fields: EntityValue | undefined): fields is EntityValue {
    return fields !== undefined && isSameList(this.#valuesOf(fields), values);
  }

  row(pk: string): EntityValue | undefined {
    return this.#source.row(this.entity, pk);
  }

  /** Adds the rows that a query's own condition has read. */
  dependFurther(pk: string, related: Related): void {
    if (related.length > 0) this.#depend(pk, [...(this.#related.get(pk) ?? []), ...related]);
  }

  #changeRow(
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
    changed: Set<LiveQuery>,
  ): void {
    const from = before === undefined ? undefined : this.#valuesOf(before);
    const to = after === undefined ? undefined : this.#valuesOf(after);
    const isMoved = from === undefined || to === undefined || !isSameList(from, to);
    if (isMoved) this.#isExact = false;
    if (from !== undefined && isMoved) {
      const left = this.#find(from);
      if (left instanceof LiveBucket) left.update(pk, undefined, changed);
    }
    const bucket = to === undefined ? undefined : this.#find(to);
    if (bucket instanceof LiveBucket) {
      bucket.update(pk, after, changed);
      return;
    }
    if (to !== undefined && isMoved) this.#arrived(to, pk);
    this.#depend(pk, NONE);
  }

  /** Whether a change of a related row can affect the rows that depend on it. */
  #matters(table: string, before: EntityValue | undefined, after: EntityValue | undefined): boolean {
    const watched = this.#watched.get(table);
    if (watched === undefined) return false;
    if (before === undefined || after === undefined) return true;
    for (const field of watched.fields) if (before[field] !== after[field]) return true;
    for (const entity of watched.entities)
      if (Boolean(entity.validate(before)) !== Boolean(entity.validate(after))) return true;
    return false;
  }

  #depend(pk: string, related: Related): void {
    for (const [table, to] of this.#related.get(pk) ?? NONE) {
      const byPk = this.#dependents.get(table);
      const pks = byPk?.get(to);
      pks?.delete(pk);
      if (pks?.size === 0) byPk?.delete(to);
    }
    if (related.length === 0) {
      if (this.#related.size > 0) this.#related.delete(pk);
      return;
    }
    this.#related.set(pk, related);
    for (const [table, to] of related) {
      let byPk = this.#dependents.get(table);
      if (byPk === undefined) this.#dependents.set(table, (byPk = new Map<string, Set<string>>()));
      let pks = byPk.get(to);
      if (pks === undefined) byPk.set(to, (pks = new Set()));
      pks.add(pk);
    }
  }

  /** The values of a row in the fields that are hashed. */
  #valuesOf(fields: EntityValue): readonly unknown[] {
    return this.#readers.length === 0 ? NO_VALUES : this.#readers.map((read) => comparable(read(fields)));
  }

  /** Notes a row of a closed bucket. Those that have left it are sorted out when it is opened, or has doubled. */
  #arrived(values: readonly unknown[], pk: string): void {
    const found = this.#add(values, pk);
    if (found === undefined || found.length <= 1_000 || (found.length & (found.length - 1)) !== 0) return;
    this.#put(
      values,
      [...new Set(found)].filter((one) => this.isIn(values, this.row(one))),
    );
  }

  /** Adds a pk to a closed bucket. Gives its list, where it has one. */
  #add(values: readonly unknown[], pk: string): string[] | undefined {
    const found = this.#find(values);
    if (found instanceof Array) {
      found.push(pk);
      return found;
    }
    this.#put(values, typeof found === 'string' ? [found, pk] : pk);
    return undefined;
  }

  #find(values: readonly unknown[]): Leaf | undefined {
    let at = this.#buckets.get(values[0]);
    for (let level = 1; level < values.length; level++) at = (at as Nested | undefined)?.get(values[level]); // above the last level
    return at as Leaf | undefined; // at the last level
  }

  #put(values: readonly unknown[], leaf: Leaf): void {
    let at = this.#buckets;
    for (const value of values.slice(0, -1)) {
      let inner = at.get(value) as Nested | undefined; // above the last level
      if (inner === undefined) at.set(value, (inner = new Map()));
      at = inner;
    }
    at.set(values.at(-1), leaf);
  }
}

/** A bucket of an index that queries read. */
export class LiveBucket {
  readonly index: LiveIndex;
  readonly values: readonly unknown[];
  readonly entries = new Map<string, Entry>();
  /** The pks of rows that readers do not see yet, such as those whose required relation is missing. */
  readonly incomplete = new Set<string>();
  readonly #queries = new Set<LiveQuery>();
  #sorted: SortedList<Entry> | undefined;

  constructor(index: LiveIndex, values: readonly unknown[]) {
    this.index = index;
    this.values = values;
  }

  get sorted(): SortedList<Entry> {
    return (this.#sorted ??= new SortedList(this.index.ordering.compare, this.entries.values()));
  }

  /**
   * Makes the entries.
   *
   * @param isExact - whether none of the rows has left, or is there twice
   */
  fill(pks: readonly string[], isExact: boolean): void {
    for (const pk of pks) {
      const fields = this.index.row(pk);
      if (fields === undefined) continue;
      if (!isExact && (!this.index.isIn(this.values, fields) || this.entries.has(pk))) continue;
      const entry = this.index.entry(pk, fields);
      if (entry === undefined) this.incomplete.add(pk);
      else this.entries.set(pk, entry);
    }
  }

  /** Keeps a query up to date, which has seen all entries. */
  add(query: LiveQuery): void {
    this.#queries.add(query);
    this.index.queries += 1;
  }

  /** Updates a query no longer. The entries go with the last one. */
  remove(query: LiveQuery): void {
    if (!this.#queries.delete(query)) return;
    this.index.queries -= 1;
    if (this.#queries.size === 0) this.index.close(this);
  }

  /** Whether the row of an entry meets a condition. Records the other rows that the condition reads. */
  test(entry: Entry, test: Test, reader?: RowReader): boolean {
    const fields = this.index.row(entry.pk);
    if (fields === undefined) return false;
    const subject: Subject = { entity: this.index.entity, fields };
    if (reader !== undefined) return test(subject, reader);
    const own = this.index.reader();
    const passes = test(subject, own);
    this.index.dependFurther(entry.pk, own.related);
    return passes;
  }

  /** @param stored - the row; undefined where it has left the bucket */
  update(pk: string, stored: EntityValue | undefined, changed: Set<LiveQuery>): void {
    const before = this.entries.get(pk);
    const fields = stored && this.index.row(pk);
    let after = fields === undefined ? undefined : this.index.entry(pk, fields);
    if (fields !== undefined && after === undefined) this.incomplete.add(pk);
    else this.incomplete.delete(pk);
    if (before !== undefined && after !== undefined && this.index.ordering.compare(before, after) === 0) {
      after = before;
    } else {
      if (before !== undefined) this.#sorted?.remove(before);
      if (after !== undefined) this.#sorted?.add(after);
      if (after === undefined) this.entries.delete(pk);
      else this.entries.set(pk, after);
    }
    if (before === undefined && after === undefined) return;
    const reader = this.index.reader();
    for (const query of this.#queries) if (query.change(before, after, reader)) changed.add(query);
    this.index.dependFurther(pk, reader.related);
  }
}
