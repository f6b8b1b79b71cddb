import type { State } from 'holdfast';
import type { Header } from '../records/header.ts';
import type { Log } from '../writing/WriteAheadLog.ts';
import { newer, newerRow } from '../records/newer.ts';
import { rowRefs, type Decoding, type DiskResult, type DiskRow, type Refs } from '../records/records.ts';
import type { References } from '../records/References.ts';
import { decodeFound } from '../records/resultRecord.ts';
import { decodeRows, type RowBlock } from '../records/rowBlock.ts';
import type { LostRows } from './LostRows.ts';
import { RowSet } from './RowSet.ts';
import { shardOf } from '../records/shards.ts';
import type { SyncStates } from '../writing/SyncStates.ts';
import type { StorageView } from '../storage/Storage.ts';
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** Shards per request: decoding them is one task, of about 1,500 rows. */
const SHARDS_PER_READ = 64;

/** The disk, as a read transaction needs it. */
export interface ReadTransactionDeps {
  readonly log: Log;
  /** The state in memory. */
  readonly state: State | undefined;
  readonly syncStates: SyncStates;
  readonly references: References;
  readonly decoding: Decoding;
  /** Of the current session. Updated. */
  readonly lostRows: LostRows;
}

/** The merged view of log, shards and results in one transaction. Reads each shard once. */
export class ReadTransaction {
  readonly header: Header;
  /** The last sequence number that was read. */
  readonly lastSeen: number;
  readonly #view: StorageView;
  readonly #disk: ReadTransactionDeps;
  /** A reset during the transaction replaces that of the disk. */
  readonly #lostRows: LostRows;
  readonly #shards = new Map<string, Promise<Map<string, DiskRow>>>();

  /** @param header - as the log has just been refreshed with, in the same transaction */
  constructor(view: StorageView, header: Header, disk: ReadTransactionDeps) {
    this.#view = view;
    this.header = header;
    this.lastSeen = disk.log.lastSeen;
    this.#disk = disk;
    this.#lostRows = disk.lostRows;
  }

  /** The number of shards of a table; 0 if it is only in the log, or nowhere. */
  shards(table: string): number {
    return this.header.tables.get(table)?.shards ?? 0;
  }

  /** The newest version of a result. */
  async result(key: string): Promise<DiskResult | undefined> {
    const { log, decoding } = this.#disk;
    const stored = decodeFound(key, await this.#view.result(key), decoding.unreadable);
    const logged = log.result(key);
    return logged === undefined ? stored : newer(stored, logged);
  }

  /** The newest versions of these results, if they are on disk. */
  async results(keys: readonly string[]): Promise<DiskResult[]> {
    const found = await Promise.all(keys.map((key) => this.result(key)));
    return found.filter((result) => result !== undefined);
  }

  /**
   * The newest versions of the rows of consecutive shards, and of the rows that a compaction would add. Default: those of
   * the whole table.
   */
  async range(table: string, first = 0, count = Infinity): Promise<DiskRow[]> {
    const { log } = this.#disk;
    const shards = this.shards(table);
    const found: DiskRow[] = [];
    const take = async (start: number): Promise<void> => {
      const end = Math.min(start + SHARDS_PER_READ, first + count, shards);
      const blocks = await this.#view.shards(table, start, end - start);
      for (const [index, block] of blocks.entries())
        for (const row of this.#decode(table, start + index, block)) found.push(row);
      if (blocks.length < end - start) this.#lostRows.add(table);
    };
    const taking: Promise<void>[] = [];
    for (let start = first; start < Math.min(first + count, shards); start += SHARDS_PER_READ)
      taking.push(take(start));
    await Promise.all(taking);
    const logged = new Map<string, DiskRow>();
    for (const row of log.rowsOf(table)) {
      const shard = shards === 0 ? 0 : shardOf(row.pk, shards);
      if (shard >= first && shard < first + count) logged.set(row.pk, row);
    }
    return logged.size === 0 ? found : withLogged(found, logged);
  }

  /**
   * Follows references transitively to rows that memory lacks, or whose version on disk it has not seen.
   *
   * @returns the rows, and references to rows that are neither on disk nor in memory
   */
  async follow(roots: Refs): Promise<{ readonly rows: DiskRow[]; readonly missing: Refs }> {
    const visited = new RowSet();
    const rows: DiskRow[] = [];
    const missing: string[] = [];
    // Level by level, so that rows of one level share reads of shards.
    for (let level = roots; level.length > 0;) {
      const { state, syncStates, references } = this.#disk;
      const wanted = new Map<string, string[]>();
      const next: string[] = [];
      for (const [table, pk] of rowRefs(level)) {
        if (!visited.add(table, pk)) continue;
        const row = state?.tables[table]?.get(pk);
        if (row === undefined || (syncStates.get(table, pk) ?? 'synced') !== 'synced')
          getOrInsert(wanted, table, () => []).push(pk);
        // Rows in memory may refer to rows that are only on disk.
        if (row !== undefined) for (const part of references.ofRow(table, row)) next.push(part);
      }
      await Promise.all(
        [...wanted].map(async ([table, pks]) => {
          const found = await this.#rowsOf(table, pks);
          for (const row of found.values()) {
            rows.push(row);
            for (const part of row.refs) next.push(part);
          }
          for (const pk of pks) if (!found.has(pk) && !this.#inMemory(table, pk)) missing.push(table, pk);
        }),
      );
      level = next;
    }
    return { rows, missing };
  }

  #inMemory(table: string, pk: string): boolean {
    return this.#disk.state?.tables[table]?.get(pk) !== undefined;
  }

  /** The newest versions of these rows, if they are on disk, by pk. */
  async #rowsOf(table: string, pks: readonly string[]): Promise<Map<string, DiskRow>> {
    const { log } = this.#disk;
    const shards = this.shards(table);
    const blocks = new Map<number, ReadonlyMap<string, DiskRow>>();
    const numbers = shards === 0 ? [] : new Set(pks.map((pk) => shardOf(pk, shards)));
    await Promise.all(
      [...numbers].map(async (shard) => blocks.set(shard, await this.#shardRows(table, shard))),
    );
    const found = new Map<string, DiskRow>();
    for (const pk of pks) {
      const stored = blocks.get(shardOf(pk, shards))?.get(pk);
      const logged = log.row(table, pk);
      const row = logged === undefined ? stored : newerRow(stored, logged);
      if (row !== undefined) found.set(pk, row);
    }
    return found;
  }

  #decode(table: string, shard: number, block: unknown): DiskRow[] {
    const { decoding } = this.#disk;
    const rows = block === undefined ? [] : decodeRows(block, `shard ${shard} of ${table}`, decoding);
    const { length } = (block as Partial<RowBlock> | null | undefined)?.pk ?? {}; // any record
    if (length !== rows.length) this.#lostRows.add(table);
    return rows;
  }

  /** The rows of a shard, without the log. */
  #shardRows(table: string, shard: number): Promise<ReadonlyMap<string, DiskRow>> {
    return getOrInsert(this.#shards, JSON.stringify([table, shard]), () =>
      this.#view
        .shard(table, shard)
        .then((block) => new Map(this.#decode(table, shard, block).map((row) => [row.pk, row]))),
    );
  }
}

/** Merges logged rows into those of shards; new rows come last. */
function withLogged(found: readonly DiskRow[], later: Map<string, DiskRow>): DiskRow[] {
  const newest = found.map((row) => {
    const logged = later.get(row.pk);
    if (logged === undefined) return row;
    // A row is in one shard only.
    later.delete(row.pk);
    return newerRow(row, logged);
  });
  return [...newest, ...later.values()];
}
