/**
 * Compares the comparable forms of two values. Numbers come before booleans, and these before texts, so that the order
 * is total whatever a server sends.
 */
export function compareValues(left: unknown, right: unknown): number {
  const order = rank(left);
  const difference = order - rank(right);
  if (difference !== 0 || order === OTHER) return difference;
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0; // of one rank
}

const OTHER = 3;

function rank(value: unknown): number {
  const type = typeof value;
  return type === 'number' || type === 'bigint' ? 0 : type === 'boolean' ? 1 : type === 'string' ? 2 : OTHER;
}

/** Whether ranges can contain a value. NaN, null and everything else never meet a range. */
export function isRanged(value: unknown): value is number | bigint | string {
  return (
    typeof value === 'string' ||
    typeof value === 'bigint' ||
    (typeof value === 'number' && !Number.isNaN(value))
  );
}
