import type { Environment } from './Environment.ts';

/** A change of the environment. */
export interface EnvironmentChange {
  /** The network has come back. */
  readonly isReconnect: boolean;
  /** The page has become visible. */
  readonly isReturn: boolean;
}

/**
 * Calls `listener` after each change of the environment.
 *
 * @returns a function that stops it
 */
export function onEnvironmentChange(
  environment: Environment,
  listener: (change: EnvironmentChange) => void,
): () => void {
  let { isOnline: wasOnline, isVisible: wasVisible } = environment;
  return environment.subscribe(() => {
    const { isOnline, isVisible } = environment;
    const change = { isReconnect: isOnline && !wasOnline, isReturn: isVisible && !wasVisible };
    wasOnline = isOnline;
    wasVisible = isVisible;
    listener(change);
  });
}

/**
 * Calls `run` each time the network comes back. Separate, since error boundaries bundle it alone.
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
