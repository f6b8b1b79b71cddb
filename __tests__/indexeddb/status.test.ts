import { describe, expect, it, jest } from '@jest/globals';
import { Controller } from 'holdfast';
import { indexedDB, type StorageStatus } from 'holdfast/indexeddb';
import { answering, DATABASE, freshIndexedDB, openApp, records } from '../support/indexedDB.ts';
import { User } from '../support/entities.ts';

freshIndexedDB();

const list = answering(
  'list',
  [User],
  Array.from({ length: 1_100 }, (_, id) => ({ id: `u${id}` })),
);

describe('the status', () => {
  it('the status reports writes, and the progress of the restore', async () => {
    const first = await openApp({ now: () => 5_000 });
    expect(first.plugin.status.get()).toMatchObject({ state: 'working', rows: 0 });
    expect(first.plugin.status.get()).not.toHaveProperty('flushedAt');
    await first.controller.fetch(list);
    await first.controller.flush();
    expect(first.plugin.status.get()).toMatchObject({ rows: 1_100, flushedAt: 5_000, flushTook: 0 });
    await first.leave();

    const second = await openApp();
    const seen: StorageStatus[] = [];
    const stop = second.plugin.status.subscribe(() => seen.push(second.plugin.status.get()));
    await second.controller.restored;
    expect(second.controller.status('indexeddb')).toBe(second.plugin.status);
    expect(second.plugin.status.get()).toBe(seen.at(-1));
    expect(seen.at(-1)).toMatchObject({
      state: 'working',
      isRestored: true,
      restoredRows: 1_100,
      rows: 1_100,
    });
    expect(seen.filter(({ isRestored }) => !isRestored).length).toBeGreaterThan(1);
    stop();
    const { length } = seen;
    await second.controller.reset();
    expect(seen).toHaveLength(length);
    expect(second.plugin.status.get()).toMatchObject({ rows: 0 });
  });

  it('a listener that throws is reported, and neither fails writes nor makes them twice', async () => {
    const app = await openApp();
    app.plugin.status.subscribe(() => {
      throw new Error('of the app');
    });
    const states: string[] = [];
    app.plugin.status.subscribe(() => states.push(app.plugin.status.get().state));
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await app.controller.fetch(list);
    await app.controller.flush();
    await app.controller.flush();
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ message: 'of the app' }));
    expect(new Set(states)).toEqual(new Set(['working']));
    expect(app.errors).toEqual([]);
    // 1,100 rows, 256 in each record.
    expect(await records('log')).toHaveLength(5);
    await app.leave();
    reported.mockRestore();
  });

  it('a listener may reset the controller while the database opens: nothing of the former session is restored', async () => {
    const user = answering('user', User, { id: 'u1', name: 'Ann' });
    const first = await openApp();
    first.controller.watch(user, () => undefined);
    await first.controller.fetch(user);
    await first.leave();

    const plugin = indexedDB({ name: DATABASE });
    const resets: Promise<void>[] = [];
    plugin.status.subscribe(() => {
      if (plugin.status.get().rows > 0 && resets.length === 0) resets.push(controller.reset());
    });
    const controller = new Controller({ plugins: [plugin] });
    await controller.restored;
    expect(resets).toHaveLength(1);
    await Promise.all(resets);
    expect(controller.get(User, { id: 'u1' })).toBeUndefined();
    await controller.stop();
  });

  it('storage estimates and persistence are requested only when the app asks', async () => {
    const { plugin } = await openApp();
    expect(await plugin.estimate()).toBeUndefined();
    expect(await plugin.requestPersistence()).toBe(false);
    const storage = {
      estimate: async () => ({ usage: 1_000, quota: 9_000 }),
      persist: async () => true,
    };
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', { value: { storage }, configurable: true });
    try {
      expect(await plugin.estimate()).toEqual({ usage: 1_000, quota: 9_000 });
      expect(await plugin.requestPersistence()).toBe(true);
    } finally {
      if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
      else Object.defineProperty(globalThis, 'navigator', before);
    }
  });
});
