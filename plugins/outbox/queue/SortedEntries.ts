import type { Entry } from './Entry.ts';
import type { OutboxEntry } from '../OutboxOptions.ts';

/** Entries sorted by order. Adding and removing takes a binary search. */
export class SortedEntries {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries[Symbol.iterator]();
  }

  /** What the app sees of them. A long queue is read at each change, and `Array.from` takes several times as long. */
  get views(): OutboxEntry[] {
    return this.#entries.map(({ view }) => view);
  }

  has(entry: Entry): boolean {
    return this.#entries[this.#search(entry)] === entry;
  }

  /** Adds an entry, unless it is included. */
  add(entry: Entry): void {
    const index = this.#search(entry);
    if (this.#entries[index] !== entry) this.#entries.splice(index, 0, entry);
  }

  /** Removes an entry, if it is included. */
  remove(entry: Entry): void {
    const index = this.#search(entry);
    if (this.#entries[index] === entry) this.#entries.splice(index, 1);
  }

  /** The first one. */
  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** Removes and returns so many from the start. */
  shift(count: number): readonly Entry[] {
    return this.#entries.splice(0, count);
  }

  /** Those with a later place than this one, which need not be included. */
  after(entry: Entry): readonly Entry[] {
    return this.#entries.slice(this.#search(entry));
  }

  /** The index where it is, or would be inserted. */
  #search(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    // Most entries are appended.
    let middle = high - 1;
    while (low < high) {
      const other = this.#entries[middle];
      if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
      else high = middle;
      middle = (low + high) >>> 1;
    }
    return low;
  }
}

/** Sorts by order, then by key, since two tabs may give out the same order. */
export function compareEntries(left: Entry, right: Entry): number {
  return left.record.order - right.record.order || (left.key < right.key ? -1 : Number(left.key > right.key));
}
