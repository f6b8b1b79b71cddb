import type { StoredResult } from './State.ts';

/** A result as it is once it is stale. */
export function expired(result: StoredResult): StoredResult {
  return result.meta.expiresAt === 0 ? result : { ...result, meta: { ...result.meta, expiresAt: 0 } };
}
