const PREFIX = 'optimistic-';

/**
 * An order has many digits, so that no words of a person match. A number after `~` is of another entity of the same
 * mutation; apps that append numbers themselves, as in names of files, use other characters.
 */
export const TEMPORARY_PK = /(optimistic-\d{13,}-[a-z\d]*)(?:~\d+)?/g;

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
  return /^optimistic-\d+-[a-z\d]*(?:~\d+)?$/.test(pk);
}

/** Whether the args of a read refer to an entity that the server has not created yet. */
export function namesTemporaryPk([first]: readonly unknown[]): boolean {
  const texts = typeof first === 'object' && first !== null ? Object.values(first) : [first];
  return texts.some((text) => typeof text === 'string' && isTemporaryPk(text));
}

/** Whether there is a temporary pk in a text, such as a key. */
export function containsTemporaryPk(text: string): boolean {
  return replaceTemporaryPks(text, () => '') !== text;
}

/**
 * Replaces each temporary pk in a text, such as a path.
 *
 * @param replace - also gets the temporary pk of the mutation: a mutation that creates several entities has more of them
 */
export function replaceTemporaryPks(
  text: string,
  replace: (pk: string, ofMutation: string) => string,
): string {
  // Most texts contain none.
  return text.includes(PREFIX) ? text.replaceAll(TEMPORARY_PK, replace) : text;
}
