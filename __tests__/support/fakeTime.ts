import type { Environment, Schedule } from 'holdfast';
import { settled } from './held.ts';

interface Timer {
  /** When, in ms that have passed since the beginning. */
  readonly at: number;
  readonly run: () => void;
}

/** A clock and timers for the options of a controller, which stand still until the test moves them. */
export class FakeTime {
  #now: number;
  #passed = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly schedule: Schedule = (run, delay) => {
    const timer = { at: this.#passed + delay, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** How many timers are waiting. */
  get timers(): number {
    return this.#timers.size;
  }

  /** In how many ms the next timer is due; `Infinity` without timers. */
  get earliest(): number {
    return Math.min(...[...this.#timers].map(({ at }) => at - this.#passed));
  }

  /** Lets the clock jump without any time passing, as when a device sleeps or its clock is set. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass: runs what is due, in order, and lets everything that follows from it take its course. */
  async pass(ms: number): Promise<void> {
    const until = this.#passed + ms;
    for (;;) {
      const [next] = [...this.#timers].sort((left, right) => left.at - right.at);
      if (next === undefined || next.at > until) break;
      this.#timers.delete(next);
      this.#to(next.at);
      next.run();
      await settled();
    }
    this.#to(until);
    await settled();
  }

  #to(passed: number): void {
    this.#now += passed - this.#passed;
    this.#passed = passed;
  }
}

/** A device whose network and page the test switches. */
export class FakeEnvironment implements Environment {
  isOnline = true;
  isVisible = true;
  readonly #listeners = new Set<{ readonly listener: () => void }>();

  /** How many are listening. */
  get listeners(): number {
    return this.#listeners.size;
  }

  subscribe(listener: () => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  change(to: { readonly isOnline?: boolean; readonly isVisible?: boolean }): void {
    Object.assign(this, to);
    for (const { listener } of [...this.#listeners]) listener();
  }
}
