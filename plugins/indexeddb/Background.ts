import { whenIdle } from './idle.ts';
import { losesLastWrites } from './onPage.ts';

/** What is done in the background is done when the main thread has time, and begun at the latest after this, in ms. */
const WITHIN = 1_000;

/** After a failure, the pause before the first retry and the longest pause, in ms. Each pause is twice the one before. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** What there is to be done in the background. */
export interface BackgroundWork {
  schedule(run: () => void, delay: number): () => void;
  /** Tries what failed again. Resolves with whether nothing that failed is left. */
  retry(): Promise<boolean>;
  flush(): Promise<void>;
  catchUp(): Promise<void>;
  fold(): Promise<void>;
  isFoldDue(): boolean;
  /** Folds wait for this: the restore of the rest walks the shards that a fold changes. */
  readonly restored: Promise<void>;
}

/** Does what nobody waits for, until it is stopped. Whatever fails has been told of. */
export class Background {
  readonly #work: BackgroundWork;
  #isFlushDue = false;
  #isFoldDue = false;
  /** Whether a flush has asked for a fold while one was due, which may come too late for what that flush wrote. */
  #isFoldAskedAgain = false;
  #isStopped = false;
  #isRetryDue = false;
  #pause = FIRST_PAUSE;
  #cancelRetry: () => void = () => undefined;

  constructor(work: BackgroundWork) {
    this.#work = work;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
  }

  async flush(): Promise<void> {
    if (!this.#isStopped) await this.#work.flush().catch(() => undefined);
  }

  flushWhenIdle(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    void (losesLastWrites() ? Promise.resolve() : whenIdle(WITHIN)).then(() => {
      this.#isFlushDue = false;
      return this.flush();
    });
  }

  async catchUp(): Promise<void> {
    if (!this.#isStopped) await this.#work.catchUp().catch(() => undefined);
  }

  /** Retries after a pause, and again after longer pauses, until nothing that failed is left. */
  retryLater(): void {
    if (this.#isRetryDue || this.#isStopped) return;
    this.#isRetryDue = true;
    this.#cancelRetry = this.#work.schedule(() => {
      void this.#work
        .retry()
        .catch(() => false)
        .then((isDone) => {
          this.#isRetryDue = false;
          this.#pause = isDone ? FIRST_PAUSE : Math.min(2 * this.#pause, LONGEST_PAUSE);
          if (!isDone) this.retryLater();
        });
    }, this.#pause);
  }

  foldWhenIdle(): void {
    this.#isFoldAskedAgain = this.#isFoldDue;
    if (this.#isFoldDue || this.#isStopped || !this.#work.isFoldDue()) return;
    this.#isFoldDue = true;
    void this.#work.restored
      .then(() => whenIdle(WITHIN))
      .then(() => (this.#isStopped ? undefined : this.#work.fold()))
      .finally(() => {
        this.#isFoldDue = false;
        if (this.#isFoldAskedAgain) this.foldWhenIdle();
      });
  }
}
