import { decodeFound } from '../records/resultRecord.ts';
import { decodeRows } from '../records/rowBlock.ts';
import type { Decoding, DiskResult, DiskRow } from '../records/records.ts';
import type { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { Records } from '../storage/Storage.ts';

/** Shards or results per read transaction: few enough for one task. */
const READ_AT_ONCE = 16;

/** How stored records are read, without the log. */
export interface StoredRecords {
  readonly records: Records;
  readonly decoding: Decoding;
  readonly yielder: YieldScheduler;
}

/** The rows of shards; of one that is missing, none. */
export async function* shardRows(
  { records, decoding, yielder }: StoredRecords,
  table: string,
  shards: readonly number[],
): AsyncGenerator<readonly [shard: number, rows: readonly DiskRow[]]> {
  for (let start = 0; start < shards.length; start += READ_AT_ONCE) {
    const some = shards.slice(start, start + READ_AT_ONCE);
    const blocks = await records.read((view) => Promise.all(some.map((shard) => view.shard(table, shard))));
    for (const [index, shard] of some.entries()) {
      const block = blocks[index];
      yield [shard, block === undefined ? [] : decodeRows(block, `shard ${shard} of ${table}`, decoding)];
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
}

/** Results by their keys; undefined if one is missing. */
export async function* resultsOf(
  { records, decoding, yielder }: StoredRecords,
  keys: readonly string[],
): AsyncGenerator<readonly [key: string, result: DiskResult | undefined]> {
  for (let start = 0; start < keys.length; start += READ_AT_ONCE) {
    const some = keys.slice(start, start + READ_AT_ONCE);
    const found = await records.read((view) => Promise.all(some.map((key) => view.result(key))));
    for (const [index, key] of some.entries()) {
      yield [key, decodeFound(key, found[index], decoding.unreadable)];
      if (yielder.shouldYield) await yielder.yieldNow();
    }
  }
}

/** The numbers of a table's shards. */
export function shardNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, shard) => shard);
}
