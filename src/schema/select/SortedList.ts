/** How many items a chunk holds before it is split in two. */
const CHUNK = 512;

/**
 * A list that stays sorted while items come and go: chunks of at most 512, so that an insertion moves few items however
 * long the list is. The order must be total: two items that compare as 0 are the same one.
 */
export class SortedList<T> {
  #chunks: T[][] = [];
  #size = 0;
  readonly #compare: (left: T, right: T) => number;

  /**
   * @param compare - negative where the left one comes first
   * @param items - in any order
   */
  constructor(compare: (left: T, right: T) => number, items: Iterable<T> = []) {
    this.#compare = compare;
    const sorted = [...items].sort(compare);
    for (let at = 0; at < sorted.length; at += CHUNK / 2) this.#chunks.push(sorted.slice(at, at + CHUNK / 2));
    this.#size = sorted.length;
  }

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0];
  }

  get last(): T | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  add(item: T): void {
    this.#size += 1;
    if (this.#chunks.length === 0) {
      this.#chunks.push([item]);
      return;
    }
    const isBefore = this.#before(item);
    const at = Math.min(this.#chunkOf(isBefore), this.#chunks.length - 1);
    const chunk = this.#chunks[at] as T[]; // there is one
    chunk.splice(firstNot(chunk, isBefore), 0, item);
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));
  }

  /** Removes an item, found by its place in the order. Returns whether it was there. */
  remove(item: T): boolean {
    const isBefore = this.#before(item);
    const at = this.#chunkOf(isBefore);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const index = firstNot(chunk, isBefore);
    const found = chunk[index];
    if (found === undefined || this.#compare(found, item) !== 0) return false;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    this.#size -= 1;
    return true;
  }

  /** The items from `start` on, at most `count` of them. */
  slice(start: number, count: number): T[] {
    let found: T[] = [];
    let skip = start;
    for (const chunk of this.#chunks) {
      if (found.length >= count) break;
      const part = chunk.slice(skip, skip + count - found.length);
      // Mostly, one chunk has all of them.
      if (found.length === 0) found = part;
      else for (const item of part) found.push(item);
      skip = Math.max(0, skip - chunk.length);
    }
    return found;
  }

  /** The items from the first one on of which `isBefore` is false; it is true of all items before that one. */
  *after(isBefore: (item: T) => boolean): Iterable<T> {
    let at = this.#chunkOf(isBefore);
    let index = firstNot(this.#chunks[at] ?? [], isBefore);
    for (; at < this.#chunks.length; at++, index = 0) yield* this.#chunks[at]?.slice(index) ?? [];
  }

  /** The first chunk whose last item does not come before; one past the end where there is none. */
  #chunkOf(isBefore: (item: T) => boolean): number {
    return firstNot(this.#chunks, (chunk) => isBefore(chunk[chunk.length - 1] as T)); // no chunk is empty
  }

  /** Whether other items come before this one. */
  #before(item: T): (other: T) => boolean {
    const compare = this.#compare;
    return (other) => compare(other, item) < 0;
  }
}

/** The index of the first item of which `isBefore` is false, by binary search. */
function firstNot<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle] as T)) low = middle + 1; // within the list
    else high = middle;
  }
  return low;
}
