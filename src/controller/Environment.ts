/** What a controller knows of the device it runs on. */
export interface Environment {
  /** False while there is certainly no network. */
  readonly isOnline: boolean;
  /** False while nobody can see the page. */
  readonly isVisible: boolean;
  /**
   * Tells when either has changed, or may have.
   *
   * @returns stops telling
   */
  subscribe(listener: () => void): () => void;
}

/**
 * The browser's own view of it: `navigator.onLine` and `document.visibilityState` with their events. Where there are
 * none, as in Node, it is always online and visible. Listens only while somebody is subscribed.
 *
 * @example
 * const environment = browserEnvironment();
 * const stop = environment.subscribe(() => console.log(environment.isOnline));
 */
export function browserEnvironment(): Environment {
  const listeners = new Set<{ readonly tell: () => void }>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener.tell();
  };
  /** What the events have told; undefined while nobody listens to them. */
  let heard: boolean | undefined;
  const lost = (): void => {
    heard = false;
    tell();
  };
  const found = (): void => {
    // Who is told to be online again was offline, even if nobody noticed.
    if (heard === true) lost();
    heard = true;
    tell();
  };
  // Workers have the first two events but no document; Node has none of them.
  const listen = (change: 'addEventListener' | 'removeEventListener'): void => {
    const scope = globalThis as Partial<typeof globalThis>; // not everywhere all of it
    scope[change]?.('online', found);
    scope[change]?.('offline', lost);
    scope.document?.[change]('visibilitychange', tell);
  };
  return {
    get isOnline() {
      return heard ?? isOnline();
    },
    get isVisible() {
      return typeof document === 'undefined' || document.visibilityState !== 'hidden';
    },
    subscribe(listener) {
      const entry = { tell: listener };
      if (listeners.size === 0) {
        heard = isOnline();
        listen('addEventListener');
      }
      listeners.add(entry);
      return () => {
        if (!listeners.delete(entry) || listeners.size > 0) return;
        heard = undefined;
        listen('removeEventListener');
      };
    },
  };
}

function isOnline(): boolean {
  // Node has a navigator that does not say.
  return typeof navigator === 'undefined' || (navigator as Partial<Navigator>).onLine !== false;
}
