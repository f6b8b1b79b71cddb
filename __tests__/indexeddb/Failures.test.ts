import { describe, expect, it, jest } from '@jest/globals';
import { IDBDatabase, IDBObjectStore } from 'fake-indexeddb';
import { openDB } from 'idb';
import { answering, Article, DATABASE, freshIndexedDB, openApp, records } from '../support/indexedDB.ts';

freshIndexedDB();

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1', name: 'Ann' } });

async function overwrite(store: string, change: (record: never) => unknown): Promise<void> {
  const database = await openDB(DATABASE);
  const keys = await database.getAllKeys(store);
  const values = (await database.getAll(store)) as never[];
  for (const [index, key] of keys.entries()) await database.put(store, change(values[index]!), key);
  database.close();
}

describe('without IndexedDB', () => {
  it('without IndexedDB the app continues, and is notified once', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const { controller, errors } = await openApp();
    expect(await controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    await controller.flush();
    await controller.restored;
    await controller.reset();
    await controller.fetch(kept);
    await controller.stop();
    expect(errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
  });

  it('data stays in memory if opening the database fails', async () => {
    jest.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const { controller, errors } = await openApp();
    expect(await controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    await controller.flush();
    await controller.restored;
    // There may be data that cannot be reached: saying that it is gone would be a lie.
    await expect(controller.reset()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(errors[0]?.message).toContain('denied');
  });

  it('a database of a newer version is left alone', async () => {
    (
      await openDB(DATABASE, 99, { upgrade: (database) => void database.createObjectStore('theirs') })
    ).close();
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    await controller.flush();
    expect(errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    const database = await openDB(DATABASE, 99);
    expect([...database.objectStoreNames]).toEqual(['theirs']);
    database.close();
  });
});

describe('a connection that was lost', () => {
  it('a lost connection is reopened once', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing', 'InvalidStateError');
    });
    await controller.flush();
    expect(await records('log')).toHaveLength(1);
    expect(errors).toEqual([]);
    transaction.mockRestore();
  });

  it('a connection closes when another tab upgrades or deletes the database', async () => {
    const { controller } = await openApp();
    await controller.fetch(kept);
    await controller.flush();
    await new Promise<void>((resolve, reject) => {
      const deleting = globalThis.indexedDB.deleteDatabase(DATABASE);
      deleting.onsuccess = () => resolve();
      deleting.onblocked = () => reject(new Error('blocked'));
    });
  });

  it('a connection that cannot be reopened is reported, and pending changes stay pending', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(errors).toHaveLength(1);
    add.mockRestore();
    await controller.flush();
    expect(await records('log')).toHaveLength(1);
    const second = await openApp();
    expect(await second.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
  });
});

describe('a full disk', () => {
  it('a full disk is no reason to look for values that cannot be stored, which clones them all', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(kept);
    // As in Chromium 156: an error of a class of its own.
    class QuotaExceededError extends DOMException {
      readonly [Symbol.toStringTag] = 'QuotaExceededError';
    }
    const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new QuotaExceededError('full', 'QuotaExceededError');
    });
    const put = jest.spyOn(IDBObjectStore.prototype, 'put');
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    const stored = put.mock.calls.map(([value]) => JSON.stringify(value));
    expect(stored.filter((value) => value.includes('one'))).toEqual([]);
    expect(errors).toHaveLength(1);
    add.mockRestore();
    put.mockRestore();
    await controller.flush();
    expect(await records('log')).toHaveLength(1);
  });
});

describe('data of another shape', () => {
  it.each([
    ['log', () => 'junk'],
    ['log', () => ({ rows: { pk: 5 }, results: [] })],
    ['log', (record: object) => ({ ...record, results: [5] })],
    ['meta', () => ({ epoch: 'x' })],
  ])('data of another shape is left out of %s and reported', async (store, change) => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.controller.flush();
    await overwrite('meta', (record) => record);
    await first.leave();
    if (store === 'meta') {
      const database = await openDB(DATABASE);
      await database.put('meta', change({}), 'header');
      database.close();
    } else {
      await overwrite(store, change);
    }

    const second = await openApp();
    expect(await second.controller.fetchIfStale(kept)).toMatchObject({ title: 'one' });
    expect(second.errors.length).toBeGreaterThan(0);
    expect(second.errors.every(({ code }) => code === 'HF_STORAGE')).toBe(true);
  });
});

describe('a scope', () => {
  it('a scope has a database of its own', async () => {
    const first = await openApp({ scope: 'ann' });
    await first.controller.fetch(kept);
    await first.leave();
    const second = await openApp({ scope: 'bea' });
    await second.controller.restored;
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    const names = (await globalThis.indexedDB.databases()).map(({ name }) => name);
    expect(names.sort()).toEqual([`${DATABASE}:ann`, `${DATABASE}:bea`]);
  });

  it('each name and scope has its own database, whatever characters they contain', async () => {
    const pairs = [
      { name: 'a', scope: 'b:c' },
      { name: 'a:b', scope: 'c' },
      { name: 'a:b:c' },
      { name: 'a%3Ab', scope: 'c' },
      { name: 'a', scope: '' },
      { name: 'a' },
    ];
    for (const pair of pairs) await openApp(pair);
    expect(await globalThis.indexedDB.databases()).toHaveLength(pairs.length);
  });
});
