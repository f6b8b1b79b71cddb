import type { Conditions, Test } from './conditions.ts';
import type { LiveBucket, LiveQuery } from './LiveBucket.ts';
import type { Entry } from './ordering.ts';
import { Tally, type Contributions } from './Tally.ts';
import type { RowReader } from './relations.ts';

/** An aggregate over the rows of a bucket that meet a condition. */
export class LiveTally implements LiveQuery {
  readonly bucket: LiveBucket;
  readonly #test: Test | undefined;
  readonly #tally: Tally;

  constructor(bucket: LiveBucket, { test, range }: Conditions, contributions: Contributions) {
    this.bucket = bucket;
    this.#test = test;
    this.#tally = new Tally(contributions);
    const reader = bucket.index.reader();
    for (const entry of bucket.candidates(test && range)) this.#set(entry, reader, undefined);
    bucket.add(this);
  }

  /** How many rows it aggregates, for tools. */
  get size(): number {
    return this.#tally.size;
  }

  get result(): unknown {
    return this.#tally.result;
  }

  change(before: Entry | undefined, after: Entry | undefined, reader: RowReader, changed: Set<object>): void {
    const isChanged =
      after !== undefined
        ? this.#set(after, reader, reader)
        : before !== undefined && this.#tally.set(before.pk, undefined, reader);
    if (isChanged) changed.add(this);
  }

  close(): void {
    this.bucket.remove(this);
  }

  #set(entry: Entry, reader: RowReader, recorder: RowReader | undefined): boolean {
    const { bucket } = this;
    const isMember = this.#test === undefined || bucket.test(entry, this.#test, recorder);
    const fields = isMember ? bucket.index.row(entry.pk) : undefined;
    const subject = fields === undefined ? undefined : { schema: bucket.index.entity, fields };
    return this.#tally.set(entry.pk, subject, reader);
  }
}
