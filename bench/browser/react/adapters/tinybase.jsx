import { createQueries, createStore } from 'tinybase';
import { useResultSortedRowIds, useRow } from 'tinybase/ui-react';
import { WINDOW } from '../../../data.mjs';

/** It has tables of flat rows. The list has ids, and each row reads itself. It is measured in live queries alone. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TinyBase, `useResultSortedRowIds` and `useRow`',
  create(issues) {
    const store = createStore();
    const flat = issues.map(({ author: _author, ...row }) => [row.id, row]);
    store.setTable('issues', Object.fromEntries(flat));
    const queries = createQueries(store);
    queries.setQueryDefinition('window', 'issues', ({ select, where }) => {
      where('state', WINDOW.state);
      where('repoId', WINDOW.repoId);
      select('score');
    });
    const change = (id, fields) => store.setPartialRow('issues', id, fields);
    return {
      Provider: ({ children }) => children,
      useWindow: () => useResultSortedRowIds('window', 'score', true, 0, WINDOW.limit, queries),
      useIssue: (id) => useRow('issues', id, store),
      change,
      changeAll: (changes) =>
        store.transaction(() => {
          for (const [id, fields] of changes) change(id, fields);
        }),
    };
  },
};
