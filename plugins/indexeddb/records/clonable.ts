import { errorName } from '../../shared/errorName.ts';
import type { WriteBatch } from './records.ts';
import type { SideChange } from '../writing/side.ts';

/** A batch without values that cannot be cloned. */
export interface Cleaned {
  readonly batch: WriteBatch;
  readonly side: readonly SideChange[];
  /** Descriptions of what was left out. */
  readonly leftOut: readonly string[];
}

/** Whether a write failed because of a value: it cannot be cloned, or a getter of it throws, which is no DOMException. */
export function isCloneError(error: unknown): boolean {
  return (
    errorName(error) === 'DataCloneError' || Object.prototype.toString.call(error) !== '[object DOMException]'
  );
}

/**
 * Leaves out rows, results and records that cannot be cloned. Clones everything, so it is only used after a failure.
 */
export function withoutUnclonable(
  batch: WriteBatch,
  side: readonly SideChange[],
  isStorable: (value: unknown) => boolean,
): Cleaned {
  const leftOut: string[] = [];
  const keep = (value: unknown, name: string): boolean => {
    const clonable = isStorable(value);
    if (!clonable) leftOut.push(name);
    return clonable;
  };
  const rows = batch.rows.filter(({ table, pk, value }) => keep(value, `${table} ${JSON.stringify(pk)}`));
  const results = batch.results.filter(({ key, value }) =>
    keep(value, `the result of ${JSON.stringify(key)}`),
  );
  const kept = side.filter(({ plugin, key, record }) =>
    keep(record, `the record ${JSON.stringify(key)} of ${plugin}`),
  );
  return { batch: { ...batch, rows, results }, side: kept, leftOut };
}
