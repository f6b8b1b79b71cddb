import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  RestEndpoint,
  unshift,
  Values,
  type Plugin,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import type { StorageView } from '../../../plugins/indexeddb/storage/Storage.ts';
import { Note, Task } from '../../support/entities.ts';

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
  const appended = notes.addWith((members: readonly string[], added: readonly string[]) =>
    members.concat(added),
  );
  const changes = { push: notes.push, remove: notes.remove, addWith: appended };
  return { controller, list, add, changes, ids, asked };
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
  it('everything else is stored when the function of addWith throws for one list', async () => {
    const first = open();
    await first.ids({ by: 'ann' });
    await first.ids({ by: 'bea' });
    await first.controller.stop();
    const second = open();
    await second.controller.ready;
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    let calls = 0;
    const append = (members: readonly string[], added: readonly string[]): readonly string[] => {
      calls += 1;
      if (calls === 1) throw new TypeError('of the app');
      return members.concat(added);
    };
    const add = second.add.extend({ schema: new Collection([Note]).addWith(append, () => () => true) });
    await second.controller.fetch(add, {}, { id: '2' });
    await second.controller.stop();
    expect(reported.mock.calls).toEqual([[new TypeError('of the app')]]);
    reported.mockRestore();
    const third = open();
    const lists = [await third.ids({ by: 'ann' }), await third.ids({ by: 'bea' })];
    expect(lists.map(({ length }) => length).sort()).toEqual([1, 2]);
    expect(third.asked).toEqual([]);
    await third.controller.stop();
  });

  it.each(['push', 'addWith'] as const)(
    'a list that was being read while an addition became durable has it once, here and on disk: %s',
    async (change) => {
      const first = open();
      await first.ids();
      await first.controller.stop();

      const storage = new HeldRead('app');
      const second = open('lazy', new IndexedDBPluginImpl({ name: 'app', restore: 'lazy' }, { storage }));
      await second.controller.ready;
      const held = storage.hold();
      const reading = second.ids();
      const release = await held;
      const add = second.add.extend({ schema: second.changes[change] });
      await second.controller.fetch(add, {}, { id: '2' });
      await second.controller.flush();
      release();
      expect(await reading).toEqual(['1', '2']);
      await second.controller.fetch(add, {}, { id: '3' });
      await second.controller.stop();

      const third = open();
      expect(await third.ids()).toEqual(['1', '2', '3']);
      expect([second.asked, third.asked]).toEqual([[], []]);
      await third.controller.stop();
    },
  );

  it.each(['push', 'addWith'] as const)(
    'a list in memory has what was added before it is merged with its version on disk, once: %s',
    async (change) => {
      const first = open();
      await first.ids();
      await first.controller.stop();
      const second = open();
      await second.controller.ready;
      // Not restored: memory gets the list from the server.
      await second.controller.fetch(second.list, {});
      await second.controller.fetch(second.add.extend({ schema: second.changes[change] }), {}, { id: '2' });
      await second.controller.flush();
      expect(await second.ids()).toEqual(['1', '2']);
      await second.controller.stop();
      const third = open();
      expect(await third.ids()).toEqual(['1', '2']);
      await third.controller.stop();
    },
  );

  it.each(['push', 'remove', 'addWith'] as const)(
    'an optimistic change that is confirmed while a list is only on disk is in the list: %s',
    async (change) => {
      const first = open();
      await first.ids();
      await first.ids({ by: 'ann' });
      await first.controller.stop();
      const second = open();
      await second.controller.ready;
      let confirm = (): void => undefined;
      const confirmed = new Promise<void>((resolve) => (confirm = resolve));
      const id = change === 'remove' ? '1' : '2';
      const add = new Endpoint(
        async (_params: { by?: string }, body: { id: string }) => {
          await confirmed;
          return body;
        },
        {
          name: 'optimistic',
          sideEffect: true,
          schema: second.changes[change],
          getOptimisticResponse: (_, _params, body) => body,
        },
      );
      const sending = second.controller.fetch(add, { by: 'ann' }, { id });
      const expected = change === 'remove' ? [] : ['1', '2'];
      expect(await second.ids()).toEqual(expected);
      confirm();
      await sending;
      expect(await second.ids()).toEqual(expected);
      expect(second.controller.getResponse(second.list, { by: 'ann' }).data).toBeUndefined();
      await second.controller.stop();
      const third = open();
      expect([await third.ids(), await third.ids({ by: 'ann' })]).toEqual([expected, expected]);
      expect([second.asked, third.asked]).toEqual([[], []]);
      await third.controller.stop();
    },
  );

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

