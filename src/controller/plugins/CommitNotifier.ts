import type { Commit } from '../../store/Commit.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { Listener } from '../../views/Node.ts';
import { FrameListeners } from '../reads/FrameListeners.ts';
import type { Schedule } from '../schedule.ts';
import type { PluginHost } from './PluginHost.ts';

/** A commit and the listeners to notify. */
interface Notification {
  readonly commit: Commit;
  readonly listeners: Set<Listener>;
  /** Whether the listeners are notified with the next frame. */
  readonly isDeferred: boolean;
}

/** Notifies plugins and readers of one commit after the other. Commits made by listeners are queued. */
export class CommitNotifier {
  readonly #plugins: PluginHost;
  readonly #frameListeners: FrameListeners;
  readonly #queue: Notification[] = [];
  /** Whether the queue is being drained. */
  #isNotifying = false;
  #isAsync = false;
  /** Resolvers that wait for an optimistic layer to be removed. */
  readonly #settleWaiters: (() => void)[] = [];
  /** Those to notify of the current commit. */
  listeners = new Set<Listener>();
  #isDeferring = false;

  constructor(schedule: Schedule, plugins: PluginHost) {
    this.#plugins = plugins;
    this.#frameListeners = new FrameListeners(schedule);
  }

  notify(commit: Commit): void {
    this.#queue.push({ commit, listeners: this.listeners, isDeferred: this.#isDeferring });
    this.listeners = new Set();
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
      if (next.isDeferred) this.#frameListeners.add(next.listeners);
      else {
        // Readers are notified of earlier changes first.
        this.#frameListeners.flush();
        for (const listener of next.listeners) runIsolated(listener);
      }
      if (next.commit.settled.length > 0) for (const resume of this.#settleWaiters.splice(0)) resume();
    }
    this.#isNotifying = false;
  }

  /** Notifies readers of the commits of `run` with the next frame, or with an earlier notification. */
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
  flushFrame(): void {
    this.#frameListeners.flush();
  }

  /** Resolves with the next commit that removes an optimistic layer. */
  nextSettled(): Promise<void> {
    return new Promise((resolve) => this.#settleWaiters.push(resolve));
  }
}
