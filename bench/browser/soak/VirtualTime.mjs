/** A clock and timers whose speed the caller sets. */
export class VirtualTime {
  #now;
  #timers = new Set();

  /** @param {number} now - in ms since the epoch */
  constructor(now) {
    this.#now = now;
  }

  get now() {
    return this.#now;
  }

  /** As a controller takes it. */
  schedule = (run, delay) => {
    const timer = { at: this.#now + delay, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Lets so many ms pass, and what is due in them run. */
  async pass(ms) {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      // The work that it started continues.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#now = end;
  }

  #next(end) {
    let next;
    for (const timer of this.#timers)
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }
}
