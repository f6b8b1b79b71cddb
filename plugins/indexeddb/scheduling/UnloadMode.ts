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
  /** Continue what has yielded. A promise would keep something of each until the page unloads. */
  readonly #continue = new Set<() => void>();

  get isActive(): boolean {
    return this.#count > 0;
  }

  /** Runs a function in this mode, which stays active until the last of its runs has ended. */
  async run(work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    for (const resume of this.#continue) resume();
    try {
      await work();
    } finally {
      this.#count -= 1;
    }
  }

  /** Resolves with a promise, or when the mode becomes active. */
  waitFor(yielded: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#continue.add(resolve);
      void yielded.then(() => {
        this.#continue.delete(resolve);
        resolve();
      });
    });
  }
}
