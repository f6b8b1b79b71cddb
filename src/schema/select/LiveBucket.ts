import type { EntityValue } from '../Meta.ts';
import type { EntityClass } from '../Schema.ts';
import type { Conditions, Test } from './conditions.ts';
import type { Range } from './ranges.ts';
import type { Entry, Ordering } from './ordering.ts';
import { RangeList } from './RangeList.ts';
import type { RowReader, Subject } from './relations.ts';
import { SortedList } from './SortedList.ts';

/** The rows that a row depends on, as table and pk. */
export type Related = readonly (readonly [table: string, pk: string])[];

/** A query that is kept up to date by a bucket of an index. */
export interface LiveQuery {
  /**
   * Updates the query for a row that changed.
   *
   * @param before - its entry until now; undefined where it was no member of the bucket
   * @param after - its entry now, the same one where its place in the order stays
   * @param read - reads the row as it is now
   * @param changed - receives what reads differently
   */
  change(before: Entry | undefined, after: Entry | undefined, read: RowReader, changed: Set<object>): void;
}

/** A part of the matches of a condition, such as a window. */
export interface MatchesPart {
  /** @returns whether the part reads differently */
  change(before: Entry | undefined, after: Entry | undefined): boolean;
}

/** The index of a bucket. */
export interface BucketIndex {
  readonly entity: EntityClass;
  readonly ordering: Ordering;
  /** Every table whose changes can affect it. */
  readonly tables: Iterable<string>;
  /** The part that stands for the existence of its entity's table. */
  readonly table: object;
  row(pk: string): EntityValue | undefined;
  /** Creates the entry of a row and records its dependencies; undefined if the row is incomplete. */
  entry(pk: string, fields: EntityValue): Entry | undefined;
  /** A reader of rows, which records those that were needed of other tables. */
  reader(): RowReader & { readonly related: Related };
  /** Adds the rows that a query's own condition has read. */
  dependFurther(pk: string, related: Related): void;
  /** Called when a bucket has lost its last query. */
  close(bucket: LiveBucket): void;
}

/** In smaller buckets, ranges are found by testing every row. */
const MANY = 1_000;

/** The rows of an index that have the same values in the fields that it hashes, while queries read them. */
export class LiveBucket {
  readonly index: BucketIndex;
  readonly values: readonly unknown[];
  readonly entries = new Map<string, Entry>();
  /** The pks of rows that readers do not see yet, such as those whose required relation is missing. */
  readonly incomplete = new Set<string>();
  readonly #queries = new Set<LiveQuery>();
  /** By the text of the condition: queries that differ in their window alone share them. */
  readonly #matches = new Map<string, Matches>();
  /** By field; undefined where one query alone has asked for a range of it. */
  readonly #ranges = new Map<string, RangeList | undefined>();
  #sorted: SortedList<Entry> | undefined;

  constructor(index: BucketIndex, values: readonly unknown[]) {
    this.index = index;
    this.values = values;
  }

  get sorted(): SortedList<Entry> {
    return (this.#sorted ??= new SortedList(this.index.ordering.compare, this.entries.values()));
  }

  /** The fields by which it finds ranges, for tools. */
  get ranges(): readonly string[] {
    return [...this.#ranges].flatMap(([field, list]) => (list === undefined ? [] : [field]));
  }

  /** Makes the entry of a row that is in the bucket. */
  fill(pk: string, fields: EntityValue): void {
    const entry = this.index.entry(pk, fields);
    if (entry === undefined) this.incomplete.add(pk);
    else this.entries.set(pk, entry);
  }

  /** Keeps a query up to date, which has seen all entries. */
  add(query: LiveQuery): void {
    this.#queries.add(query);
  }

  /** Updates a query no longer. The entries go with the last one. */
  remove(query: LiveQuery): void {
    if (this.#queries.delete(query) && this.#queries.size === 0) this.index.close(this);
  }

  /** The sorted entries that meet a condition. */
  matches({ id, test, range }: Conditions): Matches {
    let found = this.#matches.get(id);
    if (found === undefined) {
      const remove = (): void => {
        this.#matches.delete(id);
        if (found !== undefined) this.remove(found);
      };
      found = new Matches(this, test, range, remove);
      this.#matches.set(id, found);
      this.add(found);
    }
    return found;
  }

  /** The entries that may be in a range. The second query that asks for a field makes a list sorted by it. */
  candidates(range: Range | undefined): Iterable<Entry> {
    if (range === undefined || this.entries.size < MANY) return this.entries.values();
    let list = this.#ranges.get(range.field);
    if (list === undefined) {
      const isFirst = !this.#ranges.has(range.field);
      if (!isFirst) {
        list = new RangeList(range.read);
        for (const pk of this.entries.keys()) list.set(pk, this.index.row(pk));
      }
      this.#ranges.set(range.field, list);
    }
    return list === undefined ? this.entries.values() : this.#entriesOf(list.between(range));
  }

  /** Whether the row of an entry meets a condition. Records the other rows that the condition reads. */
  test(entry: Entry, test: Test, reader?: RowReader): boolean {
    const fields = this.index.row(entry.pk);
    if (fields === undefined) return false;
    const subject: Subject = { schema: this.index.entity, fields };
    if (reader !== undefined) return test(subject, reader);
    const own = this.index.reader();
    const passes = test(subject, own);
    this.index.dependFurther(entry.pk, own.related);
    return passes;
  }

  /** @param stored - the row; undefined where it has left the bucket */
  update(pk: string, stored: EntityValue | undefined, changed: Set<object>): void {
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
    for (const list of this.#ranges.values()) list?.set(pk, after && fields);
    const reader = this.index.reader();
    for (const query of this.#queries) query.change(before, after, reader, changed);
    this.index.dependFurther(pk, reader.related);
  }

  *#entriesOf(pks: Iterable<string>): Iterable<Entry> {
    for (const pk of pks) {
      const entry = this.entries.get(pk);
      if (entry !== undefined) yield entry;
    }
  }
}

/** The sorted entries of a bucket that meet a condition. */
export class Matches implements LiveQuery {
  readonly bucket: LiveBucket;
  readonly list: SortedList<Entry>;
  readonly #test: Test | undefined;
  readonly #parts = new Set<MatchesPart>();
  readonly #remove: () => void;

  constructor(bucket: LiveBucket, test: Test | undefined, range: Range | undefined, remove: () => void) {
    this.bucket = bucket;
    this.#test = test;
    this.#remove = remove;
    this.list =
      test === undefined
        ? bucket.sorted
        : new SortedList(
            bucket.index.ordering.compare,
            [...bucket.candidates(range)].filter((entry) => bucket.test(entry, test)),
          );
  }

  add(part: MatchesPart): void {
    this.#parts.add(part);
  }

  /** The list goes with its last part. */
  remove(part: MatchesPart): void {
    if (this.#parts.delete(part) && this.#parts.size === 0) this.#remove();
  }

  change(before: Entry | undefined, after: Entry | undefined, reader: RowReader, changed: Set<object>): void {
    let [was, is] = [before, after];
    if (this.#test !== undefined) {
      if (was !== undefined && !this.list.remove(was)) was = undefined;
      if (is !== undefined && !this.bucket.test(is, this.#test, reader)) is = undefined;
      if (is !== undefined) this.list.add(is);
    }
    if (was === is) return;
    for (const part of this.#parts) if (part.change(was, is)) changed.add(part);
  }
}
