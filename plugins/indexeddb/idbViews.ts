import type { Plan } from './Plan.ts';
import type { StorageView } from './Storage.ts';
import { passedKey, type Stamp } from './stamp.ts';
import { DIRECTORY, HEADER, type Transaction } from './stores.ts';

/** What a transaction over every store reads. */
export function storageView(transaction: Transaction<IDBTransactionMode>): StorageView {
  return {
    header: () => transaction.objectStore('meta').get(HEADER),
    async log(through, limit) {
      const store = transaction.objectStore('log');
      const range = IDBKeyRange.bound(through, LAST_PLACE, true);
      const [places, records] = await Promise.all([
        store.getAllKeys(range, limit),
        store.getAll(range, limit),
      ]);
      return places.map((place, index) => [place, records[index]] as const);
    },
    resultKeys: () => transaction.objectStore('results').getAllKeys(),
    result: (key) => transaction.objectStore('results').get(key),
    results: (first, last) => transaction.objectStore('results').getAll(IDBKeyRange.bound(first, last)),
    shards: (table, first, count) =>
      transaction
        .objectStore('shards')
        .getAll(IDBKeyRange.bound([table, first], [table, first + count], false, true)),
    shard: (table, shard) => transaction.objectStore('shards').get([table, shard]),
    shardKeys: () => transaction.objectStore('shards').getAllKeys(),
    directory: () => transaction.objectStore('meta').get(DIRECTORY),
    async side(plugin) {
      const store = transaction.objectStore('outbox');
      // Lists sort after strings, so this takes in every [plugin, key].
      const range = IDBKeyRange.bound([plugin], [plugin, []]);
      const [places, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      return places.map(([, key], index) => [key, records[index]] as const);
    },
  };
}

/** No log gets this long: a greater place, or one that is no number, is damage. */
const LAST_PLACE = 2 ** 52;

/** Records written before they are waited for: cloning them takes one task. */
const WRITTEN_AT_ONCE = 8;

/** Writes what a plan says, which was made from a header of this stamp. */
export async function carryOut(
  transaction: Transaction<'readwrite'>,
  plan: Plan,
  from: Stamp,
): Promise<void> {
  const shards = transaction.objectStore('shards');
  const results = transaction.objectStore('results');
  await inTurns(plan.shards, WRITTEN_AT_ONCE, ([table, shard, rows]) => shards.put(rows, [table, shard]));
  await inTurns(plan.results, WRITTEN_AT_ONCE, ([key, result]): Promise<unknown> =>
    result === undefined ? results.delete(key) : results.put(result, key),
  );
  await transaction.objectStore('log').delete(IDBKeyRange.upperBound(plan.dropLogThrough));
  const meta = transaction.objectStore('meta');
  if (plan.directory !== undefined) await meta.put(plan.directory, DIRECTORY);
  if (passedKey(plan.header) !== passedKey(from)) await meta.put(true, passedKey(from));
  await meta.put(plan.header, HEADER);
}

/** Lets go of the main thread after so many at once. */
export async function inTurns<T>(
  all: readonly T[],
  atOnce: number,
  write: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < all.length; start += atOnce)
    await Promise.all(all.slice(start, start + atOnce).map(write));
}
