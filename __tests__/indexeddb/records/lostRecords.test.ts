import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { Delete, Endpoint } from 'holdfast';
import { openDB } from 'idb';
import { shardOf } from '../../../plugins/indexeddb/records/shards.ts';
import { closeConnections, loseRecord } from '../../support/diskFaults.ts';
import { until } from '../../support/turns.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
} from '../../support/indexedDB.ts';

freshIndexedDB();
afterEach(() => void jest.restoreAllMocks());

/** As many rows as make a log due for compaction. */
const many = answering(
  'many',
  [Article],
  Array.from({ length: 1_100 }, (_, id) => ({ id: `m${id}`, title: `title ${id}` })),
);

const list = Array.from({ length: 3 }, (_, id) => ({
  id: `${id}a`, // rows whose pks differ only in a last digit share a shard
  title: `title ${id}`,
  author: { id: 'u1', name: 'Ann' },
}));
const articles = answering('articles', [Article], list);
const titles = list.map(({ title }) => title);

/** Has everything moved out of the log. */
async function folded(): Promise<void> {
  while ((await records('log')).length > 0) await pause(5);
}

describe('a record that the browser has lost', () => {
  it.each(['log', 'shards', 'results'])(
    'a lost record of the store %s is written again by a tab that has its data in memory, whichever tab finds it',
    async (store) => {
      const first = await openApp();
      await first.controller.fetch(articles);
      await first.controller.flush();
      if (store !== 'log') {
        const many = Array.from({ length: 1_100 }, (_, id) => ({ id: `u${id}`, title: 'Bea' }));
        await first.controller.fetch(answering('many', [Article], many));
        await first.controller.flush();
        await folded();
      }
      const { length } = await records(store);
      for (let nth = 0; nth < length; nth++) loseRecord(DATABASE, store, nth);
      const other = await openApp();
      await other.controller.restored;
      expect(other.errors).toMatchObject([{ code: 'HF_STORAGE' }]);
      await first.controller.catchUp();
      await first.controller.flush();
      expect(first.errors).toEqual([]);
      requests.length = 0;
      const second = await openApp({ restore: 'lazy' });
      const shown = await second.controller.fetchIfStale(articles);
      expect(shown.map(({ title, author }) => `${title} ${author.name}`)).toEqual(
        titles.map((title) => `${title} Ann`),
      );
      expect(requests).toEqual([]);
      expect(second.errors).toEqual([]);
    },
  );

  it('a lost record is written again by a tab that reads on only after the loss was compacted', async () => {
    const first = await openApp();
    await first.controller.restored;
    await first.controller.fetch(articles);
    await first.controller.flush();
    loseRecord(DATABASE, 'log', 0);
    const other = await openApp();
    await other.controller.restored;
    await other.controller.fetch(many);
    await other.controller.flush();
    await folded();
    await first.controller.catchUp();
    await first.controller.flush();
    requests.length = 0;
    const second = await openApp({ restore: 'lazy' });
    const shown = await second.controller.fetchIfStale(articles);
    expect(shown.map(({ title }) => title)).toEqual(titles);
    expect(requests).toEqual([]);
  });

  it('a lost record keeps its sequence number, so that a tab which has read it sees later ones', async () => {
    let now = 1_000;
    const first = await openApp({ now: () => now, persist: 'all' });
    const second = await openApp({ now: () => now, persist: 'all' });
    await first.controller.fetch(articles);
    await first.controller.flush();
    loseRecord(DATABASE, 'log', 0);
    now += 1;
    await second.controller.catchUp();
    second.controller.set(Article, { id: '1a' }, { id: '1a', title: 'of the second' });
    await second.controller.flush();
    await first.controller.catchUp();
    expect(first.controller.get(Article, { id: '1a' })?.title).toBe('of the second');
  });

  it('a lost record does not restore deleted rows', async () => {
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      schema: new Delete(Article),
      sideEffect: true,
    });
    const { controller } = await openApp();
    await controller.fetch(articles);
    await controller.flush();
    await controller.fetch(remove, { id: '1a' });
    await controller.flush();
    loseRecord(DATABASE, 'log', 1);
    await (
      await openApp()
    ).controller.restored;
    await controller.catchUp();
    await controller.flush();
    const next = await openApp();
    await next.controller.restored;
    expect(next.controller.get(Article, { id: '1a' })).toBeUndefined();
    expect(next.controller.get(Article, { id: '2a' })?.title).toBe('title 2');
  });
});

