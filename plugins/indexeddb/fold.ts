import type { Header, TableInfo } from './header.ts';
import { nextTurn } from './idle.ts';
import type { Log } from './Log.ts';
import { newer, newerRow } from './newer.ts';
import { Pacer } from './Pacer.ts';
import type { Plan } from './Plan.ts';
import { named, type Decoding, type DiskResult, type DiskRow } from './records.ts';
import { decodeFound, encodeResult } from './resultRecord.ts';
import { decodeRows, encodeRows } from './rowBlock.ts';
import { sizeOf } from './sizeOf.ts';
import { isOutgrown, shardOf, shardsFor } from './shards.ts';
import type { Storage } from './Storage.ts';

/** How long a tombstone is kept after it left the log, in ms: requests older than that do not come back. */
const TOMBSTONE_AGE = 24 * 60 * 60 * 1_000;

/** Shards or results read in one transaction: few enough for one task. */
const READ_AT_ONCE = 16;

/** Rows of a shard that are measured: those of a table are much alike. */
const MEASURED = 4;

/** What the times and orders take that rows of one response share, in bytes, about. */
const META = 100;

/** What a fold needs besides the storage. */
export interface Folding {
  readonly log: Log;
  /** The time in ms since the epoch. */
  readonly now: number;
  readonly decoding: Decoding;
}

/**
 * Plans how the whole log moves into shards and results, of each row and result the newest version. Reads in several
 * transactions: whether all that was read is of one moment is found out when the plan is carried out, by the header's
 * revision.
 */
export async function planFold(
  storage: Storage,
  folding: Folding,
): Promise<{ readonly plan: Plan; readonly from: Header }> {
  const { log, decoding } = folding;
  const from = await storage.read((view) => log.refresh(view));
  // What others append from here on stays in the log, also where it was read meanwhile and is folded with the rest.
  const { known: through, order } = log;
  const planned: Planned = { storage, folding, pacer: new Pacer(nextTurn), shards: [] };
  const tables = new Map(from.tables);
  for (const table of log.tables())
    tables.set(table, await new TableFold(planned, table).run(from.tables.get(table)));
  const results: Plan['results'][number][] = [];
  let { resultBytes } = from;
  const logged = loggedResults(log);
  for (let start = 0; start < logged.length; start += READ_AT_ONCE) {
    const some = logged.slice(start, start + READ_AT_ONCE);
    const records = await storage.read((view) => Promise.all(some.map(([key]) => view.result(key))));
    for (const [place, [key, result]] of some.entries()) {
      const stored = decodeFound(key, records[place], decoding.unreadable);
      const newest = withReadAt(
        result === undefined ? stored : newer(stored, result),
        stored,
        log.readAt(key),
      );
      if (newest === undefined || newest === stored) continue;
      results.push([key, encodeResult(newest)]);
      resultBytes += sizeOf(newest) - (stored === undefined ? 0 : sizeOf(stored));
    }
    if (planned.pacer.isDue) await planned.pacer.pause();
  }
  const header: Header = {
    ...from,
    revision: from.revision + 1,
    version: decoding.version,
    foldedThrough: through,
    order: Math.max(from.order, order),
    resultBytes,
    tables,
  };
  return { plan: { header, shards: planned.shards, results, dropLogThrough: through }, from };
}

/** The results that the log has, and those of which it only says when they were read. */
function loggedResults(log: Log): (readonly [key: string, result: DiskResult | undefined])[] {
  const logged = new Map<string, DiskResult | undefined>();
  for (const [key] of log.reads()) logged.set(key, undefined);
  for (const result of log.results()) logged.set(result.key, result);
  return [...logged];
}

function withReadAt(
  result: DiskResult | undefined,
  stored: DiskResult | undefined,
  readAt: number | undefined,
): DiskResult | undefined {
  const latest = Math.max(stored?.readAt ?? 0, readAt ?? 0);
  return result === undefined || latest === (result.readAt ?? 0) ? result : { ...result, readAt: latest };
}

/** A plan in the making. */
interface Planned {
  readonly storage: Storage;
  readonly folding: Folding;
  readonly pacer: Pacer;
  readonly shards: Plan['shards'][number][];
}

type Members = Map<string, DiskRow>;

/** The fold of one table's rows. */
class TableFold {
  readonly #planned: Planned;
  readonly #table: string;
  /** What the rows take that are written. */
  #bytes = 0;

  constructor(planned: Planned, table: string) {
    this.#planned = planned;
    this.#table = table;
  }

