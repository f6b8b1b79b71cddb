import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Collection, Controller, createResource, Endpoint, type Plugin } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import type { StorageView } from '../../../plugins/indexeddb/storage/Storage.ts';
import { Note } from '../../support/entities.ts';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** One session of an app, whose endpoints are its own. */
function open(
  restore: 'lazy' | 'progressive' = 'lazy',
  plugin: Plugin = indexedDB({ name: 'app', restore }),
) {
  const asked: string[] = [];
  const notes = new Collection([Note]);
  const list = new Endpoint(
    ({ by = '' }: { by?: string }) => {
      asked.push(by);
      return Promise.resolve([{ id: '1', text: 'first' }]);
    },
    { name: 'list', schema: notes, key: ({ by = '' }) => `list ${by}`, dataExpiryLength: Infinity },
  );
  const add = new Endpoint(
    (_params: { by?: string }, body: { id: string }) => Promise.resolve({ ...body, text: 'new' }),
    { name: 'add', sideEffect: true, schema: notes.push },
  );
  const controller = new Controller({ plugins: [plugin] });
  const ids = async (params: { by?: string } = {}): Promise<string[]> =>
    (await controller.fetchIfStale(list, params)).map(({ id }) => id);
  return { controller, list, add, ids, asked };
}

/** A disk of which one read can be held: what it returns is then out of date. */
class HeldRead extends IdbStorage {
  #onRead: (() => Promise<void>) | undefined;

  /** Holds the next read; resolves once it has read, with what releases it. */
  hold(): Promise<() => void> {
    return new Promise((resolve) => {
      this.#onRead = () => new Promise<void>((release) => resolve(release));
    });
  }

  override async read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    const onRead = this.#onRead;
    this.#onRead = undefined;
    const found = await super.read(run);
    await onRead?.();
    return found;
  }
}

describe('additions to lists that are only on disk', () => {
  it('a list that was being read while an addition became durable has it, here and on disk', async () => {
    const first = open();
    await first.ids();
    await first.controller.stop();

    const storage = new HeldRead('app');
    const second = open('lazy', new IndexedDBPluginImpl({ name: 'app', restore: 'lazy' }, { storage }));
    await second.controller.ready;
    const held = storage.hold();
    const reading = second.ids();
    const release = await held;
    await second.controller.fetch(second.add, {}, { id: '2' });
    await second.controller.flush();
    release();
    expect(await reading).toEqual(['1', '2']);
    await second.controller.fetch(second.add, {}, { id: '3' });
    await second.controller.stop();

    const third = open();
    expect(await third.ids()).toEqual(['1', '2', '3']);
    expect([second.asked, third.asked]).toEqual([[], []]);
    await third.controller.stop();
  });

  it.each(['lazy', 'progressive'] as const)(
    'a list on disk has its added members when it is read, %s',
    async (restore) => {
      const first = open();
      await Promise.all([first.ids(), first.ids({ by: 'ann' }), first.ids({ by: 'ben' })]);
      await first.controller.stop();

      const second = open(restore);
      await second.controller.fetch(second.add, { by: 'ann' }, { id: '2' });
      expect(await second.ids({ by: 'ann' })).toEqual(['1', '2']);
      await second.controller.stop();

      const third = open();
      expect([await third.ids(), await third.ids({ by: 'ann' }), await third.ids({ by: 'ben' })]).toEqual([
        ['1', '2'],
        ['1', '2'],
        ['1'],
      ]);
      expect([second.asked, third.asked]).toEqual([[], []]);
      await third.controller.stop();
    },
  );

  it.each(['lazy', 'progressive'] as const)(
    'a list on disk lacks its removed members when it is read, %s',
    async (restore) => {
      const first = open();
      await Promise.all([first.ids(), first.ids({ by: 'ann' })]);
      await first.controller.fetch(first.add, { by: 'ann' }, { id: '2' });
      await first.controller.stop();

      const second = open(restore);
      second.controller.set(second.list.schema.remove, { by: 'ann' }, { id: '1' });
      expect(await second.ids({ by: 'ann' })).toEqual(['2']);
      await second.controller.stop();

      const third = open();
      expect([await third.ids(), await third.ids({ by: 'ann' })]).toEqual([['2'], ['2']]);
      expect([second.asked, third.asked]).toEqual([[], []]);
      await third.controller.stop();
    },
  );

  it.each(['lazy', 'progressive'] as const)(
    'an added member is only in the lists of its own path, %s',
    async (restore) => {
      const open = () => {
        const asked: string[] = [];
        const shared = {
          urlPrefix: 'https://api.test',
          schema: Note,
          dataExpiryLength: Infinity,
          fetchResponse: (url: string, { method }: RequestInit) => {
            asked.push(`${method ?? ''} ${url}`);
            return Promise.resolve(Response.json(method === 'POST' ? { id: '2' } : [{ id: '1' }]));
          },
        } as const;
        const Notes = createResource({ ...shared, path: '/notes/:id' });
        const Drafts = createResource({ ...shared, path: '/drafts/:id' });
        const feed = Notes.getList.extend({ path: '/notes/feed' });
        const controller = new Controller({ plugins: [indexedDB({ name: 'app', restore })] });
        const read = async () => {
          const all = [];
          for (const each of [Notes.getList, Drafts.getList, feed])
            all.push((await controller.fetchIfStale(each)).map(({ id }) => id));
          return all;
        };
        return { controller, create: Notes.create.extend({ appendTo: feed }), read, asked };
      };
      const first = open();
      expect(await first.read()).toEqual([['1'], ['1'], ['1']]);
      await first.controller.stop();
      const second = open();
      await second.controller.fetch(second.create, { id: '2' });
      await second.controller.stop();
      const third = open();
      expect(await third.read()).toEqual([['1', '2'], ['1'], ['1', '2']]);
      expect(third.asked).toEqual([]);
      await third.controller.stop();
    },
  );

  it('a list has its added members after a session that did not read it', async () => {
    const first = open();
    await first.ids();
    await first.controller.stop();
    const second = open();
    await second.controller.fetch(second.add, {}, { id: '2' });
    await second.controller.fetch(second.add, {}, { id: '3' });
    // Of the lists alone: their members stay where they are.
    expect(second.controller.get(Note, { id: '1' })).toBeUndefined();
    await second.controller.stop();
    const third = open();
    expect(await third.ids()).toEqual(['1', '2', '3']);
    expect(third.asked).toEqual([]);
    await third.controller.stop();
  });
});
