import { inActEnvironment } from './actEnvironment.ts';

/** Whether it is simulated: a test may have set `navigator.onLine` itself. */
let isOffline = false;

/**
 * Simulates a device that is offline in a test: `navigator.onLine` is false, and `window` gets the event `offline`.
 * Requests are not stopped: let msw or a fixture fail them. Ends with `online()`, or with the test if the test runner
 * has a global `afterEach`.
 *
 * @throws Error if there is no page: pass an `environment` to the controller there
 * @example
 * offline();
 * await controller.fetch(ArticleResource.partialUpdate, { id: 5 }, { title });
 * online();
 */
export function offline(): void {
  if (typeof dispatchEvent !== 'function')
    throw new Error('offline() needs a page; without one, pass an environment to the controller');
  isOffline = true;
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  dispatchEvent(new Event('offline'));
}

/** Ends `offline()`. */
export function online(): void {
  if (!isOffline) return;
  isOffline = false;
  Reflect.deleteProperty(navigator, 'onLine');
  dispatchEvent(new Event('online'));
}

// The next test starts online. Components that are still rendered need no `act`.
const { afterEach } = globalThis as { readonly afterEach?: (run: () => void) => void }; // that of a test runner
if (typeof navigator !== 'undefined') afterEach?.(() => inActEnvironment(false, online));
