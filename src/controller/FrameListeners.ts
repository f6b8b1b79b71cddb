import { isolated } from '../util/isolated.ts';
import type { Listener } from '../views/Node.ts';
import type { Schedule } from './schedule.ts';

/** A frame is waited for no longer than this, in ms: a hidden page has none, nor has Node. */
const LONGEST = 100;

/**
 * Listeners that are told with the next frame, each once, however many commits concern it. They are told just before the
 * page is painted, so that nothing is seen later, and nothing half.
 */
export class FrameListeners {
  readonly #schedule: Schedule;
  #waiting = new Set<Listener>();
  #cancel: (() => void) | undefined;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  add(listeners: Iterable<Listener>): void {
    for (const listener of listeners) this.#waiting.add(listener);
    if (this.#waiting.size > 0) this.#cancel ??= this.#atNextFrame();
  }

  /** Tells those who wait at once. */
  readonly tell = (): void => {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#cancel = undefined;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const listener of waiting) isolated(listener);
  };

  #atNextFrame(): () => void {
    const cancelTimer = this.#schedule(this.tell, LONGEST);
    if (typeof requestAnimationFrame !== 'function') return cancelTimer;
    const frame = requestAnimationFrame(this.tell);
    return () => {
      cancelTimer();
      cancelAnimationFrame(frame);
    };
  }
}
