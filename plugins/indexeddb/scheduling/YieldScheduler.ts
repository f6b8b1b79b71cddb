import type { UnloadMode } from './UnloadMode.ts';

/**
 * The time after which to yield, in ms: on a phone that is four times slower, a task still fits into a frame or two.
 */
const BUDGET = 5;

/** Steps between two looks at the clock; each must be short. */
const STEPS = 16;

/**
 * Splits long work into short tasks: check `shouldYield` at every step, and await `yieldNow` if it is true.
 *
 * @example
 * async function save(rows: Iterable<object>, yielder: YieldScheduler) {
 *   for (const row of rows) {
 *     if (yielder.shouldYield) await yielder.yieldNow();
 *     structuredClone(row);
 *   }
 * }
 */
export class YieldScheduler {
  readonly #yieldToMain: () => Promise<void>;
  readonly #unloadMode: UnloadMode | undefined;
  readonly #stepsInOneTask: number;
  #since = performance.now();
  #steps = 0;

  /**
   * @param yieldToMain - how to yield to the main thread: `yieldToMain` if a caller waits for the result, else
   * `yieldInBackground`
   * @param unloadMode - never yields while it is active
   * @param stepsInOneTask - never yields before so many steps
   */
  constructor(yieldToMain: () => Promise<void>, unloadMode?: UnloadMode, stepsInOneTask = 0) {
    this.#yieldToMain = yieldToMain;
    this.#unloadMode = unloadMode;
    this.#stepsInOneTask = stepsInOneTask;
  }

  /** Whether it is time to yield. */
  get shouldYield(): boolean {
    if (this.#unloadMode?.isActive === true) return false;
    // Reading the clock costs more than most steps.
    if (++this.#steps % STEPS !== 0 || this.#steps <= this.#stepsInOneTask) return false;
    return performance.now() - this.#since > BUDGET;
  }

  /** Yields to the main thread. */
  async yieldNow(): Promise<void> {
    const yielded = this.#yieldToMain();
    await (this.#unloadMode?.waitFor(yielded) ?? yielded);
    this.#since = performance.now();
  }
}
