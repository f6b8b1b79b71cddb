import { describe, HoldfastError } from '../../util/errors.ts';
import type { EntityValue } from '../Meta.ts';

/**
 * The result of a class's `merge` or `mergeWithStore`. Undefined would delete the row.
 *
 * @throws HoldfastError `HF_PROCESS` unless it is an object
 */
export function checkMerged(
  { name }: { readonly name: string },
  merged: EntityValue | undefined,
): EntityValue {
  if (typeof merged !== 'object' || (merged as object | null) === null)
    throw new HoldfastError('HF_PROCESS', `${name}.merge() returned ${describe(merged)}; return an object`);
  return merged;
}
