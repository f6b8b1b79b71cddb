import type { Failures } from '../Failures.ts';
import { isRecord } from '../../shared/guards.ts';
import { rowRefs, type Decoding, type DiskRow } from '../records/records.ts';
import type { References } from '../records/References.ts';
import { RowSet } from '../reading/RowSet.ts';

/**
 * Migrates a row of an earlier version: changes it in place or returns a new one. If it returns undefined without
 * having changed it, the row is dropped, so that it is fetched again.
 *
 * @param row - its stored fields, related entities as pks
 * @param from - the version that wrote it; 0 if there was none
 */
export type Migrate = (row: Record<string, unknown>, from: number) => object | undefined;

/**
 * How rows of earlier versions are migrated.
 *
 * @param migrate - by the entity's key
 */
export function upgradeWith(
  migrate: Readonly<Record<string, Migrate>>,
  failures: Failures,
  references: () => References,
): Decoding['upgrade'] {
  return (row, from) => {
    const { table, value } = row;
    const change = Object.hasOwn(migrate, table) ? migrate[table] : undefined;
    if (value === undefined || change === undefined) return row;
    try {
      const copy = { ...value };
      const returned = change(copy, from);
      // A function that changes the row in place may forget to return it.
      const isChanged = Object.keys({ ...value, ...copy }).some((field) => copy[field] !== value[field]);
      const changed = returned === undefined && isChanged ? copy : returned;
      if (changed === undefined) return undefined;
      if (!isRecord(changed) || changed instanceof Promise) throw new TypeError('it did not return a row');
      return { ...row, value: changed, refs: allRefs(row, references().ofRow(table, { value: changed })) };
    } catch (cause) {
      failures.failure(
        'HF_PLUGIN',
        `\`migrate\` of ${table} failed for rows of version ${from} (${String(cause)})`,
        'they are left out and fetched again',
        cause,
      );
      return undefined;
    }
  };
}

/** The references of the row before and after the migration. */
function allRefs({ refs }: DiskRow, now: DiskRow['refs']): DiskRow['refs'] {
  const all = new RowSet();
  for (const [table, pk] of rowRefs([...refs, ...now])) all.add(table, pk);
  return all.toRefs();
}
