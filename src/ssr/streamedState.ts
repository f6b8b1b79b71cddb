import type { Controller, InitialState } from '../controller/Controller.ts';
import type { ServerReads } from '../controller/ServerReads.ts';
import { isolated } from '../util/isolated.ts';
import { Hydration } from './Hydration.ts';
import { ATTRIBUTE, END } from './stateScript.ts';
import { parseState, type ServerData } from './StateText.ts';

/**
 * For the page: the data that `stateWritable` or `stateReadable` wrote into it, what is there and what still streams
 * in. Resolves when the data of the first part is there, so that hydration can begin; for a page without any, when the
 * document has been read.
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
        if (state.look() || isRead) resolve(state);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/**
 * `streamedState` for a framework that begins hydration itself, once the first part of the page has arrived, such as
 * Next.js: returns at once.
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
  state.look();
  state.follow(() => isolated(() => state.look()));
  return state;
}

class StreamedState implements InitialState {
  readonly #taken = new WeakSet<Element>();
  readonly #data: ServerData[] = [];
  /** Those who want what is still to come. */
  readonly #hydrations = new Set<Hydration>();
  #isEnded = false;

  open(controller: Controller): ServerReads | undefined {
    const hydration = new Hydration(controller);
    for (const data of this.#data) hydration.take(data);
    if (this.#isEnded) hydration.end();
    else this.#hydrations.add(hydration);
    return hydration.reads;
  }

  /**
   * Takes the elements that have come; says whether any has by now.
   *
   * @throws HoldfastError `HF_INITIAL_STATE` when the first cannot be read
   */
  look(): boolean {
    for (const element of document.querySelectorAll(`script[${ATTRIBUTE}]`)) {
      const text = element.textContent;
      if (this.#taken.has(element) || !text.endsWith(END)) continue;
      this.#taken.add(element);
      // A part of the page without its data asks for it as if there were no server.
      if (this.#data.length > 0) isolated(() => this.#take(text));
      else this.#take(text);
    }
    return this.#data.length > 0;
  }

  /** Calls `look`, with whether all has arrived, now and whenever more may have arrived, until all has. */
  follow(look: (isRead: boolean) => void): void {
    const check = (): void => {
      const isRead = document.readyState !== 'loading';
      look(isRead);
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

  /** Nothing more will come. */
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
