import type { Environment } from './Environment.ts';

/**
 * Calls `run` each time the network comes back.
 *
 * @returns stops that
 */
export function whenBackOnline(environment: Environment, run: () => void): () => void {
  let wasOnline = environment.isOnline;
  return environment.subscribe(() => {
    const { isOnline } = environment;
    const isBack = isOnline && !wasOnline;
    wasOnline = isOnline;
    if (isBack) run();
  });
}
