import { runIsolated } from '../util/runIsolated.ts';

/** What a controller knows of its device. */
export interface Environment {
  /** False if there is certainly no network. */
  readonly isOnline: boolean;
  /** False if the page is hidden. */
  readonly isVisible: boolean;
  /**
   * Calls `listener` when either may have changed.
   *
   * @returns a function that stops it
   */
  subscribe(listener: () => void): () => void;
}

/**
 * The browser's environment: `navigator.onLine` and `document.visibilityState` with their events. Without those, as
 * in Node, it is always online and visible. Listens only while there are subscribers.
 *
 * @example
 * const environment = browserEnvironment();
 * const stop = environment.subscribe(() => console.log(environment.isOnline));
 */
export function browserEnvironment(): Environment {
  const listeners = new Set<{ readonly notify: () => void }>();
  const notify = (): void => {
    for (const listener of [...listeners]) runIsolated(listener.notify);
  };
  /** The last known state; undefined without subscribers. */
  let lastKnown: boolean | undefined;
  const onOffline = (): void => {
    lastKnown = false;
    notify();
  };
  const onOnline = (): void => {
    // An `online` event implies that the device was offline before, even if no event said so.
    if (lastKnown === true) onOffline();
    lastKnown = true;
    notify();
  };
  const onVisibilityChange = (): void => {
    // A page that was suspended, or in the back/forward cache, may have missed an event.
    lastKnown = isOnline();
    notify();
  };
  // Workers have the first two events but no document; Node has none of them.
  const listen = (change: 'addEventListener' | 'removeEventListener'): void => {
    const scope = globalThis as Partial<typeof globalThis>; // not everywhere all of it
    scope[change]?.('online', onOnline);
    scope[change]?.('offline', onOffline);
    scope.document?.[change]('visibilitychange', onVisibilityChange);
  };
  return {
    get isOnline() {
      return lastKnown ?? isOnline();
    },
    get isVisible() {
      // oxlint-disable-next-line typescript/prefer-optional-chain -- outside of a page, there is no such variable
      return typeof document === 'undefined' || document.visibilityState !== 'hidden';
    },
    subscribe(listener) {
      const entry = { notify: listener };
      if (listeners.size === 0) {
        lastKnown = isOnline();
        listen('addEventListener');
      }
      listeners.add(entry);
      return () => {
        if (!listeners.delete(entry) || listeners.size > 0) return;
        lastKnown = undefined;
        listen('removeEventListener');
      };
    },
  };
}

/** Only false is certain (https://html.spec.whatwg.org/multipage/system-state.html#dom-navigator-online). */
function isOnline(): boolean {
  // Node has a navigator without `onLine`.
  return typeof navigator === 'undefined' || (navigator as Partial<Navigator>).onLine !== false;
}

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
 * Calls `run` each time the network comes back, or the page becomes visible while online: a suspended page may have
 * missed the former, and its requests may have failed. Separate, since error boundaries bundle it alone.
 *
 * @returns a function that stops it
 */
export function onReconnect(environment: Environment, run: () => void): () => void {
  let before = readiness(environment);
  return environment.subscribe(() => {
    const now = readiness(environment);
    const isBack = now > before;
    before = now;
    if (isBack) run();
  });
}

/** 0 if it is offline, 1 if it is online but hidden, 2 if it is online and visible. */
function readiness({ isOnline, isVisible }: Environment): number {
  if (!isOnline) return 0;
  return isVisible ? 2 : 1;
}
