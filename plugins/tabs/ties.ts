import { isOlder, type Meta } from 'holdfast';

/** A row or a result. */
interface Written {
  readonly value: unknown;
  readonly meta: Meta;
}

/**
 * Whether what another tab wrote loses against what this tab has though neither is older: within one millisecond two
 * tabs can give out the same order. Both tabs decide by the same rule, so that they end up with the same.
 *
 * @param over - of the version that `incoming` was written over
 */
export function losesTie(incoming: Written, existing: Written | undefined, over?: Meta): boolean {
  if (existing === undefined) return false;
  const [ours, theirs] = [existing.meta, incoming.meta];
  if (isOlder(theirs, ours) || isOlder(ours, theirs)) return false;
  // It was made of what this tab has.
  if (over?.order === ours.order && over.answered === ours.answered) return false;
  if (theirs.answered !== ours.answered) return theirs.answered < ours.answered;
  // Expiring leaves the order as it is, so what expires sooner is the last word on one answer.
  if (theirs.expiresAt !== ours.expiresAt) return theirs.expiresAt > ours.expiresAt;
  // What is the same was resent, and is not to be merged once more.
  return textOf(incoming.value) <= textOf(existing.value);
}

/** Any text that is the same for the same value in every tab. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined; // JSON has no undefined, which is the value of a tombstone
  return text ?? '';
}
