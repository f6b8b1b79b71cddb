import type { Commit } from '../../store/Commit.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { Listener } from '../../views/Node.ts';
import type { Schedule } from '../schedule.ts';
import type { PluginHost } from './PluginHost.ts';

/** The maximum wait for a frame, in ms: hidden pages and Node have none. */
const MAX_FRAME_WAIT = 100;

const NO_LISTENERS: ReadonlySet<Listener> = new Set();

/** A commit and the listeners to notify. */
interface Notification {
  readonly commit: Commit;
  readonly listeners: ReadonlySet<Listener>;
}

/** Notifies plugins and readers of one commit after the other. Commits made by listeners are queued. */
export class CommitNotifier {
  readonly #schedule: Schedule;
  readonly #plugins: PluginHost;
  readonly #queue: Notification[] = [];
  /** Whether the queue is being drained. */
  #isNotifying = false;
  #isAsync = false;
  /** Resolvers that wait for an optimistic layer to be removed. */
  readonly #settleWaiters: (() => void)[] = [];
  /** Those to notify of the current commit, and of earlier ones whose readers are notified with the next frame. */
  listeners = new Set<Listener>();
  #isDeferring = false;
  /** Cancels the notification with the next frame. */
  #cancelFrame: (() => void) | undefined;

  constructor(schedule: Schedule, plugins: PluginHost) {
    this.#schedule = schedule;
    this.#plugins = plugins;
  }

  notify(commit: Commit): void {
    if (this.#isDeferring && this.listeners.size > 0) this.#cancelFrame ??= this.#requestFrame();
    this.#queue.push({ commit, listeners: this.#isDeferring ? NO_LISTENERS : this.#takeListeners() });
    if (this.#isAsync) queueMicrotask(() => this.#drain());
    else this.#drain();
  }

  /** Notifies of the commits of `run` in a microtask: a component may be rendering. */
  notifyInMicrotask(run: () => void): void {
    this.#isAsync = true;
    try {
      run();
    } finally {
      this.#isAsync = false;
    }
  }

  #drain(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#plugins.commit(next.commit);
      for (const listener of next.listeners) runIsolated(listener);
      if (next.commit.settled.length > 0) for (const resume of this.#settleWaiters.splice(0)) resume();
    }
    this.#isNotifying = false;
  }

  /**
   * Notifies readers of the commits of `run` just before the next frame is painted, each once, or with an earlier
   * notification. So no frame shows only a part of the changes.
   */
  deferToFrame<T>(run: () => T): T {
    const outer = this.#isDeferring;
    this.#isDeferring = true;
    try {
      return run();
    } finally {
      this.#isDeferring = outer;
    }
  }

  /** Notifies readers now instead of with the next frame. */
  readonly flushFrame = (): void => {
    for (const listener of this.#takeListeners()) runIsolated(listener);
  };

  #requestFrame(): () => void {
    const cancelTimer = this.#schedule(this.flushFrame, MAX_FRAME_WAIT);
    if (typeof requestAnimationFrame !== 'function') return cancelTimer;
    const frame = requestAnimationFrame(this.flushFrame);
    return () => {
      cancelTimer();
      cancelAnimationFrame(frame);
    };
  }

  /** The listeners to notify now; none is left for the next frame. */
  #takeListeners(): Set<Listener> {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const { listeners } = this;
    this.listeners = new Set();
    return listeners;
  }

  /** Resolves with the next commit that removes an optimistic layer. */
  nextSettled(): Promise<void> {
    return new Promise((resolve) => this.#settleWaiters.push(resolve));
  }
}
