import { describe, expect, it } from '@jest/globals';
import { answering, Article, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';

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
});
