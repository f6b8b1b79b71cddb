/** Freezes a joined value with the lists and plain objects that the join made in it; entities freeze themselves. */
export function freezeJoined(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) {
    if (
      Array.isArray(member) ||
      (typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype)
    ) {
      freezeJoined(member);
    }
  }
}
