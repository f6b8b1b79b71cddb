import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { answering, Article, DATABASE, freshIndexedDB, openApp } from '../../support/indexedDB.ts';

freshIndexedDB();
afterEach(() => {
  jest.restoreAllMocks();
});

const kept = answering('kept', Article, { id: 'a1', title: 'one', author: { id: 'u1' } });
const passing = answering('passing', Article, { id: 'a1', title: 'one', author: { id: 'u1' } }, 60_000);
const key = kept.key();

describe('holds', () => {
  it('holds is true for data on disk that equals memory', async () => {
    const { controller, plugin } = await openApp();
    expect(plugin.holds?.(key)).toBe(false);
    await controller.fetch(kept);
    expect(plugin.holds?.(key)).toBe(false);
    await controller.flush();
    expect(plugin.holds?.(key)).toBe(true);
    controller.invalidate(kept);
    expect(plugin.holds?.(key)).toBe(false);
    await controller.flush();
    expect(plugin.holds?.(key)).toBe(true);
    await controller.reset();
    expect(plugin.holds?.(key)).toBe(false);
  });

  it('holds is false for data that is not persisted', async () => {
    const { controller, plugin } = await openApp();
    await controller.fetch(passing);
    await controller.flush();
    expect(plugin.holds?.(passing.key())).toBe(false);
  });

  it('holds is false while writing fails', async () => {
    const { controller, plugin } = await openApp();
    await controller.fetch(kept);
    await controller.flush();
    controller.set(Article, { id: 'a1' }, { title: 'two' });
    const add = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('no', 'DataError');
    });
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(plugin.holds?.(key)).toBe(false);
    add.mockRestore();
    await controller.flush();
    expect(plugin.holds?.(key)).toBe(true);
  });
});

describe('a database that never opens', () => {
  it('stop, flush and reads do not wait for a database that never opens', async () => {
    const never = new (globalThis.indexedDB.open('other').constructor as new () => IDBOpenDBRequest)(); // one that nothing happens to
    jest.spyOn(globalThis.indexedDB, 'open').mockReturnValue(never);
    const errors: unknown[] = [];
    const plugin = indexedDB({ name: DATABASE, onError: (error) => errors.push(error) });
    const controller = new Controller({ plugins: [plugin] });
    controller.setResponse(kept, { id: 'a1', title: 'one', author: { id: 'u1' } });
    const reading = plugin.side('outbox').catch((error: unknown) => error);
    const [flushing, stopping] = [controller.flush(), controller.stop()];
    await Promise.all([controller.ready, controller.restored, flushing, stopping]);
    // What cannot be read yet is not empty.
    expect(await reading).toMatchObject({ code: 'HF_STORAGE' });
    expect(errors).toHaveLength(1);
    await controller.stop();
  });
});
