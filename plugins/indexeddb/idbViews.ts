import type { FoldView, StorageView } from './Storage.ts';
import { HEADER, type Transaction } from './stores.ts';

/** What a transaction over every store reads. */
export function storageView(transaction: Transaction<IDBTransactionMode>): StorageView {
  return {
    header: () => transaction.objectStore('meta').get(HEADER),
    async log(through) {
      const store = transaction.objectStore('log');
      const range = IDBKeyRange.lowerBound(through, true);
      const [places, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return places.map((place, index) => [place, records[index]] as const);
    },
    resultKeys: () => transaction.objectStore('results').getAllKeys(),
    result: (key) => transaction.objectStore('results').get(key),
    shard: (table, shard) => transaction.objectStore('shards').get([table, shard]),
    async side(plugin) {
      const store = transaction.objectStore('outbox');
      // Lists sort after strings, so this takes in every [plugin, key].
      const range = IDBKeyRange.bound([plugin], [plugin, []]);
      const [places, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return places.map(([, key], index) => [key, records[index]] as const);
    },
  };
}

/** The same for a transaction that may write. */
export function foldView(transaction: Transaction<'readwrite'>): FoldView {
  return {
    ...storageView(transaction),
    async putHeader(header) {
      await transaction.objectStore('meta').put(header, HEADER);
    },
    async putShard(table, shard, rows) {
      await transaction.objectStore('shards').put(rows, [table, shard]);
    },
    async putResult(result) {
      await transaction.objectStore('results').put(result, result.key);
    },
    dropLog: (through) => transaction.objectStore('log').delete(IDBKeyRange.upperBound(through)),
  };
}
