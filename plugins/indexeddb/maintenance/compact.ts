import type { Header, TableInfo } from '../records/header.ts';
import { yieldInBackground } from '../../shared/mainThread.ts';
import type { Log } from '../writing/WriteAheadLog.ts';
import { newer, newerRow } from '../records/newer.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { LostRows } from '../reading/LostRows.ts';
import type { RewritePlan } from './RewritePlan.ts';
import { rowRefs, type Decoding, type DiskResult, type DiskRow } from '../records/records.ts';
import { encodeResult } from '../records/resultRecord.ts';
import { encodeRows } from '../records/rowBlock.ts';
import { sizeOf } from '../records/sizeOf.ts';
import { isOutgrown, shardOf, shardsFor } from '../records/shards.ts';
import type { Records } from '../storage/Storage.ts';
import { resultsOf, shardNumbers, shardRows, type StoredRecords } from './storedRecords.ts';
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** How long a tombstone is kept after its compaction, in ms: older requests do not finish any more. */
const TOMBSTONE_AGE = 24 * 60 * 60 * 1_000;

/** Rows of a shard that are measured: rows of a table are similar. */
const SAMPLE_SIZE = 4;

/** The approximate size of the meta that rows of one response share, in bytes. */
const META_BYTES = 100;

/** What a compaction needs besides the records. */
export interface CompactionDeps {
  readonly log: Log;
  /** The time in ms since the epoch. */
  readonly now: number;
  readonly decoding: Decoding;
  readonly lostRows: LostRows;
}

/**
 * Plans how the log is merged into shards and results. Reads in several transactions; the header's revision shows at
 * execution whether they were consistent.
 */
export async function planCompaction(
  records: Records,
  deps: CompactionDeps,
): Promise<{ readonly plan: RewritePlan; readonly from: Header }> {
  const { log, decoding, lostRows } = deps;
  const { identity } = records;
  const from = await records.read((view) => log.refresh(view));
  // What is appended from here on stays in the log, even if it was read and compacted too.
  const { mergedThrough: through, lostAt, order } = log;
  const yielder = new YieldScheduler(yieldInBackground);
  const progress: CompactionProgress = { ...deps, records, yielder, shards: [] };
  const tables = new Map(from.tables);
  for (const table of log.tables())
    tables.set(table, await new TableCompaction(progress, table).run(from.tables.get(table)));
  // Once its shards are rewritten, nothing else shows that rows are missing.
  for (const [table, info] of tables)
    if (lostRows.has(table)) tables.set(table, { ...info, lostThrough: order });
  const results: RewritePlan['results'][number][] = [];
  let { resultBytes } = from;
  const logged = loggedResults(log);
  for await (const [key, stored] of resultsOf(progress, [...logged.keys()])) {
    const result = logged.get(key);
    const newest = withReadAt(
      result === undefined ? stored : newer(stored, result),
      stored,
      log.reads.get(key),
    );
    if (newest === undefined || newest === stored) continue;
    results.push([key, encodeResult(newest)]);
    resultBytes += sizeOf(newest) - (stored === undefined ? 0 : sizeOf(stored));
  }
  const header: Header = {
    ...from,
    revision: from.revision + 1,
    version: decoding.version,
    foldedThrough: through,
    lostAt,
    order: Math.max(from.order, order),
    resultBytes,
    tables,
  };
  return { plan: { identity, header, shards: progress.shards, results, dropLogThrough: through }, from };
}

/** The results in the log, and those of which it has only the read time. */
function loggedResults(log: Log): Map<string, DiskResult | undefined> {
  const logged = new Map<string, DiskResult | undefined>();
  for (const key of log.reads.keys()) logged.set(key, undefined);
  for (const result of log.results()) logged.set(result.key, result);
  return logged;
}

function withReadAt(
  result: DiskResult | undefined,
  stored: DiskResult | undefined,
  readAt: number | undefined,
): DiskResult | undefined {
  const latest = Math.max(stored?.readAt ?? 0, readAt ?? 0);
  return result === undefined || latest === (result.readAt ?? 0) ? result : { ...result, readAt: latest };
}

/** The state of a compaction. */
interface CompactionProgress extends StoredRecords, CompactionDeps {
  readonly shards: RewritePlan['shards'][number][];
}

type Members = Map<string, DiskRow>;

