import type { Schedule } from './schedule.ts';

/** How long an answer waits to be shown by whoever waited for it, in ms. */
const LANDING = 5_000;

/**
 * The reads that were answered and not shown yet by those who waited for it, by endpoint key. Whoever waited may have
 * gone away instead, so that it is noted for some seconds only.
 */
export class Landings {
  /** With what ends the wait for each. */
  readonly #landed = new Map<string, () => void>();
  /** What has been shown already when those who wait for it are told. */
  readonly #shown = new WeakSet<Promise<unknown>>();
  /** How many answers are being waited for. */
  #expected = 0;
  readonly #schedule: Schedule;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  get size(): number {
    return this.#landed.size;
  }

  has(key: string): boolean {
    return this.#landed.has(key);
  }

  /** Somebody waits for this answer before showing it. */
  expect(key: string, answer: Promise<unknown>): void {
    this.#expected += 1;
    const land = (): void => {
      this.#expected -= 1;
      if (!this.#shown.has(answer)) this.#add(key);
    };
    answer.then(land, land);
  }

  /**
   * It is shown: from now on, what has landed is as old as it is.
   *
   * @param answer - the one that is in the store, but of which those who wait for it have yet to be told
   */
  shown(key: string, answer: Promise<unknown> | undefined): void {
    if (this.#expected === 0 && !this.#landed.has(key)) return;
    if (answer !== undefined) this.#shown.add(answer);
    // All who waited are shown in one go.
    queueMicrotask(() => this.delete(key));
  }

  #add(key: string): void {
    this.delete(key);
    this.#landed.set(
      key,
      this.#schedule(() => this.#landed.delete(key), LANDING),
    );
  }

  delete(key: string): void {
    this.#landed.get(key)?.();
    this.#landed.delete(key);
  }

  clear(): void {
    for (const key of [...this.#landed.keys()]) this.delete(key);
  }
}
