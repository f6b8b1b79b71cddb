import { createQueries, createStore } from 'tinybase';
import { WINDOW } from '../data.mjs';

/** It has tables of flat rows, and neither responses nor joins by a schema. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TinyBase',
  create() {
    const store = createStore();
    const queries = createQueries(store);
    const storeRows = (rows) => {
      store.setTable('rows', Object.fromEntries(rows.map((row) => [row.id, row])));
    };
    return {
      storeRows,
      readRow: (id) => store.getRow('rows', id),
      changeRow: (id, change) => void store.setPartialRow('rows', id, change),
      pushRow: (row) => void store.setRow('rows', row.id, row),
      storeRowResults: storeRows,
      invalidateRowResult: (id) => void store.delRow('rows', id),
      isRowResultShown: (id) => store.hasRow('rows', id),
      watchRow: (id, listener) =>
        void store.addRowListener('rows', id, () => listener(store.getRow('rows', id))),
      setScore: (id, score) => void store.setCell('rows', id, 'score', score),
      openWindow(repoId) {
        queries.setQueryDefinition(repoId, 'rows', ({ select, where }) => {
          where('state', WINDOW.state);
          where('repoId', repoId);
          select('score');
        });
        let ids;
        const show = (limit) => {
          ids = queries.getResultSortedRowIds(repoId, 'score', true, 0, limit);
          queries.addResultSortedRowIdsListener(
            repoId,
            'score',
            true,
            0,
            limit,
            (_queries, _query, _cell, _descending, _offset, _limit, sorted) => (ids = sorted),
          );
          return read();
        };
        const read = () => ids.map((id) => store.getRow('rows', id));
        show(WINDOW.limit);
        return { read, show };
      },
    };
  },
};
