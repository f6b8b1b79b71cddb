import type { State } from 'holdfast';
import { rowRefs, type DiskResult, type DiskRow, type Refs } from '../records/records.ts';
import { RowSet } from './RowSet.ts';

/** The tables from which rows were lost: shards are gone or damaged, or a migration has dropped rows. */
export class LostRows {
  readonly #tables = new Set<string>();
  /** Restored rows that refer to lost ones. */
  readonly #incomplete = new RowSet();

  add(table: string): void {
    this.#tables.add(table);
  }

  /**
   * Makes results stale that refer, also indirectly, to rows that may be lost: such a list is shown without them, and
   * fetched again.
   *
   * @param rows - the rows that are restored with the results; rows come after those that refer to them
   * @param state - the rows in memory
   */
  expire(
    results: readonly DiskResult[],
    rows: readonly DiskRow[],
    state: State | undefined,
  ): readonly DiskResult[] {
    if (this.#tables.size === 0) return results;
    const restored = new RowSet();
    for (const { table, pk } of rows) restored.add(table, pk);
    const lacksRows = ({ refs }: { readonly refs: Refs }): boolean =>
      [...rowRefs(refs)].some(
        ([table, pk]) =>
          this.#incomplete.has(table, pk) ||
          (this.#tables.has(table) &&
            !restored.has(table, pk) &&
            state?.tables[table]?.get(pk) === undefined),
      );
    for (const row of [...rows].reverse()) if (lacksRows(row)) this.#incomplete.add(row.table, row.pk);
    return results.map((result) =>
      lacksRows(result) ? { ...result, meta: { ...result.meta, expiresAt: 0 } } : result,
    );
  }
}
