import { openDB } from 'idb';
import { DATABASE, LIST } from '../Adapter.mjs';

let database;
let rows = [];
let lists = [];

const open = async () =>
  (database ??= await openDB(DATABASE, 1, {
    upgrade(upgraded) {
      upgraded.createObjectStore('rows', { keyPath: 'id' });
      upgraded.createObjectStore('lists');
    },
  }));

/** Raw `idb`, a record a row: what the platform itself takes. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'idb, one record per row',
  async fill(all) {
    rows = all;
    lists = Array.from({ length: all.length / LIST }, (_, list) =>
      all.slice(list * LIST, (list + 1) * LIST).map(({ id }) => id),
    );
    await open();
  },
  async storeAll() {
    const transaction = database.transaction(['rows', 'lists'], 'readwrite', { durability: 'relaxed' });
    for (const row of rows)
      transaction
        .objectStore('rows')
        .put(row)
        .catch(() => undefined);
    for (const [list, ids] of lists.entries())
      transaction
        .objectStore('lists')
        .put(ids, list)
        .catch(() => undefined);
    await transaction.done;
  },
  async changeOne(id, change) {
    const place = rows.findIndex((row) => row.id === id);
    const row = { ...rows[place], ...change };
    rows[place] = row;
    const transaction = (await open()).transaction('rows', 'readwrite', { durability: 'relaxed' });
    transaction.store.put(row).catch(() => undefined);
    await transaction.done;
  },
  async loadAll() {
    rows = await (await open()).getAll('rows');
    lists = await database.getAll('lists');
    return rows.length;
  },
  async firstScreen(list) {
    const transaction = (await open()).transaction(['rows', 'lists'], 'readonly');
    const ids = await transaction.objectStore('lists').get(list);
    return Promise.all(ids.map((id) => transaction.objectStore('rows').get(id)));
  },
};
