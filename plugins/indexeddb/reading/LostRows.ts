import type { State } from 'holdfast';
import { rowRefs, type DiskResult, type DiskRow, type Refs } from '../records/records.ts';
import { RowSet } from './RowSet.ts';
import { shardOf } from '../records/shards.ts';

/** Rows of the log have no shard yet: how many to assume, so that lookups stay fast if a migration drops many rows. */
const LOG_SHARDS = 64;

/** Shards from which rows were lost: they are gone, damaged, or a migration has dropped rows of them. */
export class LostShards {
  readonly #shards = new Map<string, readonly [table: string, shard: number, shards: number]>();
  /** Restored rows that refer to lost ones. */
  readonly #incomplete = new RowSet();

  /** @param shards - how many shards the table has */
  add(table: string, shard: number, shards: number): void {
    this.#shards.set(JSON.stringify([table, shard, shards]), [table, shard, shards]);
  }

  /** Adds a row that a migration has dropped, also from the log. */
  addRow({ table, pk }: DiskRow): void {
    this.add(table, shardOf(pk, LOG_SHARDS), LOG_SHARDS);
  }

  /**
   * Makes results stale that refer, also indirectly, to lost rows: such a list is shown without them, and fetched
   * again.
   *
   * @param rows - the rows that are restored with the results; rows come after those that refer to them
   * @param state - the rows in memory
   */
  expire(
    results: readonly DiskResult[],
    rows: readonly DiskRow[],
    state: State | undefined,
  ): readonly DiskResult[] {
    if (this.#shards.size === 0) return results;
    const restored = new RowSet();
    for (const { table, pk } of rows) restored.add(table, pk);
    const lacksRows = ({ refs }: { readonly refs: Refs }): boolean =>
      [...rowRefs(refs)].some(
        ([table, pk]) =>
          this.#incomplete.has(table, pk) ||
          (!restored.has(table, pk) &&
            state?.tables[table]?.get(pk) === undefined &&
            this.#mayHaveHeld(table, pk)),
      );
    for (const row of [...rows].reverse()) if (lacksRows(row)) this.#incomplete.add(row.table, row.pk);
    return results.map((result) =>
      lacksRows(result) ? { ...result, meta: { ...result.meta, expiresAt: 0 } } : result,
    );
  }

  #mayHaveHeld(table: string, pk: string): boolean {
    for (const [name, shard, shards] of this.#shards.values())
      if (name === table && shardOf(pk, shards) === shard) return true;
    return false;
  }
}
