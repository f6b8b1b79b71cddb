import type { Restored, StoredResult, StoredRow, Wanted } from 'holdfast';
import type { DiskResult, DiskRow, Found } from './records.ts';
import { Reading, type Surroundings } from './Reading.ts';
import { RowSet } from './RowSet.ts';
import { storedResult } from './resultRecord.ts';
import type { Storage } from './Storage.ts';

/** Shards as they were read, and how many their table has. One that is in the log alone counts as one. */
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
      const shards = Math.max(1, reading.shards(table));
      return { shards, rows: await reading.range(table, first, count), known: reading.known };
    });
  }

  #read<T>(run: (reading: Reading) => Promise<T>): Promise<T> {
    return this.#storage.read(async (view) => run(await Reading.begin(view, this.#around())));
  }
}

/** What was read as the controller takes it. */
export function restored(rows: readonly DiskRow[], results: readonly DiskResult[]): Restored {
  return {
    rows: rows.map((row): [string, string, StoredRow] => [row.table, row.pk, storedRow(row)]),
    results: results.map((result): [string, StoredResult] => [result.key, storedResult(result)]),
  };
}

function storedRow({ value, meta, refs }: DiskRow): StoredRow {
  // A tombstone names the row that the entity is now, if it was renamed.
  const movedTo = value === undefined ? refs[1] : undefined;
  return movedTo === undefined ? { value, meta } : { value, meta, movedTo };
}
