import { afterEach, expect, it } from '@jest/globals';
import { tabs } from 'holdfast/tabs';
import { registerSync } from '../../../plugins/outbox/sending/backgroundSync.ts';
import { Device, freshDatabases, openPage, pending, Server } from '../../support/outbox.ts';
import { turn, until } from '../../support/turns.ts';

freshDatabases();

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

it('a page requests a background sync', async () => {
  have('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  registerSync('app');
  await turn();
  expect(tags).toEqual(['app']);
});

it('a service worker requests no background sync, which would wake it at once', async () => {
  have('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  have('registration', registration);
  registerSync('app');
  await turn();
  expect(tags).toEqual([]);
});

it('a background sync is requested once for waiting mutations and once for each added one, however often an attempt fails', async () => {
  have('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  const server = new Server();
  const device = new Device();
  const open = () => openPage(server, device, { name: 'app', more: [tabs({ name: 'app' })] });
  const page = await open();
  await page.controller.fetch(page.notes.getList);
  await turn();
  expect(tags).toEqual([]);
  server.weather = ({ method }) => (method === 'GET' ? 'fine' : 'down');
  await page.controller.fetch(page.notes.create, { text: 'one' });
  await until(() => tags.length === 1);
  // The worker that wakes up tries, fails, and broadcasts this.
  const worker = await open();
  await until(() => tags.length === 2);
  const attempts = (): number => page.box.status.get().pending[0]?.attempts ?? 0;
  for (let round = 0; round < 3; round++) {
    const before = attempts();
    expect(await worker.box.drain()).toBe(false);
    await until(() => attempts() > before);
    expect(await page.box.drain()).toBe(false);
    await turn();
  }
  expect(tags).toEqual(['app', 'app']);
  await page.controller.fetch(page.notes.create, { text: 'two' });
  await until(() => tags.length === 3);
  server.weather = () => 'fine';
  await page.box.drain();
  await until(() => pending(page).length === 0);
  await turn();
  expect(tags).toHaveLength(3);
});
