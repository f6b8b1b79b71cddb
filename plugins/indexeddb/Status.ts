import type { HoldfastError, PluginStatus } from 'holdfast';
import { runIsolated } from '../shared/runIsolated.ts';

/** The storage status, for an app to show. Immutable. */
export interface StorageStatus {
  /** `'degraded'`: only memory is used, for now or permanently, or a write has failed; `problem` says why. */
  readonly state: 'opening' | 'working' | 'degraded';
  /** What is wrong while it is degraded. */
  readonly problem?: HoldfastError;
  /**
   * Whether no restore is in progress, neither in the background nor of a table that a live query reads. Until then
   * live queries show the rows that are in memory.
   */
  readonly isRestored: boolean;
  /** The number of rows that these restores have processed. */
  readonly restoredRows: number;
  /** The approximate number of rows on disk; tombstones and rows that are also in the log count too. */
  readonly rows: number;
  /** The approximate size of rows and results in bytes; logged rows are estimated by the others. */
  readonly bytes: number;
  /** When the last flush ended, in ms since the epoch; undefined before that. */
  readonly flushedAt?: number;
  /** How long the last flush took, in ms. */
  readonly flushTook?: number;
}

/** Holds the status and notifies of changes. */
export class Status implements PluginStatus<StorageStatus> {
  readonly initial: StorageStatus = {
    state: 'opening',
    isRestored: false,
    restoredRows: 0,
    rows: 0,
    bytes: 0,
  };
  #value = this.initial;
  readonly #listeners = new Set<() => void>();
  /** How many restores are in progress: at first, that of the background. */
  #restores = 1;
  #isNotifying = false;

  /** The current status; the identical object while nothing changes. */
  readonly get = (): StorageStatus => this.#value;

  /** Calls `listener` after changes, once the current task has ended. Returns a function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(change: Partial<StorageStatus>): void {
    this.#become({ ...this.#value, ...change });
  }

  beginRestore(): void {
    this.#restores += 1;
    if (this.#restores === 1) this.set({ isRestored: false });
  }

  endRestore(): void {
    this.#restores -= 1;
    if (this.#restores === 0) this.set({ isRestored: true });
  }

  /** The storage works again, as far as known. */
  markWorking(): void {
    if (this.#value.state === 'working') return;
    const { problem: _solved, ...rest } = this.#value;
    this.#become({ ...rest, state: 'working' });
  }

  markDegraded(problem: HoldfastError): void {
    this.set({ state: 'degraded', problem });
  }

  /**
   * Listeners are called after the current task: one of them may reset the controller, and a component that renders may have
   * started a restore, when React forbids to update another one.
   */
  #become(value: StorageStatus): void {
    if (!this.#isNotifying) void Promise.resolve().then(() => this.#notify());
    this.#isNotifying = true;
    this.#value = value;
  }

  #notify(): void {
    this.#isNotifying = false;
    for (const listener of [...this.#listeners]) runIsolated(listener);
  }
}
