const PREFIX = 'optimistic-';
const TEMPORARY_PK = /optimistic-\d+-[a-z\d]*/g;

/**
 * A pk for an entity that a mutation creates: unique among all tabs, and constant for the life of the mutation.
 * Another pk at each replay would be another entity on screen.
 *
 * @param order - of the mutation's call
 */
export function createTemporaryPk(order: number): string {
  return `${PREFIX}${order}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Whether a pk is temporary: the server has not created the entity yet. */
export function isTemporaryPk(pk: string): boolean {
  return /^optimistic-\d+-[a-z\d]*$/.test(pk);
}

/** Whether the args of a read refer to an entity that the server has not created yet. */
export function namesTemporaryPk([first]: readonly unknown[]): boolean {
  const texts = typeof first === 'object' && first !== null ? Object.values(first) : [first];
  return texts.some((text) => typeof text === 'string' && isTemporaryPk(text));
}

/** Replaces each temporary pk in a text, such as a path. */
export function replaceTemporaryPks(text: string, replace: (pk: string) => string): string {
  // Most texts contain none.
  return text.includes(PREFIX) ? text.replaceAll(TEMPORARY_PK, replace) : text;
}
