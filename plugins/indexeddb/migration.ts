import type { Failures } from './Failures.ts';
import { isRecord } from './metaShape.ts';
import { named, type Decoding, type DiskRow } from './records.ts';
import type { References } from './References.ts';
import { RowSet } from './RowSet.ts';
import { SharedMetas } from './SharedMetas.ts';

/**
 * Brings a row of an earlier version up to date: returns it as it is to be, changed in place or anew, or undefined where
 * it is better fetched again.
 *
 * @param row - its stored fields, related entities as pks
 * @param from - the version that it was written by; 0 where there was none
 */
export type Migrate = (row: Record<string, unknown>, from: number) => object | undefined;

/** How rows change from version to version. */
export interface Migration {
  readonly version: number;
  /** By the entity's key. */
  readonly migrate: Readonly<Record<string, Migrate>>;
}

/** How to read what is on disk in the app's version. */
export function decodingOf(
  { version, migrate }: Migration,
  failures: Failures,
  references: () => References,
): Decoding {
  return {
    version,
    unreadable: failures.unreadable,
    metas: new SharedMetas(),
    upgrade(row, from) {
      const { table, value } = row;
      const change = Object.hasOwn(migrate, table) ? migrate[table] : undefined;
      if (value === undefined || change === undefined) return row;
      try {
        const changed = change({ ...value }, from);
        if (changed === undefined) return undefined;
        if (!isRecord(changed)) throw new TypeError('it returned something else than a row');
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
    },
  };
}

/** What the row named as it was written, and what it names now as far as its classes are known. */
function allRefs({ refs }: DiskRow, now: DiskRow['refs']): DiskRow['refs'] {
  const all = new RowSet();
  for (const [table, pk] of named([...refs, ...now])) all.add(table, pk);
  return all.toRefs();
}
