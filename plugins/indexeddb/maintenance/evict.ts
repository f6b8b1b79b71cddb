import { RENAMES } from 'holdfast';
import { yieldInBackground } from '../../shared/mainThread.ts';
import { compactedSize, type Header, type TableInfo } from '../records/header.ts';
import type { Log } from '../writing/WriteAheadLog.ts';
import { YieldScheduler } from '../scheduling/YieldScheduler.ts';
import type { RewritePlan } from './RewritePlan.ts';
import { rowRefs, type Decoding, type DiskResult, type DiskRow, type Refs } from '../records/records.ts';
import { encodeRows } from '../records/rowBlock.ts';
import { RowSet } from '../reading/RowSet.ts';
import { sizeOf } from '../records/sizeOf.ts';
import type { Records } from '../storage/Storage.ts';
import { resultsOf, shardNumbers, shardRows, type StoredRecords } from './storedRecords.ts';

/** How much to keep. */
export interface Limits {
  readonly maxRows: number;
  /** Approximate. */
  readonly maxBytes: number;
}

/** The result of planning an eviction. */
export interface Eviction {
  readonly plan: RewritePlan;
  readonly from: Header;
  readonly rows: Refs;
  readonly results: readonly string[];
}

/** What an eviction needs besides the records. */
export interface EvictionDeps {
  readonly log: Log;
  readonly limits: Limits;
  readonly decoding: Decoding;
  /** When a result was last read in this session, in ms since the epoch; `Infinity` while it is mounted. */
  readonly readAt: (key: string) => number | undefined;
}

/** Evicts down to this share of the limits, so that the next change does not evict again. */
const KEEP_RATIO = 0.9;

/**
 * Plans an eviction: the least recently read results go first, with the rows that no other result refers to. The log
 * and what it refers to stay.
 *
 * @returns undefined if nothing has to be evicted
 */
