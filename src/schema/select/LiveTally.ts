import type { Test } from './conditions.ts';
import type { LiveBucket, LiveQuery } from './LiveIndex.ts';
import type { Entry } from './ordering.ts';
import { Tally, type Contributions } from './Tally.ts';
import type { RowReader } from './relations.ts';

/** An aggregate over the rows of a bucket that meet a condition. */
export class LiveTally implements LiveQuery {
  readonly bucket: LiveBucket;
  readonly #test: Test | undefined;
  readonly #tally: Tally;

  constructor(bucket: LiveBucket, test: Test | undefined, contributions: Contributions) {
    this.bucket = bucket;
    this.#test = test;
    this.#tally = new Tally(contributions);
    const reader = bucket.index.reader();
    for (const entry of bucket.entries.values()) this.#set(entry, reader, undefined);
  }

  get result(): unknown {
    return this.#tally.result;
  }

  change(before: Entry | undefined, after: Entry | undefined, reader: RowReader): boolean {
    if (after !== undefined) return this.#set(after, reader, reader);
    return before !== undefined && this.#tally.set(before.pk, undefined, reader);
  }

  #set(entry: Entry, reader: RowReader, recorder: RowReader | undefined): boolean {
    const { bucket } = this;
    const isMember = this.#test === undefined || bucket.test(entry, this.#test, recorder);
    const fields = isMember ? bucket.index.row(entry.pk) : undefined;
    const subject = fields === undefined ? undefined : { entity: bucket.index.entity, fields };
    return this.#tally.set(entry.pk, subject, reader);
  }
}
