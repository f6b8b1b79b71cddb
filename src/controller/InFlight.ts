/** A read that is under way. */
interface Entry {
  promise: Promise<unknown>;
  /** Whether it asks the network in any case; otherwise what disk has may be enough. */
  asksNetwork: boolean;
  /** The generation of reads in which its request began; undefined before that. */
  generation: number | undefined;
}

/** What a read under way may do to its place in the table. */
export interface Place {
  /** Its request begins now. */
  begins(): void;
  /** It lets others take the place before it has settled. */
  leaves(): void;
}

/**
 * The reads that are under way, by endpoint key, so that identical ones are shared. A read asked for after a mutation
 * finished must see what the mutation did, so it does not join a request that began before: that one is of a past
 * generation.
 */
export class InFlight {
  readonly #entries = new Map<string, Entry>();
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  /** Whether any read of this key is under way. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The promise of a read that a new one may join. */
  find(key: string): Promise<unknown> | undefined {
    return this.#joinable(key)?.promise;
  }

  /** The same for one that must not be answered from disk. */
  findRequest(key: string): Promise<unknown> | undefined {
    const entry = this.#joinable(key);
    return entry?.asksNetwork === true ? entry.promise : undefined;
  }

  /** Runs a read that others may join until it settles. */
  add<T>(key: string, asksNetwork: boolean, run: (place: Place) => Promise<T>): Promise<T> {
    const entry: Entry = { promise: Promise.resolve(), asksNetwork, generation: undefined };
    this.#entries.set(key, entry);
    const leaves = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    const begins = (): void => {
      entry.generation = this.#generation;
      entry.asksNetwork = true;
    };
    const promise = run({ begins, leaves }).finally(leaves);
    // Whoever asked handles the rejection; readers that only wait for the store do not have to.
    promise.catch(() => undefined);
    entry.promise = promise;
    return promise;
  }

  /** Nothing asked for from now on joins a request that has begun. */
  nextGeneration(): void {
    this.#generation += 1;
  }

  /** Lets no new read join the one under way for `key`. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#generation += 1;
  }

  #joinable(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || (entry.generation ?? this.#generation) === this.#generation
      ? entry
      : undefined;
  }
}
