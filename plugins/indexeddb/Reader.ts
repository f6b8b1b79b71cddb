import type { Restored, StoredResult, StoredRow, Wanted } from 'holdfast';
import type { DiskResult, DiskRow, Found } from './records.ts';
import { Reading, type Surroundings } from './Reading.ts';
import { RowSet } from './RowSet.ts';
import { storedResult } from './resultRecord.ts';
import type { Storage } from './Storage.ts';

/** Shards as they were read, and how many their table has. */
export interface ShardsFound {
  readonly shards: number;
  /** A list for each shard, and perhaps one for those that are in none yet. */
  readonly rows: readonly (readonly DiskRow[])[];
  /** The last place of the log that was known of then. */
  readonly known: number;
}

/** Reads what memory lacks: the newest version of each row and result, over the log and what has left it. */
export class Reader {
  readonly #storage: Storage;
  readonly #around: () => Surroundings;

  /** @param around - what there is to look at when a transaction begins */
  constructor(storage: Storage, around: () => Surroundings) {
    this.#storage = storage;
    this.#around = around;
  }

  /** What is wanted and all that it reaches, transitively, as of one moment. */
  wanted({ results = [], rows = [], tables = [] }: Wanted): Promise<Found> {
    return this.#read(async (reading) => {
      const found = (await Promise.all(results.map((key) => reading.result(key)))).filter(
        (result) => result !== undefined,
      );
      const whole = (await Promise.all(tables.map((table) => reading.table(table)))).flat();
      const roots = [
        ...rows.flat(),
        ...found.flatMap(({ refs }) => refs),
        ...whole.flatMap(({ table, pk }) => [table, pk]),
      ];
      const reached = await reading.follow(roots, new RowSet());
      return { rows: reached.rows, results: found, missing: reached.missing.toRefs(), known: reading.known };
    });
  }

  /** Every row of a table, without what they reach. */
  table(table: string): Promise<{ readonly rows: readonly DiskRow[]; readonly known: number }> {
    return this.#read(async (reading) => ({ rows: await reading.table(table), known: reading.known }));
  }

  /** These results alone. */
  results(keys: readonly string[]): Promise<readonly DiskResult[]> {
    return this.#read(async (reading) => {
      const found = await Promise.all(keys.map((key) => reading.result(key)));
      return found.filter((result) => result !== undefined);
    });
  }

  /** The results from one key to another, both included. */
  resultsBetween(first: string, last: string): Promise<readonly DiskResult[]> {
    return this.#read((reading) => reading.resultsBetween(first, last));
  }

  /** Some of a table's shards, from `first` on. */
  shards(table: string, first: number, count: number): Promise<ShardsFound> {
    return this.#read(async (reading) => {
      const shards = shardsOf(reading, table);
      return { shards, rows: await reading.range(table, first, count), known: reading.known };
    });
  }

  /**
   * The tables on disk, and how many shards each has. Those that others name come before those that name them, as far as
   * there are no cycles.
   */
  tables(): Promise<readonly { readonly table: string; readonly shards: number }[]> {
    return this.#read((reading) => {
      const ordered = new Set<string>();
      const entered = new Set<string>();
      const visit = (table: string): void => {
        const info = reading.header.tables.get(table);
        if (entered.has(table) || info === undefined) return;
        entered.add(table);
        info.refs.forEach(visit);
        ordered.add(table);
      };
      for (const table of reading.header.tables.keys()) visit(table);
      for (const table of this.#around().log.tables()) ordered.add(table);
      const tables = [...ordered].map((table) => ({ table, shards: shardsOf(reading, table) }));
      return Promise.resolve(tables);
    });
  }

  #read<T>(run: (reading: Reading) => Promise<T>): Promise<T> {
    return this.#storage.read(async (view) => run(await Reading.begin(view, this.#around())));
  }
}

/** A table that is in the log alone counts as one shard. */
function shardsOf(reading: Reading, table: string): number {
  return Math.max(1, reading.shards(table));
}

/** What was read as the controller takes it. */
export function restored(rows: readonly DiskRow[], results: readonly DiskResult[]): Restored {
  return {
    rows: rows.map(({ table, pk, value, meta }): [string, string, StoredRow] => [table, pk, { value, meta }]),
    results: results.map((result): [string, StoredResult] => [result.key, storedResult(result)]),
  };
}
