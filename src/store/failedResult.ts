import type { Meta } from '../schema/Meta.ts';
import type { StoredResult } from './State.ts';

/** What is stored when a request fails: the error, beside the data that there was. */
export function failedResult(existing: StoredResult | undefined, meta: Meta, error: unknown): StoredResult {
  // A rejection without a reason is an error all the same.
  const reason = error ?? new Error('Rejected without a reason');
  return { ...existing, value: existing?.value, meta, error: reason };
}
