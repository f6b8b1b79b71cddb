/**
 * A seeded generator (mulberry32): the same seed gives the same tracker on every machine, so that a
 * screenshot, a test and a bug report speak of the same issues.
 */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} the next number in [0, 1) */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /**
   * @param {number} low
   * @param {number} high
   * @returns {number} a whole number from low to high, both included
   */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} items not empty
   * @returns {T}
   */
  pick(items) {
    // The index is within bounds by construction.
    return /** @type {T} */ (items[Math.floor(this.next() * items.length)]);
  }

  /**
   * @template T
   * @param {readonly (readonly [T, number])[]} weighted pairs of item and weight
   * @returns {T}
   */
  weighted(weighted) {
    let left = this.next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of weighted) {
      left -= weight;
      if (left < 0) return item;
    }
    return /** @type {readonly [T, number]} */ (weighted[weighted.length - 1])[0];
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @param {number} count
   * @returns {T[]} that many different items, in the order of the list
   */
  sample(items, count) {
    const left = new Set(items.keys());
    while (left.size > count) left.delete(this.pick([...left]));
    return items.filter((_, index) => left.has(index));
  }
}
