import { createStore } from 'tinybase';
import { createIndexedDbPersister } from 'tinybase/persisters/persister-indexed-db';
import { DATABASE, LIST } from '../Adapter.mjs';

const store = createStore();
const persister = createIndexedDbPersister(store, DATABASE);

/** TinyBase with its own persister: a record for each table. A list is a row that names its members. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TinyBase',
  fill(rows) {
    const lists = {};
    for (let list = 0; list * LIST < rows.length; list++) {
      const members = rows.slice(list * LIST, (list + 1) * LIST);
      lists[list] = { members: members.map(({ id }) => id).join() };
    }
    store.setTables({ rows: Object.fromEntries(rows.map((row) => [row.id, row])), lists });
  },
  storeAll: () => persister.save(),
  async changeOne(id, change) {
    store.setPartialRow('rows', id, change);
    await persister.save();
  },
  async loadAll() {
    await persister.load();
    return store.getRowCount('rows');
  },
  async firstScreen(list) {
    await persister.load();
    const members = store.getCell('lists', String(list), 'members').split(',');
    return members.map((id) => store.getRow('rows', id));
  },
};
