import { QueryClient } from '@tanstack/query-core';
import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core';
import { openDB } from 'idb';
import { rowIndex } from '../../../data.mjs';
import { DATABASE, LIST } from '../Adapter.mjs';

const keyOf = (list) => ['list', list];
const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } });

let opening;
const database = () =>
  (opening ??= openDB(DATABASE, 1, { upgrade: (upgraded) => void upgraded.createObjectStore('keyval') }));

async function write(change) {
  const transaction = (await database()).transaction('keyval', 'readwrite', { durability: 'relaxed' });
  change(transaction.store).catch(() => undefined);
  await transaction.done;
}

const storage = {
  getItem: async (key) => (await database()).get('keyval', key),
  setItem: (key, value) => write((store) => store.put(value, key)),
  removeItem: (key) => write((store) => store.delete(key)),
  async entries() {
    const { store } = (await database()).transaction('keyval');
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return keys.map((key, place) => [key, values[place]]);
  },
};
// IndexedDB takes objects as they are.
const persister = experimental_createQueryPersister({
  storage,
  serialize: (query) => query,
  deserialize: (query) => query,
  refetchOnRestore: false,
});
const lists = () => client.getQueryCache().findAll({ queryKey: ['list'] });

/** TanStack Query with `createPersister`: a record for each query. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack Query, per-query persister',
  async fill(rows) {
    await database();
    for (let list = 0; list * LIST < rows.length; list++)
      client.setQueryData(keyOf(list), rows.slice(list * LIST, (list + 1) * LIST));
  },
  storeAll: () => Promise.all(lists().map((query) => persister.persistQuery(query))),
  async changeOne(id, change) {
    // Rows are stored in the lists of their responses: a change has to know which lists have the row.
    const key = keyOf(Math.floor(rowIndex(id) / LIST));
    client.setQueryData(key, (rows) => rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
    await persister.persistQueryByKey(key, client);
  },
  async loadAll() {
    await persister.restoreQueries(client);
    return lists().reduce((sum, { state }) => sum + state.data.length, 0);
  },
  firstScreen: (list) =>
    client.fetchQuery({
      queryKey: keyOf(list),
      queryFn: () => Promise.reject(new Error('nothing is asked of the network here')),
      persister: persister.persisterFn,
    }),
};
