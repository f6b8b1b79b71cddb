import type { OrderClock } from '../store/OrderClock.ts';

/**
 * Unique among all tabs, and constant for the life of the mutation: another pk at each replay would be another entity
 * on screen.
 */
export function createTemporaryPk(clock: OrderClock): string {
  return `optimistic-${clock.tick()}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Whether the args of a read refer to an entity that the server has not created yet. */
export function namesTemporaryPk([first]: readonly unknown[]): boolean {
  const texts = typeof first === 'object' && first !== null ? Object.values(first) : [first];
  return texts.some((text) => typeof text === 'string' && /^optimistic-\d+-[a-z\d]+$/.test(text));
}
