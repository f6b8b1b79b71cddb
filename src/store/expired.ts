import type { StoredResult } from './State.ts';

/** A result marked as stale. */
export function expired(result: StoredResult): StoredResult {
  return result.meta.expiresAt === 0 ? result : { ...result, meta: { ...result.meta, expiresAt: 0 } };
}
