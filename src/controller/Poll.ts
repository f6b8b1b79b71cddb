import type { Environment } from './Environment.ts';
import type { Schedule } from './schedule.ts';

/** What a poll needs of its controller. */
export interface PollClock {
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly environment: Environment;
}

/**
 * Asks again and again: `frequency` ms after it last began to, unless that is under way still. Waits while hidden or
 * offline, and asks at once when it is overdue by then.
 */
export class Poll {
  readonly #clock: PollClock;
  readonly #ask: () => Promise<unknown>;
  #frequency: number;
  #askedAt: number;
  #isAsking = false;
  #cancel: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(clock: PollClock, frequency: number, ask: () => Promise<unknown>) {
    this.#clock = clock;
    this.#ask = ask;
    this.#frequency = frequency;
    this.#askedAt = clock.now();
    this.#unsubscribe = clock.environment.subscribe(() => this.#arrange());
    this.#arrange();
  }

  set frequency(frequency: number) {
    if (frequency === this.#frequency) return;
    this.#frequency = frequency;
    this.#arrange();
  }

  stop(): void {
    this.#cancel?.();
    this.#unsubscribe?.();
    this.#cancel = this.#unsubscribe = undefined;
  }

  /** Asks if it is time, else sees to it that it is asked in time. */
  #arrange(): void {
    const { now, schedule, environment } = this.#clock;
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#unsubscribe === undefined || this.#isAsking) return;
    if (!environment.isOnline || !environment.isVisible) return;
    // A clock that was set back must not put it off for longer than once.
    this.#askedAt = Math.min(this.#askedAt, now());
    const wait = this.#askedAt + this.#frequency - now();
    if (wait > 0) this.#cancel = schedule(() => this.#arrange(), wait);
    else this.#poll();
  }

  #poll(): void {
    this.#isAsking = true;
    this.#askedAt = this.#clock.now();
    const done = (): void => {
      this.#isAsking = false;
      this.#arrange();
    };
    // What failed is kept for the readers, and the next time may go better.
    this.#ask().then(done, done);
  }
}
