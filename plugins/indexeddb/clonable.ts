import { errorName } from '../shared/errorName.ts';
import type { Batch } from './records.ts';
import type { SideChange } from './side.ts';

/** A batch without what does not survive structured clone. */
export interface Cleaned {
  readonly batch: Batch;
  readonly side: readonly SideChange[];
  /** What was left out, in words. */
  readonly leftOut: readonly string[];
}

/** Whether writing failed because something in the record cannot be cloned. */
export function isCloneError(error: unknown): boolean {
  return errorName(error) === 'DataCloneError';
}

/** Leaves out each row, result and record that cannot be cloned. Clones everything: for the case of need only. */
export function withoutUnclonable(
  batch: Batch,
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