  async run(info: TableInfo = { shards: 0, rows: 0, bytes: 0, refs: [] }): Promise<TableInfo> {
    const { folding, pacer } = this.#planned;
    const refs = new Set(info.refs);
    const byShard = new Map<number, DiskRow[]>();
    let { rows } = info;
    let read = 0;
    let most = rows;
    for (const row of folding.log.rowsOf(this.#table)) {
      for (const [table] of named(row.refs)) refs.add(table);
      const shard = info.shards === 0 ? 0 : shardOf(row.pk, info.shards);
      const members = byShard.get(shard);
      if (members === undefined) byShard.set(shard, [row]);
      else members.push(row);
      most += 1;
      if (pacer.isDue) await pacer.pause();
    }
    // Where it may have outgrown its shards, nothing is encoded before it is known whether it has.
    const mayOutgrow = isOutgrown(most, info.shards);
    const touched = new Map<number, Members>();
    for await (const [shard, members] of this.#read([...byShard.keys()], info.shards)) {
      rows -= members.size;
      read += members.size;
      for (const row of byShard.get(shard) ?? []) {
        members.set(row.pk, newerRow(members.get(row.pk), row));
        if (pacer.isDue) await pacer.pause();
      }
      await this.#age(members);
      rows += members.size;
      if (mayOutgrow) touched.set(shard, members);
      else this.#put(shard, members.values());
    }
    const shards = isOutgrown(rows, info.shards) ? shardsFor(rows) : info.shards;
    if (shards !== info.shards) await this.#spread(touched, info.shards, shards);
    else for (const [shard, members] of touched) await this.#putPaced(shard, members.values());
    // The rest is as large as it was.
    const untouched =
      shards === info.shards && info.rows > 0 ? (info.bytes * (info.rows - read)) / info.rows : 0;
    return { shards, rows, bytes: Math.round(untouched + this.#bytes), refs: [...refs] };
  }

  /** Places every row of the table anew. There are never fewer shards than before, so each old one is overwritten. */
  async #spread(touched: ReadonlyMap<number, Members>, from: number, to: number): Promise<void> {
    const { pacer } = this.#planned;
    const placed = Array.from({ length: to }, (): DiskRow[] => []);
    const place = async (members: Members): Promise<void> => {
      for (const row of members.values()) {
        placed[shardOf(row.pk, to)]?.push(row);
        if (pacer.isDue) await pacer.pause();
      }
    };
    for (const members of touched.values()) await place(members);
    const others = Array.from({ length: from }, (_, shard) => shard).filter((shard) => !touched.has(shard));
    for await (const [, members] of this.#read(others, from)) await place(members);
    for (const [shard, rows] of placed.entries()) await this.#putPaced(shard, rows);
  }

  /** Marks tombstones that have just left the log, and drops those that did so long ago. */
  async #age(members: Members): Promise<void> {
    const { folding, pacer } = this.#planned;
    for (const [pk, row] of members) {
      if (pacer.isDue) await pacer.pause();
      // What was renamed leads to what it is now for as long as anything may name it.
      if (row.value !== undefined || row.refs.length > 0) continue;
      if (row.foldedAt === undefined) members.set(pk, { ...row, foldedAt: folding.now });
      else if (folding.now - row.foldedAt > TOMBSTONE_AGE) members.delete(pk);
    }
  }

  /** The rows of these shards, some at a time. A table that has no shards yet has nothing to read. */
  async *#read(shards: readonly number[], of: number): AsyncGenerator<readonly [number, Members]> {
    const { storage, folding, pacer } = this.#planned;
    for (let start = 0; start < shards.length; start += READ_AT_ONCE) {
      const some = shards.slice(start, start + READ_AT_ONCE);
      const blocks =
        of === 0
          ? []
          : await storage.read((view) => Promise.all(some.map((shard) => view.shard(this.#table, shard))));
      for (const [place, shard] of some.entries()) {
        const where = `shard ${shard} of ${this.#table}`;
        const block = blocks[place];
        const rows = block === undefined ? [] : decodeRows(block, where, folding.decoding);
        yield [shard, new Map(rows.map((row) => [row.pk, row]))];
        if (pacer.isDue) await pacer.pause();
      }
    }
  }

  async #putPaced(shard: number, rows: Iterable<DiskRow>): Promise<void> {
    this.#put(shard, rows);
    if (this.#planned.pacer.isDue) await this.#planned.pacer.pause();
  }

  #put(shard: number, members: Iterable<DiskRow>): void {
    const rows = [...members];
    this.#bytes += bytesOf(rows);
    this.#planned.shards.push([this.#table, shard, encodeRows(rows, this.#planned.folding.decoding.version)]);
  }
}

/** How many bytes rows of one table take, about. */
function bytesOf(rows: readonly DiskRow[]): number {
  const measured = rows.slice(0, MEASURED);
  const bytes = measured.reduce((sum, { pk, value, refs }) => sum + sizeOf([pk, value, refs]), 0);
  const metas = new Set(rows.map(({ meta }) => meta)).size * META;
  return measured.length === 0 ? 0 : (bytes / measured.length) * rows.length + metas;
}
