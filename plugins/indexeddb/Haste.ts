/** Whether there may be no later, as when a page is left: work that lets go of the main thread would not be resumed. */
export class Haste {
  /** How much of what is done in haste is under way. */
  #count = 0;
  #begin: () => void = () => undefined;
  #begun = this.#ahead();

  get isOn(): boolean {
    return this.#count > 0;
  }

  /** Resolves when it begins, if it has not. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  /** Runs something in haste. That lasts until the last of what is run so has ended. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    this.#begin();
    try {
      await work();
    } finally {
      this.#count -= 1;
      if (!this.isOn) this.#begun = this.#ahead();
    }
  }

  #ahead(): Promise<void> {
    return new Promise((resolve) => (this.#begin = resolve));
  }
}
