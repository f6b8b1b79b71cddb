/** How exactly it is kept on disk when a result was last read, in ms: more often would cost writes and tell little. */
const GRAIN = 60 * 60 * 1_000;

/** When results were last read, so that the coldest go first where there are too many. */
export class ReadTimes {
  readonly #at = new Map<string, number>();
  /** The times that were written. */
  readonly #written = new Map<string, number>();
  readonly #due = new Set<string>();
  /** Whether they are written even if nothing else is. */
  isUrgent = false;

  /**
   * @param key - of the result
   * @param now - in ms since the epoch
   */
  note(key: string, now: number): void {
    this.#at.set(key, now);
    if (now - (this.#written.get(key) ?? -Infinity) >= GRAIN) this.#due.add(key);
  }

  /** In ms since the epoch; undefined for one that was not read in this session. */
  at(key: string): number | undefined {
    return this.#at.get(key);
  }

  get isDue(): boolean {
    return this.isUrgent && this.#due.size > 0;
  }

  /** Hands over what is to be written. */
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

  /** What was handed over could not be written. */
  putBack(taken: readonly (readonly [key: string, at: number])[]): void {
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
