import { nextTurn } from './idle.ts';
import { decodeHeader, type Header } from './header.ts';
import { Pacer } from './Pacer.ts';
import type { Plan } from './Plan.ts';
import { named, type Decoding, type DiskResult, type DiskRow, type Refs } from './records.ts';
import { decodeResult } from './resultRecord.ts';
import { decodeRows, encodeRows } from './rowBlock.ts';
import { RowSet } from './RowSet.ts';
import type { Storage } from './Storage.ts';
import { toText } from './typedText.ts';

/** How much may be kept. */
export interface Limits {
  readonly maxRows: number;
  /** About: by the size of rows as text. */
  readonly maxBytes: number;
}

/** What an eviction takes away. */
export interface Eviction {
  readonly plan: Plan;
  readonly from: Header;
  readonly rows: Refs;
  readonly results: readonly string[];
}

/** Of what may be kept this much is, so that the next change does not evict again. */
const KEPT = 0.9;

/** Records read in one transaction: few enough for one task. */
const READ_AT_ONCE = 16;

/** What an eviction needs besides the storage. */
export interface Evicting {
  readonly limits: Limits;
  readonly decoding: Decoding;
  /** When a result was last read, in ms since the epoch, as far as that is known. */
  readonly readAt: (key: string) => number | undefined;
}

/**
 * Plans which results and rows go where there are too many: the results that were not read for longest, and then the
 * rows that none of the others reaches. To be planned when the log is empty, and carried out only while it still is.
 *
 * @returns undefined when nothing has to go
 */
export async function planEviction(storage: Storage, evicting: Evicting): Promise<Eviction | undefined> {
  const { limits, decoding, readAt } = evicting;
  const from = decodeHeader(await storage.read((view) => view.header()), decoding.unreadable);
  let total = 0;
  for (const { rows } of from.tables.values()) total += rows;
  if (total === 0 || (total <= limits.maxRows && limits.maxBytes === Infinity)) return undefined;

  const pacer = new Pacer(nextTurn);
  const shards: { readonly table: string; readonly shard: number; readonly rows: DiskRow[] }[] = [];
  const found = new Map<string, Map<string, DiskRow>>();
  let bytes = 0;
  for (const [table, info] of from.tables) {
    const byPk = new Map<string, DiskRow>();
    found.set(table, byPk);
    for (let first = 0; first < info.shards; first += READ_AT_ONCE) {
      const blocks = await storage.read((view) => view.shards(table, first, READ_AT_ONCE));
      for (const [place, block] of blocks.entries()) {
        const rows = decodeRows(block, `shard ${first + place} of ${table}`, decoding);
        shards.push({ table, shard: first + place, rows });
        for (const row of rows) byPk.set(row.pk, row);
        // Rows of a table are much alike: one of a shard stands for all of them.
        if (rows[0] !== undefined && limits.maxBytes !== Infinity)
          bytes += toText(rows[0]).length * rows.length;
        await pacer.pause();
      }
    }
  }
  if (total <= limits.maxRows && bytes <= limits.maxBytes) return undefined;
  const most = KEPT * Math.min(limits.maxRows, total * Math.min(1, limits.maxBytes / bytes || 1));

  const results = await readResults(storage, decoding);
  const lastRead = ({ key, meta }: DiskResult): number => Math.max(readAt(key) ?? 0, meta.receivedAt);
  results.sort((left, right) => lastRead(right) - lastRead(left));
  const kept = new RowSet();
  let count = 0;
  /** Keeps what a value reaches, or nothing of it where that is too much. */
  const keep = (refs: Refs): boolean => {
    const reached = new RowSet();
    const added: (readonly [string, string])[] = [];
    const next = [...named(refs)];
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      const [table, pk] = one;
      const row = found.get(table)?.get(pk);
      if (row === undefined || kept.has(table, pk) || !reached.add(table, pk)) continue;
      added.push(one);
      for (const reference of named(row.refs)) next.push(reference);
      if (count + added.length > most) return false;
    }
    for (const [table, pk] of added) kept.add(table, pk);
    count += added.length;
    return true;
  };
  const evictedResults: string[] = [];
  let isFull = false;
  for (const { key, refs } of results) {
    isFull ||= !keep(refs);
    if (isFull) evictedResults.push(key);
    if (pacer.isDue) await pacer.pause();
  }
  // Where there is room left, rows that were kept for themselves, the newest first.
  const others = shards.flatMap(({ rows }) => rows).filter(({ table, pk }) => !kept.has(table, pk));
  others.sort((left, right) => right.meta.receivedAt - left.meta.receivedAt);
  for (const { table, pk } of others) if (!isFull && !keep([table, pk])) isFull = true;
  return { ...planned(from, shards, kept, evictedResults, decoding), from, results: evictedResults };
}

/** The shards without what is not kept. Tombstones stay: they are few, and go by themselves. */
function planned(
  from: Header,
  shards: readonly { readonly table: string; readonly shard: number; readonly rows: readonly DiskRow[] }[],
  kept: RowSet,
  results: readonly string[],
  { version }: Decoding,
): { readonly plan: Plan; readonly rows: Refs } {
  const tables = new Map(from.tables);
  const changed: Plan['shards'][number][] = [];
  const evicted: string[] = [];
  for (const { table, shard, rows } of shards) {
    const left = rows.filter(({ pk, value }) => value === undefined || kept.has(table, pk));
    if (left.length === rows.length) continue;
    for (const { pk, value } of rows)
      if (value !== undefined && !kept.has(table, pk)) evicted.push(table, pk);
    changed.push([table, shard, encodeRows(left, version)]);
    const info = tables.get(table);
    if (info !== undefined) tables.set(table, { ...info, rows: info.rows - (rows.length - left.length) });
  }
  const header: Header = { ...from, revision: from.revision + 1, version, tables };
  const plan: Plan = {
    header,
    shards: changed,
    results: results.map((key) => [key, undefined]),
    dropLogThrough: from.foldedThrough,
    needsEmptyLog: true,
  };
  return { plan, rows: evicted };
}

async function readResults(storage: Storage, { unreadable }: Decoding): Promise<DiskResult[]> {
  const keys = await storage.read((view) => view.resultKeys());
  const results: DiskResult[] = [];
  for (let start = 0; start < keys.length; start += READ_AT_ONCE) {
    const some = keys.slice(start, start + READ_AT_ONCE);
    const records = await storage.read((view) => Promise.all(some.map((key) => view.result(key))));
    for (const record of records) {
      const result = record === undefined ? undefined : decodeResult(record, 'a result', unreadable);
      if (result !== undefined) results.push(result);
    }
    await nextTurn();
  }
  return results;
}