/** Other changes of lists and maps, in one session of an app, whose server has two tasks of each user. */
function openTasks(restore: 'lazy' | 'progressive' = 'lazy') {
  const asked: string[] = [];
  const filter: { by?: string; page?: number } = {};
  const getTasks = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/tasks',
    name: 'getTasks',
    schema: new Collection([TaskOfUser]),
    searchParams: filter,
    paginationField: 'page',
    dataExpiryLength: Infinity,
    fetchResponse: (url: string) => {
      asked.push(url);
      const { searchParams } = new URL(url);
      const [by, page] = [searchParams.get('by') ?? '', searchParams.get('page') ?? ''];
      return Promise.resolve(Response.json([`${by}1${page}`, `${by}2${page}`].map((id) => ({ id, by }))));
    },
  });
  const getMap = new Endpoint(
    () => {
      asked.push('map');
      return Promise.resolve({ a: { id: '1' }, b: { id: '2' } });
    },
    {
      name: 'getMap',
      schema: new Collection(new Values(Task)),
      key: () => 'map',
      dataExpiryLength: Infinity,
    },
  );
  const controller = new Controller({ plugins: [indexedDB({ name: 'app', restore })] });
  const ids = async (params: typeof filter = {}): Promise<string[]> =>
    (await controller.fetchIfStale(getTasks, params)).map(({ id }) => id);
  const map = async (): Promise<object> =>
    Object.fromEntries(
      Object.entries(await controller.fetchIfStale(getMap)).map(([key, { id }]) => [key, id]),
    );
  return { controller, getTasks, getMap, ids, map, asked };
}

class TaskOfUser extends Task {
  by = '';
  static override key = 'TaskOfUser';
}

describe.each(['lazy', 'progressive'] as const)(
  'other changes of lists that are only on disk, %s',
  (restore) => {
    /** Changes what a first session has read, in a session that has not read it, and opens a third. */
    async function change(run: (session: ReturnType<typeof openTasks>) => unknown) {
      const first = openTasks();
      await Promise.all([first.ids(), first.ids({ by: 'ann' }), first.ids({ by: 'ben' }), first.map()]);
      await first.controller.stop();
      const second = openTasks(restore);
      await run(second);
      await second.controller.stop();
      expect(second.asked.filter((url) => !url.includes('page='))).toEqual([]);
      return openTasks();
    }

    it('a map has the members that `assign` gave it', async () => {
      const third = await change(({ controller, getMap }) => {
        controller.set(getMap.schema.assign, { b: { id: '3' }, c: { id: '4' } });
      });
      expect(await third.map()).toEqual({ a: '1', b: '3', c: '4' });
      expect(third.asked).toEqual([]);
      await third.controller.stop();
    });

    it('a map has assigned members in the session that assigned them', async () => {
      const third = await change(async ({ controller, getMap, map }) => {
        controller.set(getMap.schema.assign, { b: { id: '3' } });
        controller.set(getMap.schema.assign, { b: { id: '4' } });
        expect(await map()).toEqual({ a: '1', b: '4' });
        controller.set(getMap.schema.assign, { a: { id: '5' } });
        expect(await map()).toEqual({ a: '5', b: '4' });
      });
      expect(await third.map()).toEqual({ a: '5', b: '4' });
      await third.controller.stop();
    });

    it('lists have what `addWith` merged, once', async () => {
      const merge = (members: readonly string[], added: readonly string[]) => [
        ...added,
        ...members,
        ...added,
      ];
      const third = await change(async ({ controller, getTasks, ids }) => {
        const schema = getTasks.schema.addWith(merge);
        controller.set(schema, { by: 'ann' }, { id: 'new', by: 'ann' });
        expect(await ids({ by: 'ann' })).toEqual(['new', 'ann1', 'ann2', 'new']);
        await controller.flush();
        controller.set(schema, { by: 'ann' }, { id: 'last', by: 'ann' });
      });
      expect([await third.ids({ by: 'ann' }), await third.ids({ by: 'ben' }), await third.ids()]).toEqual([
        ['last', 'new', 'ann1', 'ann2', 'new', 'last'],
        ['ben1', 'ben2'],
        ['last', 'new', '1', '2', 'new', 'last'],
      ]);
      expect(third.asked).toEqual([]);
      await third.controller.stop();
    });

    it.each(['last', 'first'] as const)(
      'a moved member leaves one list and enters another, %s',
      async (end) => {
        const third = await change(async ({ controller, getTasks }) => {
          await controller.fetchIfStale(getTasks, { by: 'ann', page: 9 });
          const { schema } = getTasks;
          const task = { id: 'ann1', by: 'ben' };
          controller.set(TaskOfUser, { id: 'ann1' }, { id: 'ann1', by: 'ann' });
          controller.set(end === 'last' ? schema.move : schema.moveWith(unshift), { id: 'ann1' }, task);
        });
        expect([await third.ids({ by: 'ann' }), await third.ids({ by: 'ben' })]).toEqual([
          ['ann2'],
          end === 'last' ? ['ben1', 'ben2', 'ann1'] : ['ann1', 'ben1', 'ben2'],
        ]);
        expect(third.asked).toEqual([]);
        await third.controller.stop();
      },
    );

    it('a list has a further page after one session that read only that page', async () => {
      const third = await change(({ controller, getTasks }) =>
        controller.fetch(getTasks.getPage, { by: 'ann', page: 2 }),
      );
      expect(await third.ids({ by: 'ann' })).toEqual(['ann1', 'ann2', 'ann12', 'ann22']);
      expect(third.asked).toEqual([]);
      await third.controller.stop();
    });

    it('a list has a further page that was read before the list', async () => {
      const third = await change(async ({ controller, getTasks, ids }) => {
        await controller.fetch(getTasks.getPage, { by: 'ann', page: 2 });
        expect(await ids({ by: 'ann' })).toEqual(['ann1', 'ann2', 'ann12', 'ann22']);
        await controller.flush();
        await controller.fetch(getTasks.getPage, { by: 'ann', page: 3 });
        expect(await ids({ by: 'ann' })).toEqual(['ann1', 'ann2', 'ann12', 'ann22', 'ann13', 'ann23']);
      });
      expect(await third.ids({ by: 'ann' })).toEqual(['ann1', 'ann2', 'ann12', 'ann22', 'ann13', 'ann23']);
      await third.controller.stop();
    });

    it('a list that was requested again after a page lacks the page, here and on disk', async () => {
      const third = await change(async ({ controller, getTasks, asked }) => {
        await controller.fetch(getTasks.getPage, { by: 'ann', page: 2 });
        expect((await controller.fetch(getTasks, { by: 'ann' })).map(({ id }) => id)).toEqual([
          'ann1',
          'ann2',
        ]);
        await controller.flush();
        expect(controller.getResponse(getTasks, { by: 'ann' }).data).toHaveLength(2);
        asked.splice(0);
      });
      expect(await third.ids({ by: 'ann' })).toEqual(['ann1', 'ann2']);
      await third.controller.stop();
    });
  },
);

