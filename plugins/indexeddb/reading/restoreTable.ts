import type { Disk } from '../Disk.ts';
import type { Importer } from './Importer.ts';
import { prefetch } from './prefetch.ts';
import type { ShardRange } from './Reader.ts';

/** Shards read in one transaction. */
const SHARDS = 256;

/**
 * Restores every row of a table into memory, in short tasks.
 *
 * @param beforeRows - called with what was read, before it is merged
 * @returns false if it was stopped
 */
export async function restoreTable(
  disk: Disk,
  table: string,
  importer: Importer,
  beforeRows?: (found: ShardRange) => Promise<boolean>,
): Promise<boolean> {
  const read = (first: number): Promise<ShardRange> => disk.reader.shards(table, first, SHARDS);
  const markComplete = disk.syncStates.completing(table);
  // A table that is only in the log counts as one shard.
  const shardCount = Math.max(1, disk.log.header.tables.get(table)?.shards ?? 0);
  for (const reading of prefetch(shardCount, SHARDS, read)) {
    // A query that could not wait has had it restored.
    if (beforeRows === undefined && disk.syncStates.isComplete(table)) return true;
    const found = await reading;
    if (!(await importer.waitForTurn())) return false;
    // A compaction has resharded the table. Rows that are already in memory are skipped.
    if (found.shards !== shardCount) return restoreTable(disk, table, importer, beforeRows);
    if ((await beforeRows?.(found)) === false || !(await importer.rows(table, found))) return false;
  }
  markComplete();
  return true;
}
