/** Orders given out within one millisecond before the clock runs ahead of real time. */
const PER_MILLISECOND = 1_024;

/**
 * The first order of a time.
 *
 * @param time - in ms since the epoch
 */
export function orderAt(time: number): number {
  return Math.floor(time) * PER_MILLISECOND;
}

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
    this.#last = Math.max(this.#last + 1, orderAt(this.#now()));
    return this.#last;
  }

  /** Advances the clock past an order from elsewhere (disk, another tab). */
  witness(order: number): void {
    if (order > this.#last) this.#last = order;
  }
}
