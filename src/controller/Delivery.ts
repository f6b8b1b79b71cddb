import type { Commit } from '../store/Commit.ts';
import { isolated } from '../util/isolated.ts';
import type { Listener } from '../views/Node.ts';
import { FrameListeners } from './FrameListeners.ts';
import type { Schedule } from './schedule.ts';

/** A commit, and whom to tell of it. */
interface Parcel {
  readonly commit: Commit;
  readonly listeners: Set<Listener>;
  /** Whether the listeners are told with the next frame. */
  readonly isGathered: boolean;
}

/** Tells plugins and readers, one commit after the other: what they write while being told comes after. */
export class Delivery {
  readonly #tellPlugins: (commit: Commit) => void;
  readonly #frameListeners: FrameListeners;
  readonly #parcels: Parcel[] = [];
  /** Whether the first of them is being told. */
  #isTelling = false;
  #isLater = false;
  /** Those that wait for a pending mutation to be shown no longer. */
  readonly #settling: (() => void)[] = [];
  #listeners = new Set<Listener>();
  #isGathering = false;

  constructor(schedule: Schedule, tellPlugins: (commit: Commit) => void) {
    this.#tellPlugins = tellPlugins;
    this.#frameListeners = new FrameListeners(schedule);
  }

  /** The readers to tell when the present commit is complete. */
  get listeners(): Set<Listener> {
    return this.#listeners;
  }

  deliver(commit: Commit): void {
    this.#parcels.push({ commit, listeners: this.#listeners, isGathered: this.#isGathering });
    this.#listeners = new Set();
    if (this.#isLater) queueMicrotask(() => this.#tell());
    else this.#tell();
  }

  /** Has nobody told of what `run` commits before the present task is over: it may be in the middle of a render. */
  later(run: () => void): void {
    this.#isLater = true;
    try {
      run();
    } finally {
      this.#isLater = false;
    }
  }

  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let next = this.#parcels.shift(); next !== undefined; next = this.#parcels.shift()) {
      this.#tellPlugins(next.commit);
      this.#tellReaders(next);
      if (next.commit.settled.length > 0) for (const go of this.#settling.splice(0)) go();
    }
    this.#isTelling = false;
  }

  /** Has readers told with the next frame, or with what is told before it, of the commits that `run` makes. */
  gather<T>(run: () => T): T {
    const outer = this.#isGathering;
    this.#isGathering = true;
    try {
      return run();
    } finally {
      this.#isGathering = outer;
    }
  }

  /** Tells readers what they would have been told with the next frame. */
  tellGathered(): void {
    this.#frameListeners.tell();
  }

  /** Resolves with the next commit that takes the layer of a pending mutation away. */
  settling(): Promise<void> {
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  #tellReaders({ listeners, isGathered }: Parcel): void {
    if (isGathered) {
      this.#frameListeners.add(listeners);
      return;
    }
    // Who is told of something new has been told of what came before.
    this.#frameListeners.tell();
    for (const listener of listeners) isolated(listener);
  }
}
