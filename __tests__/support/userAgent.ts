import { afterEach, beforeEach } from '@jest/globals';

/** `navigator.userAgent` of WebKitGTK 2.50; Safari's differs in the platform only. */
export const WEBKIT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';

/** Runs each test as in a browser with this `navigator.userAgent`. */
export function inBrowser(userAgent: string): void {
  let before: PropertyDescriptor | undefined;
  beforeEach(() => {
    before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent }, configurable: true });
  });
  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', before);
  });
}
