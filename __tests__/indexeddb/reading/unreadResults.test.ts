import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  metaAt,
  openApp,
  records,
  requests,
} from '../../support/indexedDB.ts';

freshIndexedDB();

const answer = [{ id: 'a', title: 'A', author: { id: 'u', name: 'Ann' } }];
const getNews = answering('getNews', [Article], answer);
const isNews = { testKey: (key: string) => key === getNews.key() };

async function stored(): Promise<void> {
  const app = await openApp();
  await app.controller.fetch(getNews);
  await app.leave();
  requests.length = 0;
}

describe('a restored result that no read of this session has used', () => {
  it.each(['progressive', 'lazy'] as const)(
    'an expired unread result still names its rows after a %s restore',
    async (restore) => {
      await stored();
      const second = await openApp();
      await second.controller.restored;
      second.controller.expireAll(isNews);
      await second.leave();

      const third = await openApp({ restore });
      await third.controller.restored;
      const found = await third.plugin.restore({ results: [getNews.key()] });
      if (found !== undefined) third.controller.apply(found, { origin: 'indexeddb', type: 'restore' });
      const { data, expiresAt } = third.controller.getResponse(getNews);
      expect(data?.map(({ title, author }) => [title, author.name])).toEqual([['A', 'Ann']]);
      expect(expiresAt).toBe(0);
    },
  );

  it('an invalidated unread result protects its rows from eviction', async () => {
    await stored();
    const second = await openApp();
    await second.controller.restored;
    second.controller.invalidateAll(isNews);
    await second.controller.flush();
    const [, written] = (await records('log')) as { results: { names: string[] }[] }[];
    expect(written?.results[0]?.names).toEqual([Article.key]);
  });
});

describe('a result that came from elsewhere', () => {
  /** As another tab sends it: rows and result, without the schema. */
  async function receive() {
    const from = new Controller();
    await from.fetch(getNews);
    const { tables, results } = from.getState();
    const { controller, plugin, leave } = await openApp({ persist: 'all' });
    controller.apply(
      {
        rows: Object.entries(tables).flatMap(([table, rows]) =>
          [...rows.entries()].map(([pk, row]) => [table, pk, row] as const),
        ),
        results: [...results.entries()],
      },
      { origin: 'tabs' },
    );
    requests.length = 0;
    return { controller, plugin, leave };
  }

  it('a result from elsewhere is not stored without its rows: the next session fetches it whole', async () => {
    const { leave } = await receive();
    await leave();
    const next = await openApp({ restore: 'lazy', persist: 'all' });
    const articles = await next.controller.fetchIfStale(getNews);
    expect(articles.map(({ title, author }) => [title, author.name])).toEqual([['A', 'Ann']]);
    expect(requests).toEqual(['getNews']);
  });

  it('a result from another tab is stored as that tab has written it', async () => {
    await stored();
    const { leave } = await receive();
    await leave();
    const next = await openApp({ restore: 'lazy', persist: 'all' });
    const articles = await next.controller.fetchIfStale(getNews);
    expect(articles.map(({ title, author }) => [title, author.name])).toEqual([['A', 'Ann']]);
    expect(requests).toEqual([]);
  });

  it('a result without entities is stored whatever its source', async () => {
    const plain = new Endpoint(async () => 5, { name: 'plain', dataExpiryLength: Infinity });
    const { controller, leave } = await openApp();
    controller.apply(
      { rows: [], results: [[plain.key(), { value: 7, meta: metaAt(1) }]] },
      { origin: 'tabs' },
    );
    await leave();
    const next = new Controller({ plugins: [indexedDB({ name: DATABASE })] });
    expect(await next.fetchIfStale(plain)).toBe(7);
    await next.stop();
  });
});
