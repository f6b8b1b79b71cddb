/** Freezes a joined value with the lists and plain objects that the join made in it; entities freeze themselves. */
export function freezeJoined(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) if (isContainer(member)) freezeJoined(member);
}

/** Whether a value is a list or plain object, which a join makes anew. */
export function isContainer(value: unknown): boolean {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  );
}
