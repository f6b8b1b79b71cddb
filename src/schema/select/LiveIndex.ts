import type { EntityValue } from '../Meta.ts';
import { isEntity } from '../isEntity.ts';
import type { EntityClass, RowSource } from '../Schema.ts';
import { isSame } from './conditions.ts';
import { getOrInsert } from '../../util/getOrInsert.ts';
import { isPlain } from '../../util/isPlain.ts';
import { comparable, fieldOf } from './fields.ts';
import { LiveBucket, type BucketIndex, type Related } from './LiveBucket.ts';
import type { Entry, Ordering } from './ordering.ts';
import { eachRequired, isComplete, isValid, type RowReader, type Subject } from './relations.ts';

/** The pks of a closed bucket: a single one (common for fields with unique values), or a list, which may contain rows that have left. */
type Leaf = LiveBucket | string | string[];

type Nested = Map<unknown, Nested | Leaf>;

const NONE: Related = [];

/**
 * The rows of one entity, hashed by the values of some fields, and sorted within each hash bucket. Updated row by row.
 * Buckets that no query reads hold pks alone, and exist only once a second bucket is read: until then, finding the rows
 * of one bucket is all that is needed.
 */
export class LiveIndex implements BucketIndex {
  readonly entity: EntityClass;
  /** The fields that it hashes. */
  readonly fields: readonly string[];
  readonly ordering: Ordering;
  readonly tables: Set<string>;
  readonly table = {};
  /** The number of its queries that have readers. */
  queries = 0;
  /** When its last query ended, in ms since the epoch. */
  idleSince = 0;
  readonly #source: RowSource;
  /** Whether there are closed buckets that no query has read, so that every row is in one. */
  #isHashed = false;
  #wasSearched = false;
  /** Whether no row has left a closed bucket, and none is there twice. */
  #isExact = true;
  readonly #open = new Set<LiveBucket>();
  /** The fields that may hold entities in place of their pks. */
  readonly #relations: readonly string[];
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
    this.tables = new Set([entity.key]);
    this.#alone = { source, related: NONE, depend: () => undefined };
    const { schema } = entity;
    this.#relations = Object.keys(schema).filter((field) => isEntity([schema[field]].flat()[0]));
    this.#readers = fields.map((field) => fieldOf([entity], field).readStored);
    eachRequired(entity, (related, field) => this.watch(related, field));
  }

  /** Its size, for tools. */
  get cost(): { readonly buckets: number; readonly openBuckets: number; readonly entries: number } {
    let [buckets, entries] = [0, 0];
    const count = (at: Nested | Leaf): void => {
      if (at instanceof Map) {
        for (const inner of at.values()) count(inner);
      } else {
        buckets += 1;
        entries += at instanceof LiveBucket ? at.entries.size : typeof at === 'string' ? 1 : at.length;
      }
    };
    count(this.#buckets);
    return { buckets, openBuckets: this.#open.size, entries };
  }

  /** The fields whose ranges it finds in a sorted list, for tools. */
  get ranges(): readonly string[] {
    return [...new Set([...this.#open].flatMap(({ ranges }) => ranges))];
  }

  /** Whether changes of a table can affect this index. */
  follows(table: string): boolean {
    return this.tables.has(table);
  }

  /**
   * Lets changes of related rows update the rows that depend on them.
   *
   * @param field - one that is read of them; undefined where it only counts whether they are there
   */
  watch(entity: EntityClass, field: string | undefined): void {
    this.tables.add(entity.key);
    const watched = getOrInsert(this.#watched, entity.key, () => ({
      entities: new Set<EntityClass>(),
      fields: new Set<string>(),
    }));
    watched.entities.add(entity);
    if (field !== undefined) watched.fields.add(field);
  }

  /**
   * The bucket for these values of the fields, with all its entries. Related tables that its queries read must be
   * watched before.
   */
  bucket(values: readonly unknown[]): LiveBucket {
    let found = this.#find(values);
    if (found instanceof LiveBucket) return found;
    const bucket = new LiveBucket(this, values);
    const isFirst = !this.#wasSearched;
    this.#wasSearched = true;
    if (found === undefined && !isFirst && !this.#isHashed) {
      this.#hash();
      const leaf = this.#find(values);
      found = leaf instanceof LiveBucket ? undefined : leaf;
    }
    const isExact = this.#isExact;
    const fill = (pk: string): void => {
      const fields = this.row(pk);
      if (fields !== undefined && (isExact || (this.#isIn(values, fields) && !bucket.entries.has(pk))))
        bucket.fill(pk, fields);
    };
    if (isFirst) {
      this.#source.each(this.entity.key, (pk, stored) => {
        if (this.#isIn(values, stored)) fill(pk);
      });
    } else if (typeof found === 'string') fill(found);
    else found?.forEach(fill);
    this.#put(values, bucket);
    this.#open.add(bucket);
    return bucket;
  }

  /** Keeps only the pks of a bucket. */
  close(bucket: LiveBucket): void {
    const pks = [...bucket.entries.keys(), ...bucket.incomplete];
    this.#open.delete(bucket);
    this.#put(bucket.values, pks);
    for (const pk of pks) this.#depend(pk, NONE);
  }

  /** Updates the index for a changed row, and adds the queries that read differently to `changed`. */
  change(
    table: string,
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
    changed: Set<object>,
  ): void {
    if (table === this.entity.key) this.#changeRow(pk, before, after, changed);
    if (this.#dependents.get(table)?.has(pk) === true && this.#matters(table, before, after))
      this.changeDependents(table, pk, changed);
  }

  /** Updates the rows that depend on another one. */
  changeDependents(table: string, pk: string, changed: Set<object>): void {
    for (const dependent of [...(this.#dependents.get(table)?.get(pk) ?? [])]) {
      const value = this.#source.row(this.entity, dependent);
      this.#changeRow(dependent, value, value, changed);
    }
  }

  /** Creates the entry of a row and records its dependencies; undefined if the row is incomplete. */
  entry(pk: string, fields: EntityValue): Entry | undefined {
    for (const field of this.#relations) {
      const value = fields[field];
      if (isPlain(Array.isArray(value) ? value[0] : value))
        this.#source.reportInline({ entity: this.entity, pk, row: fields });
    }
    const reader = this.reader();
    const subject: Subject = { schema: this.entity, fields };
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

  row(pk: string): EntityValue | undefined {
    return this.#source.row(this.entity, pk);
  }

  /** Adds the rows that a query's own condition has read. Queries mostly read the same ones. */
  dependFurther(pk: string, related: Related): void {
    const added = related.filter(([table, to]) => {
      const byPk = getOrInsert(this.#dependents, table, () => new Map<string, Set<string>>());
      const pks = getOrInsert(byPk, to, () => new Set<string>());
      return pks.size < pks.add(pk).size;
    });
    if (added.length > 0) this.#related.set(pk, [...(this.#related.get(pk) ?? NONE), ...added]);
  }

  #changeRow(
    pk: string,
    before: EntityValue | undefined,
    after: EntityValue | undefined,
    changed: Set<object>,
  ): void {
    const values = after && this.#valuesOf(after);
    const leaf = values && this.#find(values);
    const left = before === after ? leaf : before && this.#find(this.#valuesOf(before));
    const isMoved = left !== leaf;
    if (isMoved) {
      this.#isExact = false;
      if (left instanceof LiveBucket) left.update(pk, undefined, changed);
    }
    if (leaf instanceof LiveBucket) {
      leaf.update(pk, after, changed);
      return;
    }
    // Once hashed, only a row with new values has no leaf.
    if (values !== undefined && (leaf === undefined ? this.#isHashed : isMoved)) this.#arrived(values, pk);
    this.#depend(pk, NONE);
  }

  /** Whether a change of a related row can affect the rows that depend on it. */
  #matters(table: string, before: EntityValue | undefined, after: EntityValue | undefined): boolean {
    const watched = this.#watched.get(table);
    if (watched === undefined) return false;
    if (before === undefined || after === undefined) return true;
    for (const field of watched.fields) if (before[field] !== after[field]) return true;
    for (const entity of watched.entities)
      if (isValid(entity, before) !== isValid(entity, after)) return true;
    return false;
  }

  #depend(pk: string, related: Related): void {
    for (const [table, to] of this.#related.get(pk) ?? NONE) {
      const byPk = this.#dependents.get(table);
      const pks = byPk?.get(to);
      pks?.delete(pk);
      if (pks?.size === 0) byPk?.delete(to);
    }
    if (this.#related.size > 0) this.#related.delete(pk);
    this.dependFurther(pk, related);
  }

  /**
   * The values of a row in the fields that are hashed.
   *
   * @param values - the list to write them to
   */
  #valuesOf(fields: EntityValue, values: unknown[] = []): readonly unknown[] {
    for (let at = 0; at < this.#readers.length; at++) values[at] = comparable(this.#readers[at]?.(fields));
    return values;
  }

  /** Whether a row has these values. */
  #isIn(values: readonly unknown[], fields: EntityValue | undefined): boolean {
    if (fields === undefined) return false;
    for (let at = 0; at < values.length; at++)
      if (!isSame(comparable(this.#readers[at]?.(fields)), values[at])) return false;
    return true;
  }

  /** Makes the closed buckets of all rows that are in no open one. */
  #hash(): void {
    this.#buckets = new Map();
    this.#isHashed = this.#isExact = true;
    // One list for the values of all rows: of 100,000 rows, a list each costs as much as everything else here.
    const values: unknown[] = [];
    this.#source.each(this.entity.key, (pk, fields) => {
      if (fields === undefined) return;
      this.#add(this.#valuesOf(fields, values), pk);
    });
    for (const bucket of this.#open) this.#put(bucket.values, bucket);
  }

  /** Notes a row of a closed bucket. Those that have left it are sorted out when it is opened, or has doubled. */
  #arrived(values: readonly unknown[], pk: string): void {
    const found = this.#add(values, pk);
    if (found === undefined || found.length <= 1_000 || (found.length & (found.length - 1)) !== 0) return;
    this.#put(
      values,
      [...new Set(found)].filter((one) => this.#isIn(values, this.row(one))),
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
    for (const value of values.slice(0, -1)) at = getOrInsert(at, value, () => new Map()) as Nested; // above the last level
    at.set(values.at(-1), leaf);
  }
}
