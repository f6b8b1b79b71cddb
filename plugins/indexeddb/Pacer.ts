import { nextTurn } from './idle.ts';

/** How long work may hold the main thread, in ms: on a phone that is four times slower, a task stays within a frame or two. */
const BUDGET = 5;

/**
 * Cuts long work into short tasks: ask `isDue` every few steps, and `pause` when it is.
 *
 * @example
 * for (const row of rows) {
 *   if (pacer.isDue) await pacer.pause();
 *   write(row);
 * }
 */
export class Pacer {
  #since = performance.now();

  /** Whether the main thread has been held for long enough. */
  get isDue(): boolean {
    return performance.now() - this.#since > BUDGET;
  }

  /** Lets go of the main thread until it has nothing better to do. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
