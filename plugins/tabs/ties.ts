import type { Meta } from 'holdfast';

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
  if (existing === undefined || !isSameOrder(incoming.meta, existing.meta)) return false;
  // It was made of what this tab has.
  if (over !== undefined && isSameOrder(over, existing.meta)) return false;
  const [expiry, existingExpiry] = [incoming.meta.expiresAt, existing.meta.expiresAt];
  // Expiring leaves the order as it is, so what expires sooner is the last word on one answer.
  if (expiry !== existingExpiry) return expiry > existingExpiry;
  // What is the same was resent, and is not to be merged once more.
  return textOf(incoming.value) <= textOf(existing.value);
}

function isSameOrder(left: Meta, right: Meta): boolean {
  return left.order === right.order && left.answered === right.answered;
}

/** Any text that is the same for the same value in every tab. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined; // JSON has no undefined, which is the value of a tombstone
  return text ?? '';
}
