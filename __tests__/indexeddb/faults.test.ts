import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IDBDatabase, IDBObjectStore, IDBTransaction } from 'fake-indexeddb';
import { All, Delete, Endpoint } from 'holdfast';
import { openDB } from 'idb';
import { clearSiteData, holdOpening } from '../support/diskFaults.ts';
import { until } from '../support/turns.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  records,
  requests,
  type App,
} from '../support/indexedDB.ts';

freshIndexedDB();
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1', name: 'Ann' } });
const later = answering('later', Article, { id: 'a2', title: 'two', author: { id: 'u1', name: 'Ann' } });

/** Expects that every call works with memory and network, and that the error is reported exactly once. */
async function worksWithoutDisk({ controller, plugin, errors }: App): Promise<void> {
  expect(await controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
  expect(controller.get(Article, { id: 'a1' })?.author.name).toBe('Ann');
  await controller.restored;
  await Promise.allSettled([controller.flush(), controller.catchUp(), plugin.side('outbox')]);
  controller.set(Article, { id: 'a1' }, { title: 'changed' });
  await controller.flush();
  expect(controller.get(Article, { id: 'a1' })?.title).toBe('changed');
  expect(errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
  expect(plugin.status.get()).toMatchObject({ state: 'degraded', problem: errors[0], isRestored: true });
  await Promise.allSettled([controller.reset()]);
  expect(controller.get(Article, { id: 'a1' })).toBeUndefined();
  await controller.fetch(later);
  expect(controller.get(Article, { id: 'a2' })?.title).toBe('two');
  await controller.stop();
}

describe('opening', () => {
  it.each([
    ['absent', () => Reflect.deleteProperty(globalThis, 'indexedDB')],
    ['undefined', () => Object.assign(globalThis, { indexedDB: undefined })],
  ])('the app works if IndexedDB is %s', async (_case, remove) => {
    remove();
    await worksWithoutDisk(await openApp());
  });

  it.each(['SecurityError', 'QuotaExceededError', 'UnknownError', 'InvalidStateError'])(
    'the app works if opening the database fails with %s',
    async (name) => {
      jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
        throw new DOMException('refused', name);
      });
      await worksWithoutDisk(await openApp());
    },
  );

  it('the app works if the database has the stores of another app', async () => {
    const theirs = await openDB(DATABASE, 1, {
      upgrade: (database) => void database.createObjectStore('theirs'),
    });
    await theirs.put('theirs', 'precious', 'key');
    theirs.close();
    await worksWithoutDisk(await openApp());
    expect(await records('theirs')).toEqual(['precious']);
  });

  it('the app works while another tab blocks the database, and stores its data once the tab unblocks it', async () => {
    const first = await openApp();
    await first.controller.fetch(later);
    await first.leave();
    // One connection deletes the database while another keeps it open: opening it has to wait.
    const holder = await openDB(DATABASE);
    const deleting = globalThis.indexedDB.deleteDatabase(DATABASE);
    await new Promise((resolve) => (deleting.onblocked = resolve));

    const app = await openApp();
    expect(app.plugin.status.get()).toMatchObject({ state: 'degraded' });
    expect(app.errors[0]?.message).toContain('another tab');
    expect(await app.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    await app.controller.flush();
    await app.controller.restored;
    await expect(app.controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    await app.controller.fetch(kept);

    const working = new Promise<void>((resolve) => {
      const stop = app.plugin.status.subscribe(() => {
        if (app.plugin.status.get().state !== 'working') return;
        stop();
        resolve();
      });
    });
    holder.close();
    await working;
    await app.controller.flush();
    requests.length = 0;
    const next = await openApp();
    expect(await next.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual([]);
    expect(next.errors).toEqual([]);
  });

  it('a database that opens late gives no deleted field back to a row that was deleted and set again', async () => {
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      schema: new Delete(Article),
      sideEffect: true,
    });
    const first = await openApp({ persist: 'all' });
    await first.controller.fetch(kept);
    await first.leave();
    const release = holdOpening(DATABASE);
    const { controller, plugin } = await openApp({ persist: 'all' });
    expect(plugin.status.get()).toMatchObject({ state: 'degraded' });
    controller.set(Article, { id: 'a1' }, { id: 'a1', title: 'two' });
    await controller.fetch(remove, { id: 'a1' });
    controller.set(Article, { id: 'a1' }, { id: 'a1', body: 'new' });
    release();
    await until(() => plugin.status.get().state === 'working');
    await controller.flush();
    const next = await openApp();
    await next.controller.restored;
    for (const app of [controller, next.controller])
      expect(app.get(Article, { id: 'a1' })).toMatchObject({ title: '', body: 'new' });
  });

  it('live queries show what is in a database that opens late, once it is open', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();
    const release = holdOpening(DATABASE);
    const { controller, plugin } = await openApp({ restore: 'lazy' });
    const all = new All(Article);
    controller.watch(all, () => undefined);
    expect(plugin.status.get()).toMatchObject({ state: 'degraded' });
    release();
    await until(() => plugin.status.get().state === 'working' && plugin.status.get().isRestored);
    expect(controller.get(all)).toHaveLength(1);
    await controller.stop();
  });

  it('a database that opens late is emptied once by a reset that waits for it, so it keeps what comes after', async () => {
    const release = holdOpening(DATABASE);
    const { controller, plugin } = await openApp({ persist: 'all' });
    const resetting = controller.reset();
    release();
    await resetting;
    controller.set(Article, { id: 'a1' }, { id: 'a1', title: 'new' });
    await until(() => plugin.status.get().state === 'working');
    await controller.flush();
    await controller.catchUp();
    expect(controller.get(Article, { id: 'a1' })?.title).toBe('new');
    expect(await records('meta')).toContainEqual(expect.objectContaining({ epoch: 1 }));
    const next = await openApp();
    await next.controller.restored;
    expect(next.controller.get(Article, { id: 'a1' })?.title).toBe('new');
  });

  it('the app works if the browser never responds', async () => {
    const never = new (globalThis.indexedDB.open('other').constructor as new () => IDBOpenDBRequest)();
    jest.spyOn(globalThis.indexedDB, 'open').mockReturnValue(never);
    await worksWithoutDisk(await openApp());
  });
});

