import Dexie from 'dexie';
import { DATABASE, LIST } from '../Adapter.mjs';

const database = new Dexie(DATABASE, { chromeTransactionDurability: 'relaxed' });
database.version(1).stores({ rows: 'id', lists: '' });

let rows = [];

/** Dexie, a record a row, as its documentation has bulk work done. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Dexie',
  async fill(all) {
    rows = all;
    await database.open();
  },
  storeAll: () =>
    database.transaction('rw', database.rows, database.lists, async () => {
      const starts = Array.from({ length: rows.length / LIST }, (_, list) => list);
      const lists = starts.map((list) => rows.slice(list * LIST, (list + 1) * LIST).map(({ id }) => id));
      await Promise.all([database.rows.bulkPut(rows), database.lists.bulkPut(lists, starts)]);
    }),
  changeOne: (id, change) => database.rows.update(id, change),
  async loadAll() {
    rows = await database.rows.toArray();
    await database.lists.toArray();
    return rows.length;
  },
  async firstScreen(list) {
    return database.rows.bulkGet(await database.lists.get(list));
  },
};
