import { createRoot } from 'react-dom/client';
import { adapter } from 'adapter';
import { App } from './App.jsx';
import { issues } from './issues.mjs';
import { renders } from './renders.mjs';

/** A store with its page, as the scenarios drive it. */
export class Screen {
  issues;
  store;
  #root;
  #element = document.createElement('main');

  /** @param {number} size - of the store, in rows */
  constructor(size) {
    this.issues = issues(size);
    // What the library is given is its own: it may freeze or change it.
    this.store = adapter.create(issues(size));
    document.body.append(this.#element);
    this.#root = createRoot(this.#element);
  }

  /** Shows a list, or nothing; see `App`. */
  show(list, ids) {
    this.#root.render(<App store={this.store} list={list} ids={ids} />);
  }

  /** The rows on screen. */
  get rows() {
    return this.#element.getElementsByTagName('li');
  }

  /**
   * Does something that changes the page.
   *
   * @param {() => unknown} run
   * @param {(rows: HTMLCollection) => boolean} isDone - whether the page shows it
   * @returns {Promise<{ ms: number, script: number, list: number, row: number }>} from the call until the page shows
   *   it; what the page's thread itself spent on scripts until it is at rest, in ms; and the renders that it took
   */
  async timed(run, isDone) {
    await rest();
    const before = { ...renders };
    const script = await globalThis.scriptTime();
    let start;
    const shown = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isDone(this.rows)) return;
        const ms = performance.now() - start;
        observer.disconnect();
        resolve(ms);
      });
      observer.observe(this.#element, { childList: true, characterData: true, subtree: true });
    });
    // As from an event: what runs on after an `await` of a page under test is not counted as script.
    setTimeout(() => {
      start = performance.now();
      run();
    });
    const ms = await shown;
    await rest();
    return {
      ms,
      script: (await globalThis.scriptTime()) - script,
      list: renders.list - before.list,
      row: renders.row - before.row,
    };
  }

  /** Shows a list and waits until its rows are there; see `timed`. */
  mount(list, ids = this.issues.map(({ id }) => id)) {
    return this.timed(
      () => this.show(list, ids),
      (rows) => rows.length === ids.length,
    );
  }

  async close() {
    // Taking the parts of a page away one by one is slow with `content-visibility`.
    this.#element.remove();
    this.#root.unmount();
    await rest();
  }
}

/** Resolves after the next frame, with what it left to do done. */
export function rest() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 5)));
}
