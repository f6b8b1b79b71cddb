import { QueryClient } from '@tanstack/query-core';
import { persistQueryClientRestore, persistQueryClientSave } from '@tanstack/query-persist-client-core';
import { openDB } from 'idb';
import { rowIndex } from '../../../data.mjs';
import { DATABASE, LIST } from '../Adapter.mjs';

const keyOf = (list) => ['list', list];
const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } });

let opening;
const database = () =>
  (opening ??= openDB(DATABASE, 1, { upgrade: (upgraded) => void upgraded.createObjectStore('keyval') }));

/** The whole client as one record, as its documentation has it. */
const persister = {
  async persistClient(dehydrated) {
    const transaction = (await database()).transaction('keyval', 'readwrite', { durability: 'relaxed' });
    transaction.store.put(dehydrated, 'reactQuery').catch(() => undefined);
    await transaction.done;
  },
  restoreClient: async () => (await database()).get('keyval', 'reactQuery'),
  removeClient: async () => (await database()).delete('keyval', 'reactQuery'),
};
const persistence = { queryClient: client, persister };
const lists = () => client.getQueryCache().findAll({ queryKey: ['list'] });

/** TanStack Query with `persistQueryClient`: each save writes all there is. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack Query persister',
  async fill(rows) {
    await database();
    for (let list = 0; list * LIST < rows.length; list++)
      client.setQueryData(keyOf(list), rows.slice(list * LIST, (list + 1) * LIST));
  },
  storeAll: () => persistQueryClientSave(persistence),
  async changeOne(id, change) {
    // Rows are stored in the lists of their responses: a change has to know which lists have the row.
    client.setQueryData(keyOf(Math.floor(rowIndex(id) / LIST)), (rows) =>
      rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
    );
    await persistQueryClientSave(persistence);
  },
  async loadAll() {
    await persistQueryClientRestore(persistence);
    return lists().reduce((sum, { state }) => sum + state.data.length, 0);
  },
  async firstScreen(list) {
    await persistQueryClientRestore(persistence);
    return client.getQueryData(keyOf(list));
  },
};
