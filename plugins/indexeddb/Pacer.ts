import type { Haste } from './Haste.ts';

/** How long work may hold the main thread, in ms: on a phone that is four times slower, a task stays within a frame or two. */
const BUDGET = 5;

/** Steps between two looks at the clock: none of them may take long. */
const STEPS = 16;

/**
 * Cuts long work into short tasks: ask `isDue` at every step, and `pause` when it is.
 *
 * @example
 * async function save(rows: Iterable<object>, pacer: Pacer) {
 *   for (const row of rows) {
 *     if (pacer.isDue) await pacer.pause();
 *     structuredClone(row);
 *   }
 * }
 */
export class Pacer {
  readonly #turn: () => Promise<void>;
  readonly #haste: Haste | undefined;
  #since = performance.now();
  #steps = 0;

  /**
   * @param turn - how to let go of the main thread: `soon` where somebody waits for what is done, else `nextTurn`
   * @param haste - when not to let go of it
   */
  constructor(turn: () => Promise<void>, haste?: Haste) {
    this.#turn = turn;
    this.#haste = haste;
  }

  /** Whether the main thread has been held for long enough. */
  get isDue(): boolean {
    if (this.#haste?.isOn === true) return false;
    // A look at the clock costs more than many a step.
    return ++this.#steps % STEPS === 0 && performance.now() - this.#since > BUDGET;
  }

  /** Lets go of the main thread. */
  async pause(): Promise<void> {
    await (this.#haste === undefined ? this.#turn() : Promise.race([this.#turn(), this.#haste.begun]));
    this.#since = performance.now();
  }
}