export async function planEviction(records: Records, deps: EvictionDeps): Promise<Eviction | undefined> {
  const { limits, decoding, log } = deps;
  const { identity } = records;
  const from = await records.read((view) => log.refresh(view));
  const size = compactedSize(from);
  if (size.rows <= limits.maxRows && size.bytes <= limits.maxBytes) return undefined;
  const logEndsAt = log.mergedThrough;

  const yielder = new YieldScheduler(yieldInBackground);
  const stored = { records, decoding, yielder };
  const shards = await readShards(stored, from);
  const results = await readResults(stored, deps);
  const selection = new Selection(shards, from, limits);
  for (const root of loggedRows(log)) {
    selection.keep(root, 0, true);
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  const evicted: string[] = [];
  let resultBytes = 0;
  for (const result of results) {
    const bytes = sizeOf(result);
    if (selection.keep(result.refs, bytes)) resultBytes += bytes;
    else evicted.push(result.key);
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  // If every result is kept, keeps rows without one in what is left, the newest first.
  const others = evicted.length > 0 ? [] : shards.flatMap(({ rows }) => rows);
  others.sort((left, right) => right.meta.receivedAt - left.meta.receivedAt);
  for (const { table, pk } of others) if (!selection.keep([table, pk], 0)) break;

  const { tables, changed, rows } = shardsWithout(shards, from, selection, decoding);
  if (rows.length + evicted.length === 0) return undefined;
  const header: Header = {
    ...from,
    revision: from.revision + 1,
    evictions: from.evictions + 1,
    version: decoding.version,
    resultBytes,
    tables,
  };
  const plan: RewritePlan = {
    identity,
    header,
    shards: changed,
    results: evicted.map((key) => [key, undefined]),
    dropLogThrough: from.foldedThrough,
    logEndsAt,
  };
  return { plan, from, rows, results: evicted };
}

interface Shard {
  readonly table: string;
  readonly shard: number;
  readonly rows: readonly DiskRow[];
}

/** The rows to keep within the limits. */
class Selection {
  readonly #found = new Map<string, Map<string, DiskRow>>();
  readonly #bytesPerRow = new Map<string, number>();
  readonly #kept = new RowSet();
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #rows = 0;
  #bytes = 0;

  constructor(shards: readonly Shard[], { tables }: Header, { maxRows, maxBytes }: Limits) {
    this.#maxRows = KEEP_RATIO * maxRows;
    this.#maxBytes = KEEP_RATIO * maxBytes;
    for (const [table, { rows, bytes }] of tables) {
      this.#found.set(table, new Map());
      this.#bytesPerRow.set(table, rows === 0 ? 0 : bytes / rows);
    }
    for (const { table, rows } of shards) for (const row of rows) this.#found.get(table)?.set(row.pk, row);
  }

  has(table: string, pk: string): boolean {
    return this.#kept.has(table, pk);
  }

  /**
   * Keeps a result with everything it refers to, or nothing if that exceeds the limits.
   *
   * @param own - bytes of the result itself
   * @param isRequired - whether to keep it whatever the limits
   * @returns false if that exceeds the limits
   */
  keep(refs: Refs, own: number, isRequired = false): boolean {
    const reached = new RowSet();
    const next = [...rowRefs(refs)];
    let rows = this.#rows;
    let bytes = this.#bytes + own;
    const isTooMuch = (): boolean => !isRequired && (rows > this.#maxRows || bytes > this.#maxBytes);
    for (let one = next.pop(); one !== undefined && !isTooMuch(); one = next.pop()) {
      const [table, pk] = one;
      const row = this.#found.get(table)?.get(pk);
      if (row === undefined || this.#kept.has(table, pk) || !reached.add(table, pk)) continue;
      for (const reference of rowRefs(row.refs)) next.push(reference);
      rows += 1;
      bytes += this.#bytesPerRow.get(table) ?? 0;
    }
    if (isTooMuch()) return false;
    this.#rows = rows;
    this.#bytes = bytes;
    for (const [table, pk] of rowRefs(reached.toRefs())) this.#kept.add(table, pk);
    return true;
  }
}

/** The shards without evicted rows. Tombstones of deleted rows stay: they are few, and expire. */
function shardsWithout(
  shards: readonly Shard[],
  from: Header,
  selection: Selection,
  { version }: Decoding,
): { readonly tables: Map<string, TableInfo>; readonly changed: RewritePlan['shards']; readonly rows: Refs } {
  const tables = new Map(from.tables);
  const changed: RewritePlan['shards'][number][] = [];
  const evicted: string[] = [];
  for (const { table, shard, rows } of shards) {
    const stays = ({ pk, value, refs }: DiskRow): boolean =>
      table === RENAMES || (value === undefined && refs.length === 0) || selection.has(table, pk);
    const left = rows.filter(stays);
    if (left.length === rows.length) continue;
    for (const row of rows) if (!stays(row)) evicted.push(table, row.pk);
    changed.push([table, shard, encodeRows(left, version)]);
    const info = tables.get(table);
    if (info === undefined) continue;
    const count = info.rows - (rows.length - left.length);
    tables.set(table, { ...info, rows: count, bytes: Math.round((info.bytes * count) / info.rows) });
  }
  return { tables, changed, rows: evicted };
}

/** The rows in the log and their references. */
function* loggedRows(log: Log): Generator<Refs> {
  for (const table of log.tables()) {
    for (const { pk, refs } of log.rowsOf(table)) {
      yield [table, pk];
      yield refs;
    }
  }
  for (const { refs } of log.results()) yield refs;
}

/** The rows of all shards. */
async function readShards(stored: StoredRecords, from: Header): Promise<Shard[]> {
  const shards: Shard[] = [];
  for (const [table, info] of from.tables)
    for await (const [shard, rows] of shardRows(stored, table, shardNumbers(info.shards)))
      shards.push({ table, shard, rows });
  return shards;
}

/** The results that are not in the log, the last read first. */
async function readResults(stored: StoredRecords, { log, readAt }: EvictionDeps): Promise<DiskResult[]> {
  const keys = await stored.records.read((view) => view.resultKeys());
  const results: DiskResult[] = [];
  const compacted = keys.filter((key) => log.result(key) === undefined);
  for await (const [, result] of resultsOf(stored, compacted)) if (result !== undefined) results.push(result);
  const lastRead = ({ key, meta, readAt: written = 0 }: DiskResult): number =>
    Math.max(readAt(key) ?? 0, log.reads.get(key) ?? 0, written, meta.receivedAt);
  return results.sort((left, right) => lastRead(right) - lastRead(left));
}
