import { whenIdle } from '../../shared/mainThread.ts';
import type { Compactor } from '../maintenance/Compactor.ts';
import { losesUnloadWrites } from './UnloadMode.ts';

/** Background work runs when the main thread is idle, at the latest after this, in ms. */
const IDLE_TIMEOUT = 1_000;

/** The delays before the first retry and at most, in ms. The delay doubles with each retry. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** The work that runs in the background. */
export interface BackgroundWork {
  schedule(run: () => void, delay: number): () => void;
  /** Retries what failed. Resolves with whether everything has succeeded. */
  retry(): Promise<boolean>;
  flush(): Promise<void>;
  catchUp(): Promise<void>;
  readonly compactor: Pick<Compactor, 'isDue' | 'compact'>;
  /** Compaction waits for the background restore, which walks the shards that it would change. */
  readonly restoreComplete: Promise<void>;
}

/**
 * Runs flushes, retries and compactions in the background until it is stopped. Failures are reported where they
 * occur.
 */
export class Background {
  readonly #work: BackgroundWork;
  #isFlushScheduled = false;
  #isCompactionScheduled = false;
  /** Whether a flush has requested a compaction while one was scheduled, which may come too late for its batch. */
  #isCompactionRequestedAgain = false;
  isStopped = false;
  #isRetryScheduled = false;
  #pause = FIRST_PAUSE;
  #cancelRetry: () => void = () => undefined;

  constructor(work: BackgroundWork) {
    this.#work = work;
  }

  stop(): void {
    this.isStopped = true;
    this.#cancelRetry();
  }

  async flush(): Promise<void> {
    if (!this.isStopped) await this.#work.flush().catch(() => undefined);
  }

  /** Runs a function when the main thread is idle, unless it is stopped by then. It must not reject. */
  whenIdle(run: () => Promise<void>): void {
    void whenIdle(IDLE_TIMEOUT).then(() => (this.isStopped ? undefined : run()));
  }

  flushWhenIdle(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    void (losesUnloadWrites() ? Promise.resolve() : whenIdle(IDLE_TIMEOUT)).then(() => {
      this.#isFlushScheduled = false;
      return this.flush();
    });
  }

  async catchUp(): Promise<void> {
    if (!this.isStopped) await this.#work.catchUp().catch(() => undefined);
  }

  /** Retries with increasing delays until everything has succeeded. */
  retryLater(): void {
    if (this.#isRetryScheduled || this.isStopped) return;
    this.#isRetryScheduled = true;
    this.#cancelRetry = this.#work.schedule(() => {
      void this.#work
        .retry()
        .catch(() => false)
        .then((isDone) => {
          this.#isRetryScheduled = false;
          this.#pause = isDone ? FIRST_PAUSE : Math.min(2 * this.#pause, LONGEST_PAUSE);
          if (!isDone) this.retryLater();
        });
    }, this.#pause);
  }

  compactWhenIdle(): void {
    this.#isCompactionRequestedAgain = this.#isCompactionScheduled;
    if (this.#isCompactionScheduled || this.isStopped || !this.#work.compactor.isDue) return;
    this.#isCompactionScheduled = true;
    void this.#work.restoreComplete
      .then(() => whenIdle(IDLE_TIMEOUT))
      .then(() => (this.isStopped ? undefined : this.#work.compactor.compact()))
      .finally(() => {
        this.#isCompactionScheduled = false;
        if (this.#isCompactionRequestedAgain) this.compactWhenIdle();
      });
  }
}
