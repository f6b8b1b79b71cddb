import type { TableInfo } from './header.ts';
import type { Log } from './Log.ts';
import { newer, newerRow } from './order.ts';
import { named, type DiskRow, type Unreadable } from './records.ts';
import { decodeResult, encodeResult } from './resultRecord.ts';
import { decodeRows, encodeRows } from './rowBlock.ts';
import { isOutgrown, shardOf, shardsFor } from './shards.ts';
import type { FoldView } from './Storage.ts';

/** How long a tombstone is kept after it left the log, in ms: requests older than that do not come back. */
const TOMBSTONE_AGE = 24 * 60 * 60 * 1_000;

/** What a fold needs besides its transaction. */
export interface Folding {
  readonly log: Log;
  /** The time in ms since the epoch. */
  readonly now: number;
  readonly unreadable: Unreadable;
}

/**
 * Moves the whole log into shards and results, of each row and result the newest version. One that dies halfway leaves
 * everything as it was, since it is one transaction.
 */
export async function fold(view: FoldView, folding: Folding): Promise<void> {
  const { log, unreadable } = folding;
  const header = await log.refresh(view);
  const tables = new Map(header.tables);
  for (const table of log.tables()) {
    tables.set(table, await new TableFold(view, table, folding).run(header.tables.get(table)));
  }
  for (const result of log.results()) {
    const record = await view.result(result.key);
    const stored =
      record === undefined
        ? undefined
        : decodeResult(record, `result ${JSON.stringify(result.key)}`, unreadable);
    if (newer(stored, result) === result) await view.putResult(encodeResult(result));
  }
  await view.dropLog(log.through);
  await view.putHeader({
    ...header,
    foldedThrough: log.through,
    order: Math.max(header.order, log.order),
    tables,
  });
}

/** The fold of one table's rows. */
class TableFold {
  readonly #view: FoldView;
  readonly #table: string;
  readonly #folding: Folding;

  constructor(view: FoldView, table: string, folding: Folding) {
    this.#view = view;
    this.#table = table;
    this.#folding = folding;
  }

  async run(info: TableInfo = { shards: 0, rows: 0, refs: [] }): Promise<TableInfo> {
    const refs = new Set(info.refs);
    const byShard = new Map<number, DiskRow[]>();
    let { rows } = info;
    let most = rows;
    for (const row of this.#folding.log.rowsOf(this.#table)) {
      for (const [table] of named(row.refs)) refs.add(table);
      const shard = info.shards === 0 ? 0 : shardOf(row.pk, info.shards);
      const members = byShard.get(shard);
      if (members === undefined) byShard.set(shard, [row]);
      else members.push(row);
      most += 1;
    }
    // Where it may have outgrown its shards, nothing is written before it is known whether it has.
    const mayOutgrow = isOutgrown(most, info.shards);
    const touched = new Map<number, Map<string, DiskRow>>();
    for (const [shard, incoming] of byShard) {
      const members = info.shards === 0 ? new Map<string, DiskRow>() : await this.#read(shard);
      rows -= members.size;
      for (const row of incoming) members.set(row.pk, newerRow(members.get(row.pk), row));
      this.#age(members);
      rows += members.size;
      if (mayOutgrow) touched.set(shard, members);
      else await this.#put(shard, members.values());
    }
    const shards = isOutgrown(rows, info.shards) ? shardsFor(rows) : info.shards;
    if (shards !== info.shards) await this.#spread(touched, info.shards, shards);
    else for (const [shard, members] of touched) await this.#put(shard, members.values());
    return { shards, rows, refs: [...refs] };
  }

  /** Places every row of the table anew. There are never fewer shards than before, so each old one is overwritten. */
  async #spread(touched: ReadonlyMap<number, Map<string, DiskRow>>, from: number, to: number): Promise<void> {
    const placed = Array.from({ length: to }, (): DiskRow[] => []);
    for (let shard = 0; shard < Math.max(1, from); shard++) {
      const members = touched.get(shard) ?? (await this.#read(shard));
      for (const row of members.values()) placed[shardOf(row.pk, to)]?.push(row);
    }
    for (const [shard, rows] of placed.entries()) await this.#put(shard, rows);
  }

  /** Marks tombstones that have just left the log, and drops those that did so long ago. */
  #age(members: Map<string, DiskRow>): void {
    const { now } = this.#folding;
    for (const [pk, row] of members) {
      if (row.value !== undefined) continue;
      if (row.foldedAt === undefined) members.set(pk, { ...row, foldedAt: now });
      else if (now - row.foldedAt > TOMBSTONE_AGE) members.delete(pk);
    }
  }

  async #read(shard: number): Promise<Map<string, DiskRow>> {
    const where = `shard ${shard} of ${this.#table}`;
    const block = await this.#view.shard(this.#table, shard);
    const rows = block === undefined ? [] : decodeRows(block, where, this.#folding.unreadable);
    return new Map(rows.map((row) => [row.pk, row]));
  }

  #put(shard: number, rows: Iterable<DiskRow>): Promise<void> {
    return this.#view.putShard(this.#table, shard, encodeRows(rows));
  }
}
