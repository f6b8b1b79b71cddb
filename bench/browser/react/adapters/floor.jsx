import { useCallback, useSyncExternalStore } from 'react';

/**
 * The least that React needs: a map of rows, and listeners by id. Nothing is joined or shared; each row has its own
 * copy of its author.
 */
class PlainStore {
  rows;
  ids;
  #list;
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

  put(id, change) {
    this.rows.set(id, { ...this.rows.get(id), ...change });
    this.#list = undefined;
    this.tell(id);
    this.tell('list');
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
      change: (id, change) => store.put(id, change),
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
