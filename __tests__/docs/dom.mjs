// Defines the globals of a page, before modules that look for them are loaded: `node --import dom.mjs`.
import 'fake-indexeddb/auto'; // which would give it to the window alone

const { JSDOM } = globalThis.dependencies.jsdom;
const { window } = new JSDOM('', { url: 'http://localhost/', pretendToBeVisual: true });
const isFunctionOfWindow = (name) => /^[a-z]/.test(name) && typeof window[name] === 'function';

for (const name of [...Object.getOwnPropertyNames(window), 'addEventListener', 'removeEventListener']) {
  if (name in globalThis && name !== 'navigator') continue;
  const value = isFunctionOfWindow(name) ? window[name].bind(window) : window[name];
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
