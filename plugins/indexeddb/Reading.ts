import type { State } from 'holdfast';
import type { Header } from './header.ts';
import type { Log } from './Log.ts';
import { newer, newerRow } from './newer.ts';
import { named, type Decoding, type DiskResult, type DiskRow, type Refs } from './records.ts';
import type { References } from './References.ts';
import { decodeFound, decodeResult } from './resultRecord.ts';
import { decodeRows } from './rowBlock.ts';
import { RowSet } from './RowSet.ts';
import { shardOf } from './shards.ts';
import type { Standings } from './Standings.ts';
import type { StorageView } from './Storage.ts';

/** Shards asked for at a time: decoding them is one task, of some 1,500 rows. */
const AT_ONCE = 64;

/** What a reading looks at besides the disk. */
export interface Surroundings {
  readonly log: Log;
  /** What is in memory. */
  readonly state: State | undefined;
  readonly standings: Standings;
  readonly references: References;
  readonly decoding: Decoding;
}

/** One transaction's view of log, shards and results together. Each shard is read once. */
export class Reading {
  readonly header: Header;
  /** The last place of the log that is known of. */
  readonly known: number;
  readonly #view: StorageView;
  readonly #around: Surroundings;
  readonly #shards = new Map<string, Promise<Map<string, DiskRow>>>();

  private constructor(view: StorageView, header: Header, around: Surroundings) {
    this.#view = view;
    this.header = header;
    this.known = around.log.known;
    this.#around = around;
  }

  static async begin(view: StorageView, around: Surroundings): Promise<Reading> {
    return new Reading(view, await around.log.refresh(view), around);
  }

  /** How many shards a table has; 0 for one that is in the log alone or nowhere. */
  shards(table: string): number {
    return this.header.tables.get(table)?.shards ?? 0;
  }

