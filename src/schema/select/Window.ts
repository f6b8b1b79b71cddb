import type { Test } from './conditions.ts';
import type { LiveBucket, LiveQuery } from './LiveIndex.ts';
import type { Entry } from './ordering.ts';
import type { RowReader } from './relations.ts';
import { SortedList } from './SortedList.ts';

/** The part of an ordered bucket that a `Select` shows: the rows that meet its condition, within offset and limit. */
export class Window implements LiveQuery {
  readonly bucket: LiveBucket;
  readonly #test: Test | undefined;
  readonly #offset: number;
  readonly #limit: number;
  /** The entries that meet the condition; those of the bucket if there is none. */
  readonly #matches: SortedList<Entry>;
  #entries: readonly Entry[] | undefined;
  #pks: readonly string[] = [];
  /** The last entry, if the window is full: entries after it do not affect the window. */
  #last: Entry | undefined;

  constructor(bucket: LiveBucket, test: Test | undefined, offset: number, limit: number) {
    this.bucket = bucket;
    this.#test = test;
    this.#offset = offset;
    this.#limit = limit;
    this.#matches =
      test === undefined
        ? bucket.sorted
        : new SortedList(
            bucket.index.ordering.compare,
            [...bucket.entries.values()].filter((entry) => bucket.test(entry, test)),
          );
  }

  change(before: Entry | undefined, after: Entry | undefined, reader: RowReader): boolean {
    if (this.#test === undefined) return before !== after && (this.#shows(before) || this.#shows(after));
    const was = before !== undefined && this.#matches.remove(before);
    const is = after !== undefined && this.bucket.test(after, this.#test, reader);
    if (is) this.#matches.add(after);
    if (was && is && before === after) return false;
    return (was && this.#shows(before)) || (is && this.#shows(after));
  }

  /** The entries of the window, in order; the same list (`===`) until one of them changes. */
  get entries(): readonly Entry[] {
    return (this.#entries ??= this.#read());
  }

  /** Their pks; the same list (`===`) while they are the same. */
  get pks(): readonly string[] {
    const { entries } = this;
    const isSame = entries.length === this.#pks.length && entries.every(({ pk }, at) => pk === this.#pks[at]);
    return isSame ? this.#pks : (this.#pks = entries.map(({ pk }) => pk));
  }

  #read(): readonly Entry[] {
    const entries = this.#limit > 0 ? this.#matches.slice(this.#offset, this.#limit) : [];
    this.#last = entries.length === this.#limit ? entries.at(-1) : undefined;
    return entries;
  }

  /** Whether adding or removing an entry affects the window. */
  #shows(entry: Entry | undefined): boolean {
    if (entry === undefined || this.#limit <= 0) return false;
    const isShown = this.#last === undefined || this.bucket.index.ordering.compare(entry, this.#last) <= 0;
    if (isShown) this.#entries = undefined;
    return isShown;
  }
}