describe('a database that is deleted', () => {
  it('a deleted database leaves nothing of what the app had read from it at its start', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();
    requests.length = 0;
    const { getAllKeys } = IDBObjectStore.prototype;
    let isDeleted = false;
    jest.spyOn(IDBObjectStore.prototype, 'getAllKeys').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      // The log has been read.
      if (this.name === 'shards' && !isDeleted)
        isDeleted = clearSiteData(DATABASE, { isWritten: true, isSilent: false });
      return getAllKeys.apply(this, args);
    });
    const second = await openApp();
    await second.controller.restored;
    expect(isDeleted).toBe(true);
    expect(await second.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(requests).toEqual(['kept']);
    await second.controller.flush();
    await isKept();
  });
});

describe('a write that fails', () => {
  it.each(['QuotaExceededError', 'UnknownError', 'DataError'])(
    'a write that fails with %s stays pending, is reported once, and is repeated',
    async (name) => {
      const app = await openApp();
      const { controller, plugin, errors } = app;
      await controller.fetch(kept);
      const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
        throw new DOMException('no', name);
      });
      await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
      await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
      expect(errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
      expect(plugin.status.get()).toMatchObject({ state: 'degraded', problem: errors[0] });
      expect(controller.get(Article, { id: 'a1' })?.title).toBe('one');
      add.mockRestore();
      await controller.flush();
      expect(plugin.status.get()).toMatchObject({ state: 'working' });
      expect(plugin.status.get()).not.toHaveProperty('problem');
      await isKept();
    },
  );

  it('a write is retried when its transaction was aborted', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    const add = IDBObjectStore.prototype.add;
    jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(function (
      this: IDBObjectStore,
      ...args
    ) {
      const request = add.apply(this, args);
      this.transaction.abort();
      return request;
    });
    await controller.flush();
    expect(errors).toEqual([]);
    await isKept();
  });

  it('a write settles when its transaction is aborted but its requests never end (Chromium, full disk)', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    const never = new (globalThis.indexedDB.open('other').constructor as new () => IDBRequest)();
    let isFull = true;
    for (const name of ['add', 'get', 'delete'] as const) {
      const ask = IDBObjectStore.prototype[name] as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
      jest.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
        this: IDBObjectStore,
        ...args: unknown[]
      ) {
        const request = ask.apply(this, args);
        return (isFull && this.transaction.mode === 'readwrite' ? never : request) as never;
      });
    }
    jest.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      isFull = false;
      this.abort();
    });
    await controller.flush();
    expect(errors).toEqual([]);
    await isKept();
  });
});

