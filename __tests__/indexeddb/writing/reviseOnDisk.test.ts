import { describe, expect, it } from '@jest/globals';
import { Collection, Endpoint } from 'holdfast';
import { holdOpening } from '../../support/diskFaults.ts';
import { turn, until } from '../../support/turns.ts';
import { answering, Article, DATABASE, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';

freshIndexedDB();

const getNews = answering('getNews', [Article], [{ id: 'a', title: 'A', author: { id: 'u', name: 'Ann' } }]);
const getOld = answering('getOld', [Article], [{ id: 'b', title: 'B' }]);
const news = { testKey: (key: string) => key === getNews.key() };

async function stored(): Promise<void> {
  const app = await openApp();
  await app.controller.fetch(getNews);
  await app.controller.fetch(getOld);
  await app.leave();
  requests.length = 0;
}

describe('results that are on disk only', () => {
  it.each(['at once', 'after a reload'] as const)(
    'results only on disk are invalidated by invalidateAll, %s',
    async (when) => {
      await stored();
      let app = await openApp({ restore: 'lazy' });
      app.controller.invalidateAll(news);
      if (when === 'after a reload') {
        await app.controller.flush();
        await app.leave();
        app = await openApp();
        await app.controller.restored;
      }
      await app.controller.fetchIfStale(getNews);
      await app.controller.fetchIfStale(getOld);
      expect(requests).toEqual(['getNews']);
    },
  );

  it.each(['at once', 'after a reload'] as const)(
    'results only on disk are stale after expireAll, %s, but shown',
    async (when) => {
      await stored();
      let app = await openApp({ restore: 'lazy' });
      app.controller.expireAll(news);
      if (when === 'after a reload') {
        await app.controller.flush();
        await app.leave();
        app = await openApp();
      }
      await app.controller.restored;
      await app.plugin.restore({ results: [getNews.key()] }).then((found) => {
        if (found !== undefined) app.controller.apply(found, { origin: 'indexeddb', type: 'restore' });
      });
      const { data, expiresAt } = app.controller.getResponse(getNews);
      expect(data?.map(({ title, author }) => [title, author.name])).toEqual([['A', 'Ann']]);
      expect(expiresAt).toBe(0);
    },
  );

  it('results only on disk stay invalid after a reload, although the controller is stopped at once', async () => {
    await stored();
    const { controller, leave } = await openApp({ restore: 'lazy' });
    controller.invalidateAll(news);
    await leave();

    const next = await openApp();
    await next.controller.fetchIfStale(getNews);
    await next.controller.fetchIfStale(getOld);
    expect(requests).toEqual(['getNews']);
  });

  it.each(['at once', 'after a reload'] as const)(
    'results on disk are invalidated before the database has opened late, %s',
    async (when) => {
      await stored();
      const release = holdOpening(DATABASE);
      let app = await openApp();
      app.controller.invalidateAll(news);
      release();
      await until(() => app.plugin.status.get().state === 'working');
      if (when === 'after a reload') {
        await app.leave();
        app = await openApp();
      }
      await app.controller.fetchIfStale(getNews);
      await app.controller.fetchIfStale(getOld);
      expect(requests).toEqual(['getNews']);
    },
  );

  it('an invalid list on disk stays invalid if expireAll is called while the list is only watched', async () => {
    let edition = 0;
    const getList = new Endpoint(() => Promise.resolve([{ id: 'a', title: String(++edition) }]), {
      name: 'getList',
      schema: new Collection([Article]),
      dataExpiryLength: Infinity,
    });
    const list = { testKey: (key: string) => key === getList.key() };
    const first = await openApp();
    await first.controller.fetch(getList);
    await first.leave();
    const second = await openApp({ restore: 'lazy' });
    second.controller.invalidateAll(list);
    await second.leave();
    const third = await openApp({ restore: 'lazy' });
    third.controller.watch(getList, () => undefined);
    third.controller.expireAll(list);
    await third.leave();

    const last = await openApp();
    expect((await last.controller.fetchIfStale(getList))[0]?.title).toBe('2');
  });

  it('results on disk are invalidated before the disk was read', async () => {
    await stored();
    const opening = openApp({ restore: 'lazy' });
    const { controller } = await opening;
    controller.batch(() => controller.invalidateAll(news));
    await controller.flush();
    await controller.fetchIfStale(getOld);
    expect(requests).toEqual([]);
    await controller.fetchIfStale(getNews);
    expect(requests).toEqual(['getNews']);
  });

  it.each(['expireAll', 'invalidateAll'] as const)(
    '%s applies to what was read from disk before, however much of that is in memory',
    async (change) => {
      await stored();
      for (let turns = 0; turns < 40; turns += 1) {
        const { controller, leave } = await openApp();
        for (let count = 0; count < turns; count += 1) await turn();
        controller[change](news);
        await controller.flush();
        await controller.restored;
        const { data, expiresAt } = controller.getResponse(getNews);
        expect([turns, data === undefined || expiresAt === 0]).toEqual([turns, true]);
        expect(controller.getResponse(getOld)).toMatchObject({ data: [{ title: 'B' }], expiresAt: Infinity });
        await controller.fetch(getNews);
        await leave();
      }
    },
  );
});

describe('a read that only the disk has a result of, while memory has its rows', () => {
  const getArticle = new Endpoint(
    async ({ id }: { id: string }) => {
      requests.push('getArticle');
      return { id, title: `fetched ${requests.length}` };
    },
    { name: 'getArticle', schema: Article, dataExpiryLength: Infinity },
  );

  it.each(['progressive', 'lazy'] as const)(
    'an invalidated detail is requested after a reload, although a list has its row (%s)',
    async (restore) => {
      const before = await openApp();
      await before.controller.fetch(getNews);
      await before.controller.fetch(getArticle, { id: 'a' });
      await before.controller.flush();
      before.controller.invalidate(getArticle, { id: 'a' });
      await before.leave();
      requests.length = 0;

      const { controller } = await openApp({ restore });
      await controller.fetchIfStale(getNews);
      expect((await controller.fetchIfStale(getArticle, { id: 'a' })).title).toBe('fetched 1');
      expect(requests).toEqual(['getArticle']);
    },
  );

  it('a fresh detail is read from disk without a request, although a list has its row', async () => {
    const before = await openApp();
    await before.controller.fetch(getNews);
    await before.controller.fetch(getArticle, { id: 'a' });
    await before.leave();
    requests.length = 0;

    const { controller } = await openApp({ restore: 'lazy' });
    await controller.fetchIfStale(getNews);
    await controller.fetchIfStale(getArticle, { id: 'a' });
    expect(controller.getResponse(getArticle, { id: 'a' }).expiresAt).toBe(Infinity);
    expect(requests).toEqual([]);
  });
});
