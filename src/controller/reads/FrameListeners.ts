import { runIsolated } from '../../util/runIsolated.ts';
import type { Listener } from '../../views/Node.ts';
import type { Schedule } from '../schedule.ts';

/** The maximum wait for a frame, in ms: hidden pages and Node have none. */
const MAX_FRAME_WAIT = 100;

/**
 * Listeners that are notified just before the next frame is painted, each once, however many commits concern it. So
 * no frame shows only a part of the changes.
 */
export class FrameListeners {
  readonly #schedule: Schedule;
  #pending = new Set<Listener>();
  #cancel: (() => void) | undefined;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  add(listeners: Iterable<Listener>): void {
    for (const listener of listeners) this.#pending.add(listener);
    if (this.#pending.size > 0) this.#cancel ??= this.#requestFrame();
  }

  /** Notifies the pending listeners now. */
  readonly flush = (): void => {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#cancel = undefined;
    const waiting = this.#pending;
    this.#pending = new Set();
    for (const listener of waiting) runIsolated(listener);
  };

  #requestFrame(): () => void {
    const cancelTimer = this.#schedule(this.flush, MAX_FRAME_WAIT);
    if (typeof requestAnimationFrame !== 'function') return cancelTimer;
    const frame = requestAnimationFrame(this.flush);
    return () => {
      cancelTimer();
      cancelAnimationFrame(frame);
    };
  }
}
