import { isOlder, type Meta, type StoredRow } from 'holdfast';

/** A row or a result. */
interface Written {
  readonly value: unknown;
  readonly meta: Meta;
}

/**
 * Whether another tab's version loses against this tab's although neither is older: within one millisecond, two tabs
 * may give out the same order. Both tabs use the same rule and end up with the same version.
 *
 * @param over - the meta of the version that `incoming` was merged over
 */
export function losesTieBreak(incoming: Written, existing: Written | undefined, over?: Meta): boolean {
  if (existing === undefined) return false;
  const [ours, theirs] = [existing.meta, incoming.meta];
  if (isOlder(theirs, ours) || isOlder(ours, theirs)) return false;
  // It was derived from this tab's version.
  if (over?.order === ours.order && over.answered === ours.answered) return false;
  if (theirs.answered !== ours.answered) return theirs.answered < ours.answered;
  // Expiring keeps the order, so the earlier expiry is the later change.
  if (theirs.expiresAt !== ours.expiresAt) return theirs.expiresAt > ours.expiresAt;
  // Different pages were added to one list.
  if (theirs.receivedAt !== ours.receivedAt) return theirs.receivedAt < ours.receivedAt;
  // An equal version was resent and must not be merged again.
  return textOf(incoming.value) <= textOf(existing.value);
}

/**
 * What is merged of another tab's row. A version that loses the tie-break counts as older: it overwrites nothing, but
 * its fields that this tab's version lacks are kept, as in the tab that wrote it.
 *
 * @param over - the meta of the version that `incoming` was merged over
 * @returns undefined if there is nothing to merge
 */
export function afterTieBreak(
  incoming: StoredRow,
  existing: StoredRow | undefined,
  over?: Meta,
): StoredRow | undefined {
  if (!losesTieBreak(incoming, existing, over)) return incoming;
  const { value, meta } = incoming;
  if (value === undefined || existing?.value === undefined || textOf(value) === textOf(existing.value))
    return undefined;
  // Orders are whole numbers: this one is older than the tie, and newer than anything before it.
  const answered = meta.answered && meta.answered - 0.5;
  return { value, meta: { ...meta, order: meta.order - 0.5, answered } };
}

/** A text that is the same in every tab for the same value. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined; // the value of a tombstone is undefined, which JSON lacks
  return text ?? '';
}
