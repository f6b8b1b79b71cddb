import { marksOf } from '../../shared/marks.ts';
import { clearedHeader, type Header } from '../records/header.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import { decodeResets, type Reset } from '../records/resets.ts';
import type { StorageView } from './Storage.ts';
import { guardKey } from '../writing/writeGuard.ts';
import { readResultKeys, updateResultKeys } from './resultKeys.ts';
import { DIRECTORY, HEADER, markKey, RESULT_KEYS, type StoreName, type Transaction } from './stores.ts';

/** The view of a transaction over all stores. */
export function storageView(transaction: Transaction<IDBTransactionMode>): StorageView {
  return {
    header: () => transaction.objectStore('meta').get(HEADER),
    async log(through, limit) {
      const store = transaction.objectStore('log');
      const range = IDBKeyRange.bound(through, MAX_SEQUENCE, true);
      const [sequences, records] = await Promise.all([
        store.getAllKeys(range, limit),
        store.getAll(range, limit),
      ]);
      return sequences.map((sequence, index) => [sequence, records[index]] as const);
    },
    resultKeys: () => readResultKeys(transaction),
    result: (key) => transaction.objectStore('results').get(key),
    shards: (table, first, count) =>
      transaction
        .objectStore('shards')
        .getAll(IDBKeyRange.bound([table, first], [table, first + count], false, true)),
    shard: (table, shard) => transaction.objectStore('shards').get([table, shard]),
    shardKeys: () => transaction.objectStore('shards').getAllKeys(),
    directory: () => transaction.objectStore('meta').get(DIRECTORY),
    async side(plugin) {
      const store = transaction.objectStore('outbox');
      // Arrays sort after strings, so this includes every [plugin, key].
      const range = IDBKeyRange.bound([plugin], [plugin, []]);
      const [sequences, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return sequences.map(([, key], index) => [key, records[index]] as const);
    },
  };
}

/** Reads the marks of resets. */
export async function resetMarks(transaction: Transaction<IDBTransactionMode>): Promise<Reset[]> {
  const marks = marksOf(transaction);
  return decodeResets(
    await Promise.all(
      [true, false].map(async (keepsSide) => ({ at: await marks.get(markKey({ keepsSide })), keepsSide })),
    ),
  );
}

/** Deletes what resets are to delete, and leaves the header of the next epoch, which it returns. */
export async function emptyStores(
  transaction: Transaction<'readwrite'>,
  before: Header,
  resets: readonly Reset[],
): Promise<Header> {
  const last = await transaction.objectStore('log').openKeyCursor(null, 'prev');
  const header = clearedHeader(before, resets, last?.key ?? 0);
  const stores: StoreName[] = ['log', 'shards', 'results'];
  if (header.sideEpoch !== before.sideEpoch) stores.push('outbox');
  const meta = transaction.objectStore('meta');
  await Promise.all([
    ...stores.map((name) => transaction.objectStore(name).clear()),
    meta.delete(DIRECTORY),
    meta.delete(RESULT_KEYS),
  ]);
  await Promise.all([meta.put(true, guardKey(before)), meta.put(header, HEADER)]);
  return header;
}

/** No log gets this long: a greater key, or one that is not a number, is damage. */
const MAX_SEQUENCE = 2 ** 52;

/** Records written in parallel: cloning them takes one task. */
const WRITTEN_AT_ONCE = 8;

/** Executes a plan that is based on this header. */
export async function executePlan(
  transaction: Transaction<'readwrite'>,
  plan: RewritePlan,
  from: Header,
): Promise<void> {
  const shards = transaction.objectStore('shards');
  const results = transaction.objectStore('results');
  await inChunks(plan.shards, WRITTEN_AT_ONCE, ([table, shard, rows]) => shards.put(rows, [table, shard]));
  await inChunks(plan.results, WRITTEN_AT_ONCE, ([key, result]): Promise<unknown> =>
    result === undefined ? results.delete(key) : results.put(result, key),
  );
  await updateResultKeys(transaction, plan);
  await transaction.objectStore('log').delete(IDBKeyRange.upperBound(plan.dropLogThrough));
  const meta = transaction.objectStore('meta');
  if (plan.directory !== undefined) await meta.put(plan.directory, DIRECTORY);
  if (guardKey(plan.header) !== guardKey(from)) await meta.put(true, guardKey(from));
  await meta.put(plan.header, HEADER);
}

/** Writes in chunks, and yields to the main thread after each. */
export async function inChunks<T>(
  all: readonly T[],
  atOnce: number,
  write: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < all.length; start += atOnce)
    await Promise.all(all.slice(start, start + atOnce).map(write));
}