describe('a connection', () => {
  it('a connection that the browser closes is reopened', async () => {
    const opened: IDBDatabase[] = [];
    const { transaction } = IDBDatabase.prototype;
    jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...args
    ) {
      opened.push(this);
      return transaction.apply(this, args);
    });
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    opened.at(-1)?.close(); // without an event, as on iOS
    await controller.flush();
    opened.at(-1)?.close();
    expect(await controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    controller.set(Article, { id: 'a1' }, { body: 'more' });
    await controller.flush();
    expect(errors).toEqual([]);
    await isKept();
  });
});

describe('100 MB of rows', () => {
  it('100 MB of rows can be written, found one by one, and read to the end', async () => {
    const body = 'x'.repeat(100_000);
    const list = Array.from({ length: 1_000 }, (_, id) => ({ id: `a${id}`, title: `t${id}`, body, author: { id: 'u1' } })); // oxfmt-ignore
    const large = answering('large', [Article], list);
    const first = await openApp();
    await first.controller.fetch(large);
    await first.leave();
    const lazy = await openApp({ restore: 'lazy' });
    const found = await lazy.plugin.restore({ rows: [['Article', 'a7']] });
    expect(found?.rows.map(([table, pk]) => [table, pk])).toEqual([['Article', 'a7'], ['User', 'u1']]); // oxfmt-ignore
    await lazy.leave();
    const second = await openApp();
    await second.controller.restored;
    expect(await second.controller.fetchIfStale(large)).toHaveLength(1_000);
    expect(requests).toEqual(['large']);
    expect([...first.errors, ...lazy.errors, ...second.errors]).toEqual([]);
  });
});

describe('a clock that was put back', () => {
  it('a clock that was set back does not expire new data', async () => {
    const first = await openApp({ now: () => 2_000_000 });
    await first.controller.fetch(kept);
    await first.leave();
    const second = await openApp({ now: () => 1_000_000 });
    second.controller.set(Article, { id: 'a1' }, { title: 'newer' });
    await second.controller.restored;
    await second.leave();
    const third = await openApp({ now: () => 500_000 });
    await third.controller.restored;
    expect(third.controller.get(Article, { id: 'a1' })).toMatchObject({
      title: 'newer',
      author: { name: 'Ann' },
    });
  });
});

describe('two controllers of one name in one page', () => {
  it('two controllers with one name in one page lose none of each other’s data', async () => {
    const [first, second] = [await openApp(), await openApp()];
    await Promise.all([first.controller.fetch(kept), second.controller.fetch(later)]);
    await Promise.all([first.controller.flush(), second.controller.flush()]);
    requests.length = 0;
    const third = await openApp();
    expect(await third.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(await third.controller.fetchIfStale(later)).toMatchObject({ title: 'two' });
    expect(requests).toEqual([]);
  });
});

describe('a reset', () => {
  it('a reset during a flush and a restore leaves nothing, and everything settles', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();
    for (let turns = 0; turns < 12; turns++) {
      const { controller, plugin, errors, leave } = await openApp();
      const data = controller.fetchIfStale(later);
      controller.setResponse(kept, { id: 'a1', title: 'secret', author: { id: 'u1', name: 'Ann' } });
      const flushing = controller.flush();
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      const settled = await Promise.allSettled([controller.reset(), flushing, controller.restored, data]);
      expect(settled.slice(0, 3).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
      expect(controller.getState().results.get(kept.key())).toBeUndefined();
      await controller.flush();
      expect(plugin.status.get()).toMatchObject({ isRestored: true });
      for (const store of ['log', 'shards', 'results'])
        expect(JSON.stringify(await records(store))).not.toMatch(/secret|Ann/);
      expect(errors).toEqual([]);
      await leave();
    }
  });
});

async function isKept(): Promise<void> {
  requests.length = 0;
  const next = await openApp();
  expect(await next.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
  expect(requests).toEqual([]);
}
