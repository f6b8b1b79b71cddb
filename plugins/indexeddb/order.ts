import type { Meta } from 'holdfast';

/**
 * Whether what `incoming` describes is older than what `existing` describes: the rule by which the core orders reads
 * and mutations, for versions that meet on disk only.
 */
export function isOlder(incoming: Meta, existing: Meta): boolean {
  const incomingMutates = incoming.answered !== 0;
  const existingMutates = existing.answered !== 0;
  if (incomingMutates === existingMutates) return incoming.order < existing.order;
  return existingMutates ? incoming.order < existing.answered : incoming.answered < existing.order;
}

/** The newer of two versions of one row or result; the later written where neither is older. */
export function newer<T extends { readonly meta: Meta }>(earlier: T | undefined, later: T): T {
  return earlier !== undefined && isOlder(later.meta, earlier.meta) ? earlier : later;
}
