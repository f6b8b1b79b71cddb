import { settled } from './held.ts';

/** Resolves in a later task, when everything that was already settled has taken effect. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Waits until a condition holds; this depends on events, not on time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Waits until what follows from the last event has happened, also on a fake disk: it takes several tasks. */
export async function turns(): Promise<void> {
  for (let nth = 0; nth < 30; nth++) await settled();
}
