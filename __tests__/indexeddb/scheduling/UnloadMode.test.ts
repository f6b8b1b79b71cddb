import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller } from 'holdfast';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import type { Storage } from '../../../plugins/indexeddb/storage/Storage.ts';
import { answering, Article, DATABASE, freshIndexedDB, openApp, records } from '../../support/indexedDB.ts';

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

/** Records for each append whether it happens at page unload. */
class NotingStorage extends IdbStorage {
  readonly unloading: boolean[] = [];
  readonly isAppending: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor(name: string) {
    super(name);
    this.isAppending = new Promise((resolve) => (this.#resolve = resolve));
  }

  override async append(...append: Parameters<Storage['append']>): ReturnType<Storage['append']> {
    this.unloading.push(append[2].isUnloading);
    this.#resolve();
    return super.append(...append);
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a page that is left', () => {
  it.each([
    ['hidden', 'visibilitychange', 1],
    ['visible', 'visibilitychange', 0],
    ['visible', 'pagehide', 1],
    ['hidden', 'freeze', 1],
  ] as const)(
    'a page that is unloaded and is %s writes pending changes on %s: %d',
    async (state, event, count) => {
      const { controller } = await openApp({ restore: 'lazy' });
      await controller.fetch(kept);
      await turns();
      expect(await records('log')).toEqual([]);
      visibilityState = state;
      page.dispatchEvent(new Event(event));
      await turns();
      expect(await records('log')).toHaveLength(count);
      await controller.stop();
    },
  );

  it.each([
    [true, 'two'],
    [false, 'one'],
  ])(
    'a page that is restored, frozen: %s, shows what other tabs have written since: %s',
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

  it('unload mode lasts until everything is written, though the page is hidden and unloaded in turn', async () => {
    const storage = new NotingStorage(DATABASE);
    const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage });
    const controller = new Controller({ plugins: [plugin] });
    await controller.fetch(kept);
    visibilityState = 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
    await storage.isAppending;
    controller.set(Article, { id: 'a1' }, { title: 'two' });
    page.dispatchEvent(new Event('pagehide'));
    await turns();
    controller.set(Article, { id: 'a1' }, { title: 'three' });
    void controller.flush();
    await turns();
    expect(storage.unloading).toEqual([true, true, false]);
    await controller.stop();
  });

  it('an unload does not abort an append in progress, which would have to start over', async () => {
    let aborted = 0;
    const { transaction } = IDBDatabase.prototype;
    const spy = jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...args
    ) {
      const made = transaction.apply(this, args);
      made.addEventListener('abort', () => (aborted += 1));
      return made;
    });
    const storage = new NotingStorage(DATABASE);
    const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage });
    const controller = new Controller({ plugins: [plugin] });
    const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: `a${index}`, title: 'one' }));
    // No work yields, since timers are fake.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    await controller.fetch(answering('many', [Article], rows));
    const flushed = controller.flush();
    await storage.isAppending;
    // The transaction has begun, and commits itself after the last of its many records.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    page.dispatchEvent(new Event('pagehide'));
    await turns();
    await flushed;
    expect(aborted).toBe(0);
    expect(await records('log')).toHaveLength(8);
    for (const mock of [spy, clock]) mock.mockRestore();
    await controller.stop();
  });

  it('an unload keeps the connection for its last writes, and repeats aborted work if the page stays', async () => {
    const open = jest.spyOn(IDBFactory.prototype, 'open');
    const storage = new IdbStorage(DATABASE);
    await storage.open();
    let attempts = 0;
    const reading = storage.read(async (view) => {
      attempts += 1;
      await view.resultKeys();
      await view.shardKeys();
      return view.resultKeys();
    });
    await new Promise((resolve) => setImmediate(resolve));
    storage.prepareUnload();
    await turns();
    expect([attempts, open.mock.calls.length]).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(100);
    await turns();
    expect(await reading).toEqual([]);
    expect([attempts, open.mock.calls.length]).toEqual([2, 1]);
    open.mockRestore();
    storage.close();
  });

  it('an unload does not affect a plugin that no controller uses yet', async () => {
    const errors: unknown[] = [];
    const note = (error: unknown): void => void errors.push(error);
    process.on('uncaughtException', note);
    new IndexedDBPluginImpl({ name: DATABASE, maxRows: 10 });
    page.dispatchEvent(new Event('pagehide'));
    await turns();
    process.off('uncaughtException', note);
    expect(errors).toEqual([]);
  });

  it('unload events are ignored once the controller has stopped', async () => {
    const { controller, errors } = await openApp({ restore: 'lazy' });
    await controller.fetch(kept);
    await controller.stop();
    page.dispatchEvent(new Event('pagehide'));
    await turns();
    expect(errors).toEqual([]);
  });
});