  /** The newest version of a result. */
  async result(key: string): Promise<DiskResult | undefined> {
    const { log, decoding } = this.#around;
    const folded = decodeFound(key, await this.#view.result(key), decoding.unreadable);
    const logged = log.result(key);
    return logged === undefined ? folded : newer(folded, logged);
  }

  /** The newest versions of the results from one key to another, both included. */
  async resultsBetween(first: string, last: string): Promise<DiskResult[]> {
    const { log, decoding } = this.#around;
    const results = new Map<string, DiskResult>();
    const records = await this.#view.results(first, last);
    for (const [place, record] of records.entries()) {
      const where = `result ${place} from ${JSON.stringify(first)} on`;
      const result = decodeResult(record, where, decoding.unreadable);
      if (result !== undefined) results.set(result.key, result);
    }
    for (const logged of log.results()) {
      const { key } = logged;
      if (first <= key && key <= last) results.set(key, newer(results.get(key), logged));
    }
    return [...results.values()];
  }

  /** The newest versions of the rows of some shards in a row, in a list for each, and of those that a fold would add. */
  async range(table: string, first: number, count: number): Promise<DiskRow[][]> {
    const { log, decoding } = this.#around;
    const shards = this.shards(table);
    const found: DiskRow[][] = [];
    const take = async (start: number): Promise<void> => {
      const blocks = await this.#view.shards(table, start, Math.min(AT_ONCE, first + count - start));
      for (const [place, block] of blocks.entries())
        found.push(decodeRows(block, `shard ${start + place} of ${table}`, decoding));
    };
    const taking: Promise<void>[] = [];
    for (let start = first; start < Math.min(first + count, shards); start += AT_ONCE)
      taking.push(take(start));
    await Promise.all(taking);
    const logged = new Map<string, DiskRow>();
    for (const row of log.rowsOf(table)) {
      const shard = shards === 0 ? 0 : shardOf(row.pk, shards);
      if (shard >= first && shard < first + count) logged.set(row.pk, row);
    }
    return logged.size === 0 ? found : withLater(found, logged);
  }

  /** Every row of a table. */
  async table(table: string): Promise<DiskRow[]> {
    return (await this.range(table, 0, Math.max(1, this.shards(table)))).flat();
  }

  /** The newest versions of these rows, as far as they are on disk. */
  async rows(refs: Refs): Promise<DiskRow[]> {
    const asked = new Map<string, string[]>();
    for (const [table, pk] of named(refs)) {
      const pks = asked.get(table);
      if (pks === undefined) asked.set(table, [pk]);
      else pks.push(pk);
    }
    const found = await Promise.all([...asked].map(([table, pks]) => this.#rowsOf(table, pks)));
    return found.flat();
  }

  /**
   * The rows that references lead to, transitively, as far as memory lacks them or has not seen disk's version.
   *
   * @param visited - rows that need no visit; those visited are added
   * @returns the rows, and the rows that are neither on disk nor in memory
   */
  async follow(
    roots: Refs,
    visited: RowSet,
  ): Promise<{ readonly rows: DiskRow[]; readonly missing: RowSet }> {
    const rows: DiskRow[] = [];
    const missing = new RowSet();
    // Level by level, so that the rows of one level share the reading of their shards.
    for (let level = roots; level.length > 0;) {
      const { wanted, next } = this.#sift(level, visited);
      const found = await this.rows(wanted);
      const onDisk = new RowSet();
      for (const row of found) {
        onDisk.add(row.table, row.pk);
        rows.push(row);
        for (const part of row.refs) next.push(part);
      }
      for (const [table, pk] of named(wanted))
        if (!onDisk.has(table, pk) && !this.#inMemory(table, pk)) missing.add(table, pk);
      level = next;
    }
    return { rows, missing };
  }

  /** Which of the rows are to be read from disk, and what those in memory lead to. */
  #sift(level: Refs, visited: RowSet): { wanted: string[]; next: string[] } {
    const { state, standings, references } = this.#around;
    const wanted: string[] = [];
    const next: string[] = [];
    for (const [table, pk] of named(level)) {
      if (!visited.add(table, pk)) continue;
      const row = state?.tables[table]?.get(pk);
      const standing = standings.get(table, pk);
      const isMet = standing === undefined || standing === 'merged';
      if (row === undefined || !isMet) wanted.push(table, pk);
      // What memory has may name rows that only disk has.
      if (row !== undefined) for (const part of references.ofRow(table, row)) next.push(part);
    }
    return { wanted, next };
  }

  #inMemory(table: string, pk: string): boolean {
    return this.#around.state?.tables[table]?.get(pk) !== undefined;
  }

  async #rowsOf(table: string, pks: readonly string[]): Promise<DiskRow[]> {
    const { log } = this.#around;
    const shards = this.shards(table);
    const found: DiskRow[] = [];
    const add = (folded: DiskRow | undefined, pk: string): void => {
      const logged = log.row(table, pk);
      const row = logged === undefined ? folded : newerRow(folded, logged);
      if (row !== undefined) found.push(row);
    };
    if (shards === 0) {
      for (const pk of pks) add(undefined, pk);
      return found;
    }
    const byShard = new Map<number, string[]>();
    for (const pk of pks) {
      const shard = shardOf(pk, shards);
      const members = byShard.get(shard);
      if (members === undefined) byShard.set(shard, [pk]);
      else members.push(pk);
    }
    await Promise.all(
      [...byShard].map(async ([shard, members]) => {
        const rows = await this.#folded(table, shard);
        for (const pk of members) add(rows.get(pk), pk);
      }),
    );
    return found;
  }

  /** The rows of a shard, without what is still in the log. */
  #folded(table: string, shard: number): Promise<ReadonlyMap<string, DiskRow>> {
    const id = `shard ${shard} of ${table}`;
    let rows = this.#shards.get(id);
    if (rows === undefined) {
      rows = this.#view.shard(table, shard).then((block) => {
        const decoded = block === undefined ? [] : decodeRows(block, id, this.#around.decoding);
        return new Map(decoded.map((row) => [row.pk, row]));
      });
      this.#shards.set(id, rows);
    }
    return rows;
  }
}

/** The newest versions of rows, of which those in `later` may be new. */
function withLater(found: readonly DiskRow[][], later: Map<string, DiskRow>): DiskRow[][] {
  const newest = found.map((rows) =>
    rows.map((row) => {
      const logged = later.get(row.pk);
      if (logged === undefined) return row;
      // A row is in one shard once.
      later.delete(row.pk);
      return newerRow(row, logged);
    }),
  );
  return [...newest, [...later.values()]];
}
