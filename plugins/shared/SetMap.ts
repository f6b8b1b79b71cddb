const NONE: ReadonlySet<never> = new Set();

/** A set of values for each key; without a set for a key that has no values. */
export class SetMap<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  /** The number of keys. */
  get size(): number {
    return this.#sets.size;
  }

  /** The values of a key, in the order in which they were added. */
  get(key: K): ReadonlySet<V> {
    return this.#sets.get(key) ?? NONE;
  }

  add(key: K, value: V): void {
    const values = this.#sets.get(key);
    if (values === undefined) this.#sets.set(key, new Set([value]));
    else values.add(value);
  }

  delete(key: K, value: V): void {
    const values = this.#sets.get(key);
    values?.delete(value);
    if (values?.size === 0) this.#sets.delete(key);
  }
}
