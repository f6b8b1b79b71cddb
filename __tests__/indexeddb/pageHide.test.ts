import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answering, Article, freshIndexedDB, openApp, records } from './support.ts';

freshIndexedDB();

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1' } });
const page = new EventTarget();
let visibilityState: DocumentVisibilityState;

beforeEach(() => {
  visibilityState = 'visible';
  const document = Object.defineProperty(page, 'visibilityState', {
    get: () => visibilityState,
    configurable: true,
  });
  Object.assign(globalThis, {
    document,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  // No idle time comes: what is written is written because the page is hidden.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'performance', 'Date'] });
});
afterEach(() => {
  jest.useRealTimers();
  for (const name of ['document', 'addEventListener', 'removeEventListener'])
    Reflect.deleteProperty(globalThis, name);
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a page that is left', () => {
  it.each([
    ['hidden', 'visibilitychange', 1],
    ['visible', 'visibilitychange', 0],
    ['visible', 'pagehide', 1],
  ] as const)('and is %s writes what is pending on %s: %d', async (state, event, count) => {
    const { controller } = await openApp({ restore: 'lazy' });
    await controller.fetch(kept);
    await turns();
    expect(await records('log')).toEqual([]);
    visibilityState = state;
    page.dispatchEvent(new Event(event));
    await turns();
    expect(await records('log')).toHaveLength(count);
    await controller.stop();
  });

  it.each([
    [true, 'two'],
    [false, 'one'],
  ])(
    'and comes back, frozen meanwhile: %s, shows what other tabs have written since: %s',
    async (persisted, title) => {
      const first = await openApp({ restore: 'lazy' });
      await first.controller.fetch(kept);
      await first.controller.flush();
      const second = await openApp({ restore: 'lazy' });
      await second.controller.fetchIfStale(kept);
      second.controller.set(Article, { id: 'a1' }, { title: 'two' });
      await second.controller.flush();
      page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
      await turns();
      expect(first.controller.get(Article, { id: 'a1' })?.title).toBe(title);
      await Promise.all([first, second].map(({ controller }) => controller.stop()));
    },
  );

  it('is not listened to any more once the controller has stopped', async () => {
    const { controller, errors } = await openApp({ restore: 'lazy' });
    await controller.fetch(kept);
    await controller.stop();
    page.dispatchEvent(new Event('pagehide'));
    await turns();
    expect(errors).toEqual([]);
  });
});