describe('a stored list that has lost rows with their shard', () => {
  async function loseShard(table: string, pk: string, how: 'lost' | 'damaged'): Promise<void> {
    const first = await openApp();
    await first.controller.fetch(articles);
    await first.controller.fetch(many);
    await first.controller.flush();
    await folded();
    await first.leave();
    const database = await openDB(DATABASE);
    const shards = await database.count('shards', IDBKeyRange.bound([table], [table, []]));
    const key = [table, shardOf(pk, shards)];
    if (how === 'damaged') await database.put('shards', { pk: 'damaged' }, key);
    else await database.delete('shards', key);
    database.close();
    requests.length = 0;
  }

  it.each([
    ['Article', '1a', 'lost', 'lazy'],
    ['Article', '1a', 'lost', 'progressive'],
    ['Article', '1a', 'damaged', 'lazy'],
    ['Article', '1a', 'damaged', 'progressive'],
    ['User', 'u1', 'lost', 'lazy'],
    ['User', 'u1', 'damaged', 'progressive'],
  ] as const)(
    'a list that lost rows is shown without them and fetched again: the shard of %s %s is %s, restore %s',
    async (table, pk, how, restore) => {
      await loseShard(table, pk, how);
      const { controller } = await openApp({ restore });
      await controller.restored;
      const shownTitles = (): string[] | undefined =>
        controller.getResponse(articles).data?.map(({ title }) => title);
      const fetched = controller.fetchIfStale(articles);
      await until(() => shownTitles() !== undefined);
      // What is read at once is only shown once it is fetched.
      if (restore === 'progressive')
        expect(shownTitles()).toEqual(table === 'User' ? [] : ['title 0', 'title 2']);
      await fetched;
      await controller.fetchIfStale(articles);
      expect(shownTitles()).toHaveLength(3);
      expect(requests).toEqual(['articles']);
      await controller.flush();
      requests.length = 0;
      const next = await openApp({ restore });
      await next.controller.restored;
      expect(await next.controller.fetchIfStale(articles)).toHaveLength(3);
      expect(requests).toEqual([]);
    },
  );

  it('lists that lost no rows stay fresh', async () => {
    await loseShard('User', 'u1', 'lost');
    const { controller } = await openApp();
    await controller.restored;
    expect(await controller.fetchIfStale(many)).toHaveLength(1_100);
    expect(requests).toEqual([]);
  });
});

describe('a read of the log that the browser interrupts', () => {
  it('an interrupted read of the log is repeated with the changes already received', async () => {
    const [first, second] = [await openApp({ persist: 'all' }), await openApp({ persist: 'all' })];
    await first.controller.restored;
    await first.controller.fetch(articles);
    await first.controller.flush();
    await second.controller.catchUp();
    second.controller.set(Article, { id: '1a' }, { title: 'of the second' });
    await second.controller.fetch(many);
    await second.controller.flush();
    await folded();
    const { get } = IDBObjectStore.prototype;
    let interruptions = 0;
    jest.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (args[0] === 'result keys' && interruptions++ === 0)
        closeConnections(DATABASE, { isWritten: true, isSilent: false });
      return get.apply(this, args); // fails once the connection is closed
    });
    await first.controller.catchUp();
    expect(interruptions).toBeGreaterThan(0);
    expect(first.controller.get(Article, { id: '1a' })?.title).toBe('of the second');
  });
});
