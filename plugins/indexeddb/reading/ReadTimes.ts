/** The resolution of stored read times, in ms: a finer one would cost more writes than it is worth. */
const GRAIN = 60 * 60 * 1_000;

/** When results were last read, so that the least recently read are evicted first. */
export class ReadTimes {
  readonly #at = new Map<string, number>();
  /** The stored read times. */
  readonly #written = new Map<string, number>();
  readonly #due = new Set<string>();
  /** Whether to write them even if nothing else is pending. */
  isUrgent = false;

  /**
   * @param key - of the result
   * @param now - in ms since the epoch
   */
  record(key: string, now: number): void {
    this.#at.set(key, now);
    if (now - (this.#written.get(key) ?? -Infinity) >= GRAIN) this.#due.add(key);
  }

  /** In ms since the epoch; undefined if it was not read in this session. */
  at(key: string): number | undefined {
    return this.#at.get(key);
  }

  get isDue(): boolean {
    return this.isUrgent && this.#due.size > 0;
  }

  /** Takes the read times to write. */
  take(): (readonly [key: string, at: number])[] {
    const taken: [string, number][] = [];
    for (const key of this.#due) {
      const at = this.#at.get(key) ?? 0;
      this.#written.set(key, at);
      taken.push([key, at]);
    }
    this.#due.clear();
    this.isUrgent = false;
    return taken;
  }

  /** Adds read times that could not be written. */
  requeue(taken: readonly (readonly [key: string, at: number])[]): void {
    for (const [key] of taken) {
      this.#written.delete(key);
      this.#due.add(key);
    }
  }

  clear(): void {
    this.#at.clear();
    this.#written.clear();
    this.#due.clear();
  }
}
