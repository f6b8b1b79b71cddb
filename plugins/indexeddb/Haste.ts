/** Whether there may be no later, as when a page is left: work that lets go of the main thread would not be resumed. */
export class Haste {
  #isOn = false;
  #begun: Promise<void>;
  #begin: () => void = () => undefined;

  constructor() {
    this.#begun = this.#ahead();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Resolves when it begins, if it has not. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  begin(): void {
    this.#isOn = true;
    this.#begin();
  }

  end(): void {
    this.#isOn = false;
    this.#begun = this.#ahead();
  }

  #ahead(): Promise<void> {
    return new Promise((resolve) => (this.#begin = resolve));
  }
}
