/** Reads in progress at a time, so that the disk works while memory merges. More would delay reads of components. */
const PREFETCHED = 2;

/** Sequential reads, a few of which are started ahead. */
export class Prefetcher<T> {
  readonly #end: number;
  readonly #step: number;
  readonly #read: (first: number) => Promise<T>;
  readonly #readings: Promise<T>[] = [];
  #first = 0;

  /**
   * @param end - the number of items
   * @param step - items per read
   */
  constructor(end: number, step: number, read: (first: number) => Promise<T>) {
    this.#end = end;
    this.#step = step;
    this.#read = read;
  }

  /** The next read; undefined after the last. */
  next(): Promise<T> | undefined {
    while (this.#first < this.#end && this.#readings.length < PREFETCHED) {
      const reading = this.#read(this.#first);
      // Awaited by the caller, unless it stops.
      reading.catch(() => undefined);
      this.#readings.push(reading);
      this.#first += this.#step;
    }
    return this.#readings.shift();
  }
}
