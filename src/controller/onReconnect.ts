import type { Environment } from './Environment.ts';

/**
 * Calls `run` each time the network comes back.
 *
 * @returns a function that stops it
 */
export function onReconnect(environment: Environment, run: () => void): () => void {
  let wasOnline = environment.isOnline;
  return environment.subscribe(() => {
    const { isOnline } = environment;
    const isBack = isOnline && !wasOnline;
    wasOnline = isOnline;
    if (isBack) run();
  });
}
