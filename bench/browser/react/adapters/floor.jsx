import { useCallback, useSyncExternalStore } from 'react';
import { matchesWindow, WINDOW } from '../../../data.mjs';

/**
 * The least that React needs: a map of rows, and listeners by id. Nothing is joined or shared; each row has its own
 * copy of its author.
 */
class PlainStore {
  rows;
  ids;
  #list;
  /** The rows of the live query, once it is read; highest score first, and no two are the same. */
  #matching;
  #window;
  listeners = new Map();

  constructor(issues) {
    this.rows = new Map(issues.map((issue) => [issue.id, issue]));
    this.ids = issues.map(({ id }) => id);
    this.#list = issues;
  }

  tell(key) {
    const listeners = this.listeners.get(key);
    if (listeners !== undefined) for (const listener of [...listeners]) listener();
  }

  subscribe(key, listener) {
    let listeners = this.listeners.get(key);
    if (listeners === undefined) this.listeners.set(key, (listeners = new Set()));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(key);
    };
  }

  /** The list of rows, created again when it is read after a change. */
  get list() {
    return (this.#list ??= this.ids.map((id) => this.rows.get(id)));
  }

  /** The first rows of the live query. */
  get window() {
    this.#matching ??= [...this.rows.values()]
      .filter(matchesWindow)
      .sort((left, right) => right.score - left.score);
    return (this.#window ??= this.#matching.slice(0, WINDOW.limit));
  }

  put(id, change) {
    if (this.write(id, change)) this.tell('window');
    this.tell(id);
    this.tell('list');
  }

  /** Changes a row. Returns whether the window changed. */
  write(id, change) {
    const before = this.rows.get(id);
    const after = { ...before, ...change };
    this.rows.set(id, after);
    this.#list = undefined;
    if (this.#matching === undefined) return false;
    const left = matchesWindow(before) ? this.#placeOf(before) : Infinity;
    if (left !== Infinity) this.#matching.splice(left, 1);
    const entered = matchesWindow(after) ? this.#placeOf(after) : Infinity;
    if (entered !== Infinity) this.#matching.splice(entered, 0, after);
    if (Math.min(left, entered) >= WINDOW.limit) return false;
    this.#window = undefined;
    return true;
  }

  /** The index of a row in the order of the live query, by binary search. */
  #placeOf({ score }) {
    let [low, high] = [0, this.#matching.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#matching[middle].score > score) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  setIds(ids) {
    this.ids = ids;
    this.#list = undefined;
    this.tell('ids');
    this.tell('list');
  }
}

/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'bare `useSyncExternalStore`',
  create(issues) {
    const store = new PlainStore(issues);
    const useStore = (key, read) => {
      const subscribe = useCallback((listener) => store.subscribe(key, listener), [key]);
      return useSyncExternalStore(subscribe, read);
    };
    return {
      Provider: ({ children }) => children,
      useIds: () => useStore('ids', () => store.ids),
      useIssue: (id) => useStore(id, () => store.rows.get(id)),
      useIssues: () => useStore('list', () => store.list),
      useWindow: () => useStore('window', () => store.window),
      change: (id, change) => store.put(id, change),
      changeAll(changes) {
        let isWindowChanged = false;
        for (const [id, change] of changes) isWindowChanged = store.write(id, change) || isWindowChanged;
        if (isWindowChanged) store.tell('window');
        for (const [id] of changes) store.tell(id);
        store.tell('list');
      },
      changeAuthor(author, ids) {
        for (const id of ids) store.put(id, { author });
      },
      push(issue) {
        store.rows.set(issue.id, issue);
        store.setIds([...store.ids, issue.id]);
      },
      remove(id) {
        store.setIds(store.ids.filter((other) => other !== id));
        store.rows.delete(id);
      },
    };
  },
};
