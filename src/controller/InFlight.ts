import { isolated } from '../util/isolated.ts';

/** A read that is under way. */
interface Entry {
  promise: Promise<unknown>;
  /** Whether it only remains to store and pass on what it was answered. */
  isAnswered: boolean;
  /** Whether it asks the network in any case; otherwise what disk has may be enough. */
  asksNetwork: boolean;
  /** The generation of reads in which its request began; undefined before that. */
  generation: number | undefined;
}

/** What a read under way may do to its place in the table. */
export interface Place {
  /** Its request begins now. */
  begins(): void;
  /** It has been answered: what it stores now is no longer being loaded. */
  answered(): void;
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
  readonly #listeners = new Map<string, Set<() => void>>();
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  /** Whether any read of this key is under way. */
  has(key: string): boolean {
    return this.#entries.get(key)?.isAnswered === false;
  }

  /** The keys of the reads whose requests have begun. */
  begun(): string[] {
    return [...this.#entries].filter(([, { generation }]) => generation !== undefined).map(([key]) => key);
  }

  /** Calls `listener` when `has(key)` may have changed, but not while anything renders; the result stops that. */
  watch(key: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    // One of its own for each call, so that stopping one leaves the others.
    const tell = (): void => listener();
    this.#listeners.set(key, listeners.add(tell));
    return () => {
      listeners.delete(tell);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
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
    const entry: Entry = {
      promise: Promise.resolve(),
      isAnswered: false,
      asksNetwork,
      generation: undefined,
    };
    this.#entries.set(key, entry);
    // A component may be rendering that asked for it.
    if (this.#listeners.has(key)) queueMicrotask(() => this.#tell(key));
    const leaves = (): void => {
      if (this.#entries.get(key) === entry) this.forget(key);
    };
    const begins = (): void => {
      entry.generation = this.#generation;
      entry.asksNetwork = true;
    };
    const answered = (): void => {
      entry.isAnswered = true;
    };
    const promise = run({ begins, answered, leaves }).finally(leaves);
    // Whoever asked handles the rejection; readers that only wait for the store do not have to.
    promise.catch(() => undefined);
    entry.promise = promise;
    return promise;
  }

  /** Nothing asked for from now on joins a request that has begun. */
  nextGeneration(): void {
    this.#generation += 1;
  }

  /** Lets no new read join the request for `key` that is under way. One that still waits for disk is yet to ask. */
  outdate(key: string): void {
    if (this.#entries.get(key)?.generation !== undefined) this.forget(key);
  }

  /** Lets no new read join the one under way for `key`. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#tell(key);
  }

  clear(): void {
    for (const key of [...this.#entries.keys()]) this.forget(key);
    this.#generation += 1;
  }

  #tell(key: string): void {
    for (const listener of [...(this.#listeners.get(key) ?? [])]) isolated(listener);
  }

  #joinable(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || (entry.generation ?? this.#generation) === this.#generation
      ? entry
      : undefined;
  }
}
