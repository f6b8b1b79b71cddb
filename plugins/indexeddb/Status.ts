import type { HoldfastError, PluginStatus } from 'holdfast';

/** How the storage is doing, for an app to show. Immutable: a change makes a new one. */
export interface StorageStatus {
  /** `'degraded'` means that, for now or for good, memory is all there is, or that a write failed; `problem` says why. */
  readonly state: 'opening' | 'working' | 'degraded';
  /** What is wrong while it is degraded. */
  readonly problem?: HoldfastError;
  /** Whether all that is restored without being asked for is in memory. */
  readonly isRestored: boolean;
  /** Rows that the restore of the rest has been through. */
  readonly restoredRows: number;
  /** Rows on disk, about: tombstones and rows that are in the log again count too. */
  readonly rows: number;
  /** What those and the results take, in bytes, about: what only the log has is guessed by the rest. */
  readonly bytes: number;
  /** When something was last written, in ms since the epoch; undefined before that. */
  readonly flushedAt?: number;
  /** How long that took, in ms. */
  readonly flushTook?: number;
}

/** Holds the status and tells of its changes. */
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

  /** The status as of now: the identical object while nothing changes. */
  readonly get = (): StorageStatus => this.#value;

  /** Calls `listener` after each change. Returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(change: Partial<StorageStatus>): void {
    this.#become({ ...this.#value, ...change });
  }

  /** It works, as far as is known. */
  works(): void {
    if (this.#value.state === 'working') return;
    const { problem: _solved, ...rest } = this.#value;
    this.#become({ ...rest, state: 'working' });
  }

  degraded(problem: HoldfastError): void {
    this.set({ state: 'degraded', problem });
  }

  #become(value: StorageStatus): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
