import { decodeFound } from '../records/resultRecord.ts';
import { decodeRows } from '../records/rowBlock.ts';
import type { Decoding, DiskResult, DiskRow } from '../records/records.ts';
import type { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { Records, StorageView } from '../storage/Storage.ts';

/** Shards or results per read transaction: few enough for one task. */
const READ_AT_ONCE = 16;

/** How stored records are read, without the log. */
export interface StoredRecords {
  readonly records: Records;
  readonly decoding: Decoding;
  readonly yielder: YieldScheduler;
}

/** The rows of shards; of one that is missing, none. */
export function shardRows(
  stored: StoredRecords,
  table: string,
  shards: readonly number[],
): AsyncGenerator<readonly [shard: number, rows: readonly DiskRow[]]> {
  const decode = (shard: number, block: unknown): DiskRow[] =>
    block === undefined ? [] : decodeRows(block, `shard ${shard} of ${table}`, stored.decoding);
  return decoded(stored, shards, (view, shard) => view.shard(table, shard), decode);
}

/** Results by their keys; undefined if one is missing. */
export function resultsOf(
  stored: StoredRecords,
  keys: readonly string[],
): AsyncGenerator<readonly [key: string, result: DiskResult | undefined]> {
  const decode = (key: string, found: unknown): DiskResult | undefined =>
    decodeFound(key, found, stored.decoding.unreadable);
  return decoded(stored, keys, (view, key) => view.result(key), decode);
}

/** Reads and decodes records, a few in each transaction. */
async function* decoded<K, T>(
  { records, yielder }: StoredRecords,
  keys: readonly K[],
  read: (view: StorageView, key: K) => Promise<unknown>,
  decode: (key: K, record: unknown) => T,
): AsyncGenerator<readonly [K, T]> {
  for (let start = 0; start < keys.length; start += READ_AT_ONCE) {
    const some = keys.slice(start, start + READ_AT_ONCE);
    const found = await records.read((view) => Promise.all(some.map((key) => read(view, key))));
    for (const [index, key] of some.entries()) {
      yield [key, decode(key, found[index])];
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
}

/** The numbers of a table's shards. */
export function shardNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, shard) => shard);
}
