import { inActEnvironment } from './actEnvironment.ts';

/**
 * Takes the device of a test offline: `navigator.onLine` is false, and `window` gets the event `offline`. Requests are
 * not stopped: have msw or a fixture fail those that must. Ends by `online()`, or with the test where the test runner has
 * a global `afterEach`.
 *
 * @throws Error where there is no page: give the controller an `environment` there
 * @example
 * offline();
 * await controller.fetch(ArticleResource.partialUpdate, { id: 5 }, { title });
 * online();
 */
export function offline(): void {
  if (typeof dispatchEvent !== 'function')
    throw new Error(
      'Only a page can be taken offline; where there is none, give the controller an environment',
    );
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  dispatchEvent(new Event('offline'));
}

/** Ends `offline()`. */
export function online(): void {
  if (!Object.hasOwn(navigator, 'onLine')) return;
  Reflect.deleteProperty(navigator, 'onLine');
  dispatchEvent(new Event('online'));
}

// The next test begins online. What is still rendered need not be told in `act`.
const { afterEach } = globalThis as { readonly afterEach?: (run: () => void) => void }; // that of a test runner
if (typeof navigator !== 'undefined') afterEach?.(() => inActEnvironment(false, online));
