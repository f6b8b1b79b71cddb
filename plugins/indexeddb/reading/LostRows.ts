import type { State } from 'holdfast';
import { rowRefs, type DiskResult, type DiskRow } from '../records/records.ts';
import { RowSet } from './RowSet.ts';

/** The tables from which rows were lost: shards are gone or damaged, or a migration has dropped rows. */
export class LostRows {
  /** Each with the order of the newest versions that may refer to a lost row. */
  readonly #tables = new Map<string, number>();
  /** Restored rows that refer to lost ones. */
  readonly #incomplete = new RowSet();

  /** @param through - the order of the newest versions that may refer to a lost row */
  add(table: string, through = Infinity): void {
    this.#tables.set(table, through);
  }

  /** Whether rows were lost in this session. */
  has(table: string): boolean {
    return this.#tables.get(table) === Infinity;
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
    const lacksRows = ({ refs, meta }: Pick<DiskRow, 'refs' | 'meta'>): boolean =>
      [...rowRefs(refs)].some(
        ([table, pk]) =>
          this.#incomplete.has(table, pk) ||
          (meta.order <= (this.#tables.get(table) ?? -1) &&
            !restored.has(table, pk) &&
            state?.tables[table]?.get(pk) === undefined),
      );
    for (const row of [...rows].reverse()) if (lacksRows(row)) this.#incomplete.add(row.table, row.pk);
    return results.map((result) =>
      lacksRows(result) ? { ...result, meta: { ...result.meta, expiresAt: 0 } } : result,
    );
  }
}
