import type { Entry } from './Entry.ts';

/**
 * Entries in the order in which they were asked for, however they come: to add or to take out one costs a search, which
 * hardly grows with how many there are.
 */
export class InOrder {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries[Symbol.iterator]();
  }

  /** Where one stands; undefined where it does not. */
  placeOf(entry: Entry): number | undefined {
    const place = this.#search(entry);
    return this.#entries[place] === entry ? place : undefined;
  }

  /** @returns where it stands now; undefined where it stood there before */
  add(entry: Entry): number | undefined {
    const place = this.#search(entry);
    if (this.#entries[place] === entry) return undefined;
    this.#entries.splice(place, 0, entry);
    return place;
  }

  /** @returns where it stood; undefined where it did not */
  remove(entry: Entry): number | undefined {
    const place = this.placeOf(entry);
    if (place !== undefined) this.#entries.splice(place, 1);
    return place;
  }

  /** Takes out the first so many. */
  take(count: number): readonly Entry[] {
    return this.#entries.splice(0, count);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** Where it stands, or would. */
  #search(entry: Entry): number {
    let low = 0;
    let high = this.#entries.length;
    // Most come last.
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

/** The order of entries: as they were asked for; those of one moment, which are other tabs', by key. */
export function compareEntries(left: Entry, right: Entry): number {
  return left.record.order - right.record.order || (left.key < right.key ? -1 : Number(left.key > right.key));
}
