import { describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { Collection, Controller, Endpoint, RestEndpoint } from 'holdfast';
import { openDB } from 'idb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { shardOf } from '../../../plugins/indexeddb/records/shards.ts';
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
import { User } from '../../support/entities.ts';
import { silently } from '../../support/silently.ts';

freshIndexedDB();

const original = Reflect.get(IDBObjectStore.prototype, 'add');

/** Lists of 20 articles, all by the same author. */
const getList = new Endpoint(
  async ({ list }: { list: number }) => {
    requests.push(`list ${list}`);
    return Array.from({ length: 20 }, (_, index) => ({
      id: `${list}-${index}`,
      title: 't'.repeat(200),
      author: { id: 'u', name: 'Ann' },
    }));
  },
  { name: 'getList', schema: [Article], dataExpiryLength: Infinity },
);

/** Stores lists one after the other, and waits until the log is folded and what is too much is gone. */
async function store(lists: readonly number[], limits: { maxRows?: number; maxBytes?: number }) {
  let now = 1_000;
  const plugin = new IndexedDBPluginImpl(
    { name: DATABASE, ...limits },
    { compactAt: { records: 1, rows: 1 } },
  );
  const controller = new Controller({ plugins: [plugin], now: () => now });
  for (const list of lists) {
    now += 1_000;
    await controller.fetch(getList, { list });
  }
  await controller.flush();
  while ((await records('log')).length > 0) await pause(5);
  return { controller, plugin };
}

async function keptLists(): Promise<number> {
  return (await records('results')).length;
}

describe('limits', () => {
  it.each([
    ['rows', { maxRows: 50 }],
    ['bytes', { maxBytes: 18_000 }],
  ])('limits of %s evict the coldest results, and rows that no other result reaches', async (_, limits) => {
    const { controller } = await store([1, 2, 3, 4, 5], limits);
    while ((await keptLists()) === 5) await pause(5);
    await controller.stop();
    expect(await keptLists()).toBe(2);
    const next = await openApp();
    await next.controller.restored;
    const { tables } = next.controller.getState();
    expect([...tables['Article']!.entries()].map(([pk]) => pk[0]).sort().join('')).toBe('4'.repeat(20) + '5'.repeat(20)); // oxfmt-ignore
    expect(tables['User']?.size).toBe(1);
    requests.length = 0;
    for (const list of [5, 4]) await next.controller.fetchIfStale(getList, { list });
    expect(requests).toEqual([]);
    await next.controller.fetchIfStale(getList, { list: 1 });
    expect(requests).toEqual(['list 1']);
  });

  it('an eviction leaves every row in its shard, also if the browser has lost a shard', async () => {
    const first = await store([1, 2, 3, 4, 5], {});
    await first.controller.stop();
    const raw = await openDB(DATABASE);
    await raw.delete('shards', ['Article', 0]);
    const { controller } = await store([6], { maxRows: 50 });
    while ((await keptLists()) === 6) await pause(5);
    await controller.stop();
    const misplaced: string[] = [];
    for (const key of await raw.getAllKeys('shards')) {
      const [table, shard] = key as [string, number];
      const { pk } = (await raw.get('shards', key)) as { readonly pk: readonly string[] };
      if (table === 'Article') misplaced.push(...pk.filter((one) => shardOf(one, 4) !== shard));
    }
    raw.close();
    expect(misplaced).toEqual([]);
  });

  it('limits evict nothing while there is room', async () => {
    const { controller } = await store([1, 2, 3], { maxRows: 100 });
    await controller.stop();
    expect(await keptLists()).toBe(3);
  });

  it('evicted data is written again with the next result that names it', async () => {
    const { controller } = await store([1, 2, 3, 4, 5], { maxRows: 50 });
    while ((await keptLists()) === 5) await pause(5);
    controller.setResponse(getList, { list: 9 }, [{ id: '1-0' }, { id: '1-1' }]);
    controller.set(User, { id: 'u' }, { name: 'Ann II' });
    await controller.flush();
    await controller.stop();
    const next = await openApp();
    const found = await next.controller.fetchIfStale(getList, { list: 9 });
    expect(found.map(({ title, author }) => [title.length, author.name])).toEqual([
      [200, 'Ann II'],
      [200, 'Ann II'],
    ]);
  });

  it('a full disk evicts the colder half, and the write is repeated', async () => {
    const { controller, plugin } = await store([1, 2, 3, 4], {});
    const errors: unknown[] = [];
    plugin.status.subscribe(() => errors.push(plugin.status.get().problem));
    await controller.fetch(getList, { list: 5 });
    let isFull = true;
    const write = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      if (!isFull)
        return Reflect.apply<IDBObjectStore, typeof args, IDBRequest<IDBValidKey>>(original, this, args);
      isFull = false;
      throw new DOMException('full', 'QuotaExceededError');
    });
    await controller.flush();
    write.mockRestore();
    await controller.stop();
    expect(errors.filter((error) => error !== undefined)).toEqual([]);
    expect(await keptLists()).toBeLessThan(4);
    requests.length = 0;
    const next = await openApp();
    await next.controller.fetchIfStale(getList, { list: 5 });
    await next.controller.fetchIfStale(getList, { list: 4 });
    expect(requests).toEqual([]);
  });

  it('a list that exceeds the limit alone is evicted, and the others are kept', async () => {
    const long = Array.from({ length: 100 }, (_, index) => ({ id: `long-${index}`, title: 'long' }));
    const getLong = answering('getLong', [Article], long);
    const { controller } = await store([1, 2], {});
    await controller.stop();
    const second = await openApp({ now: () => 10_000 });
    await second.controller.fetch(getLong);
    await second.leave();
    const third = await store([3], { maxRows: 80 });
    while ((await keptLists()) === 4) await pause(5);
    await third.controller.stop();
    const next = await openApp();
    requests.length = 0;
    for (const list of [1, 2, 3]) await next.controller.fetchIfStale(getList, { list });
    expect(requests).toEqual([]);
    await next.controller.fetchIfStale(getLong);
    expect(requests).toEqual(['getLong']);
  });

  it('a full disk evicts nothing that another tab has added to a list which this tab then writes', async () => {
    const getAll = new RestEndpoint({
      path: '/articles',
      schema: new Collection([Article]),
      dataExpiryLength: Infinity,
      fetch: async () => [{ id: 'a' }],
    });
    const add = getAll.push.extend({ fetch: async (body: object) => body });
    const here = await openApp();
    await here.controller.fetch(getAll);
    await here.controller.flush();
    const there = await openApp();
    await there.controller.fetchIfStale(getAll);
    await there.controller.fetch(add, { id: 'b' });
    await there.controller.flush();
    jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await here.controller.fetch(add, { id: 'c' });
    await silently(() => here.controller.flush().catch(() => undefined));
    jest.restoreAllMocks();
    await here.controller.flush();
    const next = await openApp();
    const articles = await next.controller.fetchIfStale(getAll);
    expect(articles.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  it('limits also evict results that reach no rows', async () => {
    const getPage = new Endpoint(async ({ page }: { page: number }) => `${page}`.repeat(1_000), {
      name: 'getPage',
      dataExpiryLength: Infinity,
    });
    let now = 1_000;
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, maxBytes: 3_500 },
      { compactAt: { records: 1, rows: 1 } },
    );
    const controller = new Controller({ plugins: [plugin], now: () => (now += 1) });
    for (const page of [1, 2, 3, 4]) await controller.fetch(getPage, { page });
    await controller.flush();
    while ((await keptLists()) !== 2) await pause(5);
    await controller.stop();
    expect(plugin.status.get()).toMatchObject({ rows: 0 });
    expect(plugin.status.get().bytes).toBeLessThan(3_500);
    expect((await records('results')).map((record) => (record as { value: string }).value[0])).toEqual(['3', '4']); // oxfmt-ignore
  });

  it('limits spare mounted data and recently read data, also of an earlier session', async () => {
    const first = await store([1, 2, 3, 4, 5], { maxRows: 1_000 });
    await first.controller.stop();
    // The second session reads list 2 and shows list 1 when it ends.
    let now = 50_000;
    const limits = { maxRows: 1_000 };
    const second = await openApp({ restore: 'lazy', now: () => now, ...limits });
    await second.controller.fetchIfStale(getList, { list: 2 });
    now += 1_000;
    const unmount = second.controller.view(getList, [{ list: 1 }]).subscribe(() => undefined);
    await second.leave();
    unmount();
    // The third has too many rows, and shows the list that was read least of all.
    now += 1_000;
    const plugin = new IndexedDBPluginImpl(
      { name: DATABASE, maxRows: 90, restore: 'lazy' },
      { compactAt: { records: 1, rows: 1 } },
    );
    const third = new Controller({ plugins: [plugin], now: () => now });
    third.view(getList, [{ list: 3 }]).subscribe(() => undefined);
    await third.fetch(getList, { list: 6 });
    await third.flush();
    while ((await records('log')).length > 0 || (await keptLists()) > 4) await pause(5);
    const kept = (await records('results')).map((record) => /\d/.exec((record as { key: string }).key)?.[0]);
    expect(kept.sort()).toEqual(['1', '2', '3', '6'].slice(0, kept.length));
    await third.stop();
  });

  it('evictions are known to other tabs, which write evicted rows again with the results that name them', async () => {
    const first = await openApp({ persist: 'all' });
    const { controller } = await store([1, 2, 3], {});
    await first.controller.catchUp();
    await first.controller.fetchIfStale(getList, { list: 1 });
    await controller.stop();
    // A third tab has room for one list only.
    const { controller: small } = await store([4], { maxRows: 25 });
    while ((await keptLists()) > 1) await pause(5);
    await small.stop();
    expect(first.plugin.holds?.(getList.key({ list: 1 }))).toBe(true);
    // In memory here are rows that are on disk no more. The new list names two of them, and brings nothing new of them.
    const { tables } = first.controller.getState();
    expect(tables['Article']?.get('1-0')).toBeDefined();
    const getPair = new Endpoint(async () => ['1-0', '1-1'], { name: 'getPair', schema: [Article], dataExpiryLength: Infinity }); // oxfmt-ignore
    await first.controller.fetch(getPair);
    await first.controller.flush();
    expect(first.plugin.holds?.(getList.key({ list: 1 }))).toBe(false);
    await first.leave();
    const next = await openApp({ restore: 'lazy' });
    const found = await next.controller.fetchIfStale(getPair);
    expect(found.map(({ title, author }) => [title.length, author.name])).toEqual([
      [200, 'Ann'],
      [200, 'Ann'],
    ]);
  });

  it('limits that free no space leave the write pending, with one report', async () => {
    const { controller, plugin } = await store([1, 2, 3, 4], {});
    const errors: unknown[] = [];
    plugin.status.subscribe(() => errors.push(plugin.status.get().problem));
    await controller.fetch(getList, { list: 5 });
    const write = jest.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await silently(() => expect(controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' }));
    expect(plugin.status.get()).toMatchObject({ state: 'degraded' });
    write.mockRestore();
    await controller.flush();
    expect(plugin.status.get()).toMatchObject({ state: 'working' });
    await controller.stop();
    const next = await openApp();
    requests.length = 0;
    await next.controller.fetchIfStale(getList, { list: 5 });
    expect(requests).toEqual([]);
  });
});