/** The compaction of one table. */
class TableCompaction {
  readonly #progress: CompactionProgress;
  readonly #table: string;
  /** The size of the written rows. */
  #bytes = 0;

  constructor(progress: CompactionProgress, table: string) {
    this.#progress = progress;
    this.#table = table;
  }

  async run(info: TableInfo = { shards: 0, rows: 0, bytes: 0, refs: [] }): Promise<TableInfo> {
    const { log, yielder } = this.#progress;
    const refs = new Set(info.refs);
    const byShard = new Map<number, DiskRow[]>();
    let { rows } = info;
    let read = 0;
    for (const row of log.rowsOf(this.#table)) {
      for (const [table] of rowRefs(row.refs)) refs.add(table);
      const shard = info.shards === 0 ? 0 : shardOf(row.pk, info.shards);
      getOrInsert(byShard, shard, () => []).push(row);
      if (yielder.shouldYield) await yielder.yieldNow();
    }
    const touched = new Map<number, Members>();
    for await (const [shard, members] of this.#read([...byShard.keys()])) {
      rows -= members.size;
      read += members.size;
      for (const row of byShard.get(shard) ?? []) {
        members.set(row.pk, newerRow(members.get(row.pk), row));
        if (yielder.shouldYield) await yielder.yieldNow();
      }
      await this.#ageTombstones(members);
      rows += members.size;
      touched.set(shard, members);
    }
    const shards = isOutgrown(rows, info.shards) ? shardsFor(rows) : info.shards;
    if (shards !== info.shards) await this.#reshard(touched, info.shards, shards);
    else for (const [shard, members] of touched) await this.#put(shard, [...members.values()]);
    // Untouched shards keep their size.
    const untouched =
      shards === info.shards && info.rows > 0 ? (info.bytes * (info.rows - read)) / info.rows : 0;
    return { ...info, shards, rows, bytes: Math.round(untouched + this.#bytes), refs: [...refs] };
  }

  /** Distributes all rows over more shards. The number never decreases, so each old shard is overwritten. */
  async #reshard(touched: ReadonlyMap<number, Members>, from: number, to: number): Promise<void> {
    const { yielder } = this.#progress;
    const placed = Array.from({ length: to }, (): DiskRow[] => []);
    const index = async (members: Members): Promise<void> => {
      for (const row of members.values()) {
        placed[shardOf(row.pk, to)]?.push(row);
        if (yielder.shouldYield) await yielder.yieldNow();
      }
    };
    for (const members of touched.values()) await index(members);
    const others = shardNumbers(from).filter((shard) => !touched.has(shard));
    for await (const [, members] of this.#read(others)) await index(members);
    for (const [shard, rows] of placed.entries()) await this.#put(shard, rows);
  }

  /** Marks tombstones that have just left the log, and drops old ones. */
  async #ageTombstones(members: Members): Promise<void> {
    const { now, yielder } = this.#progress;
    for (const [pk, row] of members) {
      if (yielder.shouldYield) await yielder.yieldNow();
      // The tombstone of a rename stays, since references to it may remain.
      if (row.value !== undefined || row.refs.length > 0) continue;
      if (row.foldedAt === undefined) members.set(pk, { ...row, foldedAt: now });
      else if (now - row.foldedAt > TOMBSTONE_AGE) members.delete(pk);
    }
  }

  async *#read(shards: readonly number[]): AsyncGenerator<readonly [number, Members]> {
    for await (const [shard, rows] of shardRows(this.#progress, this.#table, shards))
      yield [shard, new Map(rows.map((row) => [row.pk, row]))];
  }

  async #put(shard: number, rows: readonly DiskRow[]): Promise<void> {
    const { shards, decoding, yielder } = this.#progress;
    this.#bytes += bytesOf(rows);
    shards.push([this.#table, shard, encodeRows(rows, decoding.version)]);
    if (yielder.shouldYield) await yielder.yieldNow();
  }
}

/** The approximate size of rows of one table, in bytes. */
function bytesOf(rows: readonly DiskRow[]): number {
  const measured = rows.slice(0, SAMPLE_SIZE);
  const bytes = measured.reduce((sum, { pk, value, refs }) => sum + sizeOf([pk, value, refs]), 0);
  const metas = new Set(rows.map(({ meta }) => meta)).size * META_BYTES;
  return measured.length === 0 ? 0 : (bytes / measured.length) * rows.length + metas;
}
