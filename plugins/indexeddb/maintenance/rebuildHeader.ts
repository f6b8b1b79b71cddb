import { EMPTY_HEADER, MAX_SHARDS, type Header, type TableInfo } from '../records/header.ts';
import { rowRefs, type Decoding } from '../records/records.ts';
import { decodeFound } from '../records/resultRecord.ts';
import { decodeRows } from '../records/rowBlock.ts';
import { shardOf } from '../records/shards.ts';
import { sizeOf } from '../records/sizeOf.ts';
import type { Storage } from '../storage/Storage.ts';

/** Shards or results per read transaction: few enough for one task. */
const READ_AT_ONCE = 16;

/** Rebuilds a damaged header, without which the shards could not be found. Reads everything. */
export async function rebuildHeader(storage: Storage, decoding: Decoding): Promise<void> {
  const { identity } = storage;
  const keys = await storage.read((view) => view.shardKeys());
  let order = 0;
  const tables = new Map<string, TableInfo>();
  for (const [table, last] of lastShards(keys)) {
    const refs = new Set<string>();
    let shards = 1;
    let rows = 0;
    let bytes = 0;
    while (shards <= last) shards *= 2;
    for (let first = 0; first <= last; first += READ_AT_ONCE) {
      const numbers = Array.from(
        { length: Math.min(READ_AT_ONCE, last + 1 - first) },
        (_, nth) => first + nth,
      );
      const blocks = await storage.read((view) =>
        Promise.all(numbers.map((shard) => view.shard(table, shard))),
      );
      for (const [nth, block] of blocks.entries()) {
        if (block === undefined) continue;
        const shard = first + nth;
        for (const row of decodeRows(block, `shard ${shard} of ${table}`, decoding)) {
          // The last shards may be lost; a row's shard shows how many there were.
          while (shardOf(row.pk, shards) !== shard && shards < MAX_SHARDS) shards *= 2;
          rows += 1;
          bytes += sizeOf([row.pk, row.value, row.refs]);
          order = Math.max(order, row.meta.order, row.meta.answered);
          for (const [name] of rowRefs(row.refs)) refs.add(name);
        }
      }
    }
    tables.set(table, { shards, rows, bytes, refs: [...refs] });
  }
  let resultBytes = 0;
  const results = await storage.read((view) => view.resultKeys());
  for (let start = 0; start < results.length; start += READ_AT_ONCE) {
    const some = results.slice(start, start + READ_AT_ONCE);
    const records = await storage.read((view) => Promise.all(some.map((key) => view.result(key))));
    for (const [nth, key] of some.entries()) {
      const result = decodeFound(key, records[nth], decoding.unreadable);
      if (result === undefined) continue;
      resultBytes += sizeOf(result);
      order = Math.max(order, result.meta.order, result.meta.answered);
    }
  }
  const { version } = decoding;
  const header: Header = { ...EMPTY_HEADER, version, revision: 1, order, resultBytes, tables };
  await storage.rewrite({ identity, header, shards: [], results: [], dropLogThrough: 0 }, EMPTY_HEADER);
}

/** The highest shard of each table. */
function lastShards(keys: readonly (readonly [table: string, shard: number])[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const [table, shard] of keys)
    if (typeof table === 'string' && Number.isInteger(shard) && shard >= 0 && shard < 2 ** 22)
      last.set(table, Math.max(shard, last.get(table) ?? 0));
  return last;
}
