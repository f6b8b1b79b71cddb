import type { Controller, InitialState } from '../controller/Controller.ts';
import type { HydrationSource } from '../controller/requests/HydrationSource.ts';
import { runIsolated } from '../util/runIsolated.ts';
import { Hydration } from './Hydration.ts';
import { ATTRIBUTE, END } from './stateScript.ts';
import { parseState, type ServerData } from './StateText.ts';

/**
 * For the page: the data that `stateWritable` or `stateReadable` wrote into it, both present and still streaming.
 * Resolves when the data of the first part is available, so that hydration can start; in a page without data, when
 * the document has been read.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` when that data cannot be read
 * @example
 * const controller = new Controller({ initialState: await streamedState() });
 * hydrateRoot(document, <App controller={controller} />);
 */
export function streamedState(): Promise<InitialState> {
  return new Promise((resolve, reject) => {
    const state = new StreamedState();
    state.follow((isRead) => {
      try {
        if (state.scan() || isRead) resolve(state);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/**
 * `streamedState` for a framework that starts hydration itself, after the first part of the page has arrived, such as
 * Next.js: returns synchronously.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` when the data of the first part cannot be read
 * @example
 * const createController = () =>
 *   typeof document === 'undefined'
 *     ? new Controller()
 *     : new Controller({ initialState: streamedStateSync() });
 */
export function streamedStateSync(): InitialState {
  const state = new StreamedState();
  state.scan();
  state.follow(() => runIsolated(() => state.scan()));
  return state;
}

class StreamedState implements InitialState {
  readonly #scanned = new WeakSet<Element>();
  readonly #data: ServerData[] = [];
  /** The listeners for data still to come. */
  readonly #hydrations = new Set<Hydration>();
  #isEnded = false;

  open(controller: Controller): HydrationSource | undefined {
    const hydration = new Hydration(controller);
    for (const data of this.#data) hydration.take(data);
    if (this.#isEnded) hydration.end();
    else this.#hydrations.add(hydration);
    return hydration.reads;
  }

  /**
   * Processes the elements that have arrived; returns whether there were any so far.
   *
   * @throws HoldfastError `HF_INITIAL_STATE` if the first cannot be read
   */
  scan(): boolean {
    for (const element of document.querySelectorAll(`script[${ATTRIBUTE}]`)) {
      const text = element.textContent;
      if (this.#scanned.has(element) || !text.endsWith(END)) continue;
      this.#scanned.add(element);
      // A part of the page without its data fetches it as if there were no server rendering.
      if (this.#data.length > 0) runIsolated(() => this.#take(text));
      else this.#take(text);
    }
    return this.#data.length > 0;
  }

  /** Calls `onScan` with whether all data has arrived: now, and whenever more may have arrived, until all has. */
  follow(onScan: (isRead: boolean) => void): void {
    const check = (): void => {
      const isRead = document.readyState !== 'loading';
      onScan(isRead);
      if (!isRead) return;
      observer.disconnect();
      document.removeEventListener('readystatechange', check);
      this.#end();
    };
    const observer = new MutationObserver(check);
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    document.addEventListener('readystatechange', check);
    check();
  }

  /** The stream has ended. */
  #end(): void {
    this.#isEnded = true;
    for (const hydration of this.#hydrations) hydration.end();
    this.#hydrations.clear();
  }

  #take(text: string): void {
    const data = parseState(text);
    this.#data.push(data);
    for (const hydration of this.#hydrations) hydration.take(data);
  }
}
