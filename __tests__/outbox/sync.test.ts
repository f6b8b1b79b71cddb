import { afterEach, expect, it } from '@jest/globals';
import { registerSync } from '../../plugins/outbox/sync.ts';

const tags: string[] = [];
const registration = { sync: { register: (tag: string) => Promise.resolve(void tags.push(tag)) } };

/** Gives the global scope a member for one test. */
function have(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}

const { navigator } = globalThis;

afterEach(() => {
  tags.length = 0;
  have('navigator', navigator);
  Reflect.deleteProperty(globalThis, 'registration');
});

const turn = () => new Promise((resolve) => setTimeout(resolve));

it('asks for a background sync from a page', async () => {
  have('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  registerSync('app');
  await turn();
  expect(tags).toEqual(['app']);
});

it('asks for none from within the worker, which would be woken by it at once', async () => {
  have('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  have('registration', registration);
  registerSync('app');
  await turn();
  expect(tags).toEqual([]);
});
