import { errorName } from '../../shared/errorName.ts';
import type { Records } from '../storage/Storage.ts';
import type { WriteBatch } from './records.ts';
import type { SideChange } from '../writing/side.ts';

/** A batch without values that cannot be cloned. */
export interface Cleaned {
  readonly batch: WriteBatch;
  readonly side: readonly SideChange[];
  /** Descriptions of what was left out. */
  readonly leftOut: readonly string[];
  /** The values of it. */
  readonly unstorable: ReadonlySet<unknown>;
}

/**
 * Whether a write failed because of a value: it cannot be cloned, a file in it cannot be read, or a getter of it throws,
 * which is no DOMException. The error of a full disk has a class of its own (https://webidl.spec.whatwg.org/#quotaexceedederror).
 */
export function isCloneError(error: unknown): boolean {
  return (
    /^Data(?:Clone)?Error$/.test(errorName(error)) ||
    !/DOMException|QuotaExceeded/.test(Object.prototype.toString.call(error))
  );
}

/** The values for which a function throws. */
export function valuesThatThrow(
  values: readonly unknown[],
  run: (value: unknown) => void,
): ReadonlySet<unknown> {
  return new Set(
    values.filter((value) => {
      try {
        run(value);
        return false;
      } catch {
        return true;
      }
    }),
  );
}

/**
 * Leaves out rows, results and records that cannot be stored. Clones everything, so it is only used after a failure.
 */
export async function withoutUnstorable(
  batch: WriteBatch,
  side: readonly SideChange[],
  records: Pick<Records, 'findUnstorable'>,
): Promise<Cleaned> {
  const values = [...batch.rows, ...batch.results].map(({ value }): unknown => value);
  const unstorable = await records.findUnstorable([...values, ...side.map(({ record }) => record)]);
  const leftOut: string[] = [];
  const keep = (value: unknown, name: string): boolean => {
    const isKept = !unstorable.has(value);
    if (!isKept) leftOut.push(name);
    return isKept;
  };
  const rows = batch.rows.filter(({ table, pk, value }) => keep(value, `${table} ${JSON.stringify(pk)}`));
  const results = batch.results.filter(({ key, value }) =>
    keep(value, `the result of ${JSON.stringify(key)}`),
  );
  const kept = side.filter(({ plugin, key, record }) =>
    keep(record, `the record ${JSON.stringify(key)} of ${plugin}`),
  );
  return { batch: { ...batch, rows, results }, side: kept, leftOut, unstorable };
}