describe('two controllers on one disk, without the tabs plugin', () => {
  it('a list has what either of them added to it', async () => {
    const first = open();
    await first.ids();
    await first.controller.flush();
    const second = open();
    expect(await second.ids()).toEqual(['1']);
    await first.controller.fetch(first.add, {}, { id: '2' });
    await first.controller.flush();
    await second.controller.fetch(second.add, {}, { id: '3' });
    await second.controller.flush();
    expect(await second.ids()).toEqual(['1', '2', '3']);
    await first.controller.fetch(first.add, {}, { id: '4' });
    await first.controller.flush();
    expect(await first.ids()).toEqual(['1', '2', '3', '4']);
    await second.controller.fetch(second.add, {}, { id: '5' });
    await Promise.all([first.controller.stop(), second.controller.stop()]);
    const third = open();
    expect(await third.ids()).toEqual(['1', '2', '3', '4', '5']);
    expect([second.asked, third.asked]).toEqual([[], []]);
    await third.controller.stop();
  });

  it.each([
    ['push', 'addWith', '2', '3', ['1', '2', '3']],
    ['push', 'remove', '2', '1', ['2']],
    ['remove', 'push', '1', '3', ['3']],
    ['addWith', 'addWith', '2', '3', ['1', '2', '3']],
  ] as const)(
    'a list has the changes of both: %s and %s',
    async (one, other, changed, alsoChanged, expected) => {
      const first = open();
      await first.ids();
      await first.controller.flush();
      const second = open();
      await second.ids();
      await first.controller.fetch(first.add.extend({ schema: first.changes[one] }), {}, { id: changed });
      await first.controller.flush();
      await second.controller.fetch(
        second.add.extend({ schema: second.changes[other] }),
        {},
        { id: alsoChanged },
      );
      await second.controller.flush();
      expect(await second.ids()).toEqual(expected);
      await Promise.all([first.controller.stop(), second.controller.stop()]);
      const third = open();
      expect(await third.ids()).toEqual(expected);
      await third.controller.stop();
    },
  );

  it('a list that one of them has requested again keeps its members, although the other has added to an older one', async () => {
    const first = open();
    await first.ids();
    await first.controller.flush();
    const second = open();
    await second.ids();
    await first.controller.fetch(first.add, {}, { id: '2' });
    await first.controller.flush();
    await second.controller.fetch(second.list, {});
    await second.controller.fetch(second.add, {}, { id: '3' });
    await second.controller.flush();
    expect(await second.ids()).toEqual(['1', '3']);
    await Promise.all([first.controller.stop(), second.controller.stop()]);
  });
});
