/** Orders given out within one millisecond before the clock runs ahead of real time. */
const PER_MILLISECOND = 1_024;

/**
 * Gives every event a place in one order: a hybrid logical clock. It follows real time, so that orders of different
 * tabs and days compare, but never repeats or goes back, even if the system's clock does.
 */
export class OrderClock {
  #last = 0;
  readonly #now: () => number;

  /** @param now - the time in ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The next order. */
  tick(): number {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#now()) * PER_MILLISECOND);
    return this.#last;
  }

  /** Takes note of an order from elsewhere (disk, another tab): later ones will be greater. */
  witness(order: number): void {
    if (order > this.#last) this.#last = order;
  }
}
