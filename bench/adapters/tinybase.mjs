import { createStore } from 'tinybase';

/** It has tables of flat rows, and neither responses nor joins by a schema. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TinyBase',
  create() {
    const store = createStore();
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
    };
  },
};
