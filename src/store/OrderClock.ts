/** Orders given out within one millisecond before the clock runs ahead of real time. */
const PER_MILLISECOND = 1_024;

/**
 * A hybrid logical clock: gives every event a place in one order. It follows real time, so orders of different tabs
 * and days compare, and it never repeats or goes back, even if the system clock does.
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

  /** Advances the clock past an order from elsewhere (disk, another tab). */
  witness(order: number): void {
    if (order > this.#last) this.#last = order;
  }
}
