import { isWebKit } from '../../shared/isWebKit.ts';

/**
 * Whether the last writes of a page are lost. WebKit sends an IndexedDB transaction that begins in `pagehide` or
 * `visibilitychange` only after the page is gone, so never (observed in WebKitGTK 2.50; no bug found).
 */
export function losesUnloadWrites(): boolean {
  return typeof document !== 'undefined' && isWebKit();
}

/** Whether the page is unloading: work that yields to the main thread would not be resumed. */
export class UnloadMode {
  /** How many runs are in progress. */
  #count = 0;
  #start: () => void = () => undefined;
  /** Resolves when it becomes active. */
  started: Promise<void> = this.#nextStart();

  get isActive(): boolean {
    return this.#count > 0;
  }

  /** Runs a function in this mode, which stays active until the last of its runs has ended. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    this.#start();
    try {
      await work();
    } finally {
      this.#count -= 1;
      if (!this.isActive) this.started = this.#nextStart();
    }
  }

  #nextStart(): Promise<void> {
    return new Promise((resolve) => (this.#start = resolve));
  }
}
