import { describe, expect, it } from '@jest/globals';
import { Controller, Select } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { CountingStorage } from './storage/CountingStorage.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
} from '../support/indexedDB.ts';
import { Note, User } from '../support/entities.ts';

freshIndexedDB();

const article = { id: 'a1', title: 'secret', author: { id: 'u1', name: 'Ann' } };
const kept = answering('kept', Article, article);

/** A disk that is busy with other things when it is to be written or emptied. */
class BusyStorage extends IdbStorage {
  isAppending = false;

  override async append(...args: Parameters<IdbStorage['append']>): ReturnType<IdbStorage['append']> {
    this.isAppending = true;
    await pause(20);
    return super.append(...args);
  }

  override async clear(...args: Parameters<IdbStorage['clear']>): ReturnType<IdbStorage['clear']> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return super.clear(...args);
  }
}

describe('reset', () => {
  it('reset empties the disk', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.controller.flush();
    await first.controller.reset();
    for (const store of ['log', 'shards', 'results', 'outbox']) expect(await records(store)).toEqual([]);
    await first.leave();

    const second = await openApp();
    await second.controller.restored;
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
  });

  it('reset deletes data that was not flushed, and data of a flush in progress', async () => {
    const { controller } = await openApp();
    await controller.fetch(kept);
    const flushing = controller.flush();
    const resetting = controller.reset();
    await Promise.all([flushing, resetting]);
    await controller.flush();
    expect(await records('log')).toEqual([]);
  });

  it('reset keeps data that is committed after it, also while it is in progress', async () => {
    const { controller } = await openApp();
    await controller.fetch(kept);
    const resetting = controller.reset();
    controller.setResponse(kept, { ...article, id: 'a2' });
    const flushing = controller.flush();
    await Promise.all([resetting, flushing]);

    const second = await openApp();
    await second.controller.restored;
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    expect(second.controller.get(Article, { id: 'a2' })?.author.name).toBe('Ann');
  });

  it('reset keeps data that is committed after it, also if a flush from before it has yet to begin', async () => {
    const storage = new BusyStorage(DATABASE);
    const controller = new Controller({
      plugins: [new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy' }, { storage })],
    });
    await controller.fetch(kept);
    const flushing = controller.flush();
    while (!storage.isAppending) await pause();
    const queued = controller.flush();
    await pause();
    const resetting = controller.reset();
    controller.setResponse(kept, { ...article, id: 'a2' });
    await Promise.all([flushing, queued, resetting, controller.flush()]);
    await controller.stop();

    const second = await openApp();
    await second.controller.restored;
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    expect(second.controller.get(Article, { id: 'a2' })?.author.name).toBe('Ann');
  });

  it('reset keeps data that is committed after it, also if that is compacted next', async () => {
    const storage = new CountingStorage(DATABASE);
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, restore: 'lazy' },
      { storage, compactAt: { records: 2, rows: 99 } },
    );
    const controller = new Controller({ plugins: [plugin] });
    await controller.fetch(kept);
    await controller.flush();
    await controller.reset();
    const folded = storage.rewritten();
    for (const title of ['two', 'three']) {
      controller.setResponse(kept, { ...article, title });
      await controller.flush();
    }
    await folded;
    await controller.stop();

    const second = await openApp();
    await second.controller.restored;
    expect(await records('log')).toEqual([]);
    expect(second.controller.get(Article, { id: 'a1' })).toMatchObject({
      title: 'three',
      author: { name: 'Ann' },
    });
  });

  it('reset drops the data of a read in progress', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    const reading = second.plugin.restore({ results: [kept.key()] });
    const resetting = second.controller.reset();
    expect(await reading).toBeUndefined();
    await resetting;
    expect(await second.plugin.restore({ results: [kept.key()] })).toBeUndefined();
  });

  it.each(['before the disk is open', 'once it is open'])(
    'queries that are watched during a reset show nothing from before it, %s',
    async (when) => {
      const open = (): Controller =>
        new Controller({
          plugins: [
            new IndexedDBPluginImpl(
              { name: DATABASE, restore: 'lazy', persist: 'all' },
              { storage: new BusyStorage(DATABASE) },
            ),
          ],
        });
      const users = new Select(User);
      const before = open();
      before.watch(users, () => undefined);
      before.set(User, { id: '1' }, { id: '1', name: 'Ann' });
      before.set(Note, { id: '1' }, { id: '1', text: 'secret' });
      await before.stop();

      const controller = open();
      if (when === 'once it is open') await controller.restored;
      controller.watch(users, () => undefined);
      const resetting = controller.reset();
      controller.watch(new Select(Note), () => undefined);
      await resetting;
      await controller.flush();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(controller.getState().tables).toEqual({});
      await controller.stop();
    },
  );

  it('reset stops the background restore', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp();
    await second.controller.reset();
    await second.controller.restored;
    expect(second.controller.get(User, { id: 'u1' })).toBeUndefined();
  });

  it('reset works before the database is open', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = new Controller({ plugins: [indexedDB({ name: DATABASE, restore: 'lazy' })] });
    await second.reset();
    await second.ready;
    expect(await records('log')).toEqual([]);
    second.setResponse(kept, article);
    await second.flush();
    expect(await records('log')).toHaveLength(1);
    await second.stop();
  });

  it('reset stops the writes of another tab that has not been notified', async () => {
    const first = await openApp();
    const second = await openApp();
    await first.controller.fetch(kept);
    await first.controller.flush();
    await second.controller.reset();

    first.controller.set(Article, { id: 'a1' }, { title: 'from before' });
    await expect(first.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(await records('log')).toEqual([]);
    await first.controller.flush(); // nothing more is kept, and nothing hangs

    await second.controller.fetch(kept);
    await second.controller.flush();
    expect(await records('log')).toHaveLength(1);
  });

  it('a reset that is detected by later writes loses none of them, also if they are compacted', async () => {
    const later = answering('later', Article, { ...article, id: 'a2' });
    const storage = new CountingStorage(DATABASE);
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, restore: 'lazy', persist: 'all' },
      { storage, compactAt: { records: 2, rows: 99 } },
    );
    const first = new Controller({ plugins: [plugin] });
    await first.fetch(kept);
    await first.flush();
    const second = await openApp({ restore: 'lazy', persist: 'all' });
    await second.controller.fetchIfStale(kept);
    await first.reset();
    const compacted = storage.rewritten();
    for (const endpoint of [later, kept]) {
      await first.fetch(endpoint);
      await first.flush();
    }
    await compacted;
    await second.controller.catchUp();
    second.controller.set(Article, { id: 'a1' }, { title: 'changed' });
    await second.controller.flush();
    requests.length = 0;
    expect(await second.controller.fetchIfStale(later)).toMatchObject({ title: 'secret' });
    expect(requests).toEqual([]);
    await Promise.all([first.stop(), second.leave()]);

    const third = await openApp();
    await third.controller.restored;
    expect(third.controller.get(Article, { id: 'a1' })).toMatchObject({
      title: 'changed',
      author: { name: 'Ann' },
    });
  });

  it('a reset that is detected by later writes loses none of them', async () => {
    const later = answering('later', Article, { ...article, id: 'a2' });
    const first = await openApp({ restore: 'lazy' });
    await first.controller.fetch(kept);
    await first.controller.flush();
    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetchIfStale(kept);
    await first.controller.reset();
    await first.controller.fetch(later);
    await first.controller.flush();
    await second.controller.catchUp();
    await second.controller.flush();
    requests.length = 0;
    expect(await second.controller.fetchIfStale(later)).toMatchObject({ title: 'secret' });
    expect(requests).toEqual([]);
  });
});
