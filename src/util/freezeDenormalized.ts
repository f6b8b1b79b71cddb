/**
 * Freezes a denormalized value, including the lists and plain objects that denormalization created in it; entities
 * freeze themselves.
 */
export function freezeDenormalized(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) if (isContainer(member)) freezeDenormalized(member);
}

/** Whether a value is a list or plain object, which denormalization has created. */
export function isContainer(value: unknown): boolean {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  );
}
