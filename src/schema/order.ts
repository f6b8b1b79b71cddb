import type { Meta } from './Meta.ts';

/**
 * Whether the write of `incoming` is older than that of `existing`, and so must not overwrite it.
 *
 * Read against read and mutation against mutation: the later start wins. Read against mutation: the mutation wins if
 * its response arrived after the read started. Equal orders (one response, one batch) count as not older.
 */
export function isOlder(incoming: Meta, existing: Meta): boolean {
  const incomingMutates = incoming.answered !== 0;
  const existingMutates = existing.answered !== 0;
  if (incomingMutates === existingMutates) return incoming.order < existing.order;
  return existingMutates ? incoming.order < existing.answered : incoming.answered < existing.order;
}

/**
 * Whether two metas belong to the same write, for example if one was restored from disk. Compares the times as well, since
 * a later change of the expiry keeps the order. Optimistic layers all have the order Infinity, and Infinity - Infinity is
 * NaN: two mutations of one millisecond are two writes.
 */
export function isSameWrite(left: Meta, right: Meta): boolean {
  return (
    left === right ||
    (left.order - right.order === 0 &&
      left.answered === right.answered &&
      left.expiresAt === right.expiresAt &&
      left.receivedAt === right.receivedAt)
  );
}
