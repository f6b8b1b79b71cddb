import { EMPTY_HEADER, MAX_SHARDS, type Header, type TableInfo } from '../records/header.ts';
import { rowRefs, type Decoding } from '../records/records.ts';
import { shardOf } from '../records/shards.ts';
import { sizeOf } from '../records/sizeOf.ts';
import { yieldToMain } from '../../shared/mainThread.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { Records } from '../storage/Storage.ts';
import { resultsOf, shardNumbers, shardRows } from './storedRecords.ts';

/** Rebuilds a damaged header, without which the shards could not be found. Reads everything. */
export async function rebuildHeader(records: Records, decoding: Decoding): Promise<void> {
  const { identity } = records;
  const stored = { records, decoding, yielder: new YieldScheduler(yieldToMain) };
  const keys = await records.read((view) => view.shardKeys());
  let order = 0;
  const tables = new Map<string, TableInfo>();
  for (const [table, last] of lastShards(keys)) {
    const refs = new Set<string>();
    let shards = 1;
    let rows = 0;
    let bytes = 0;
    while (shards <= last) shards *= 2;
    for await (const [shard, found] of shardRows(stored, table, shardNumbers(last + 1))) {
      for (const row of found) {
        // The last shards may be lost; a row's shard shows how many there were.
        while (shardOf(row.pk, shards) !== shard && shards < MAX_SHARDS) shards *= 2;
        rows += 1;
        bytes += sizeOf([row.pk, row.value, row.refs]);
        order = Math.max(order, row.meta.order, row.meta.answered);
        for (const [name] of rowRefs(row.refs)) refs.add(name);
      }
    }
    tables.set(table, { shards, rows, bytes, refs: [...refs] });
  }
  let resultBytes = 0;
  for await (const [, result] of resultsOf(stored, await records.read((view) => view.resultKeys()))) {
    if (result === undefined) continue;
    resultBytes += sizeOf(result);
    order = Math.max(order, result.meta.order, result.meta.answered);
  }
  const { version } = decoding;
  const header: Header = { ...EMPTY_HEADER, version, revision: 1, order, resultBytes, tables };
  await records.rewrite({ identity, header, shards: [], results: [], dropLogThrough: 0 }, EMPTY_HEADER);
}

/** The highest shard of each table. */
function lastShards(keys: readonly (readonly [table: string, shard: number])[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const [table, shard] of keys)
    if (typeof table === 'string' && Number.isInteger(shard) && shard >= 0 && shard < MAX_SHARDS)
      last.set(table, Math.max(shard, last.get(table) ?? 0));
  return last;
}
