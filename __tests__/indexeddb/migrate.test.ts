import { describe, expect, it } from '@jest/globals';
import type { Migrate } from 'holdfast/indexeddb';
import { answering, Article, freshIndexedDB, openApp, records, requests } from './support.ts';

freshIndexedDB();

const getList = answering(
  'getList',
  [Article],
  [
    { id: 'a', headline: 'A', author: { id: 'u', name: 'Ann' } },
    { id: 'b', headline: 'B', author: { id: 'u', name: 'Ann' } },
  ],
);
const headlines: Migrate = ({ headline, ...row }) => ({ ...row, title: headline });

async function stored(version?: number): Promise<void> {
  const app = await openApp(version === undefined ? {} : { version });
  await app.controller.fetch(getList);
  await app.leave();
  requests.length = 0;
}

describe('rows of an earlier version', () => {
  it.each(['progressive', 'lazy'] as const)(
    'are brought up to date as they are read (%s)',
    async (restore) => {
      await stored();
      const from: number[] = [];
      const migrate: Record<string, Migrate> = {
        Article(row, version) {
          from.push(version);
          return headlines(row, version);
        },
      };
      const { controller, errors } = await openApp({ version: 2, migrate, restore });
      const articles = await controller.fetchIfStale(getList);
      expect(articles.map(({ title, author }) => [title, author.name])).toEqual([
        ['A', 'Ann'],
        ['B', 'Ann'],
      ]);
      expect(new Set(from)).toEqual(new Set([0]));
      expect(requests).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('are each of the version that wrote them', async () => {
    await stored(1);
    const second = await openApp({ version: 2, migrate: { Article: headlines } });
    await second.controller.fetchIfStale(getList);
    second.controller.set(Article, { id: 'a' }, { title: 'changed' });
    await second.leave();
    const from = new Map<unknown, number>();
    const migrate: Record<string, Migrate> = {
      Article(row, version) {
        from.set(row['id'], version);
        return version < 2 ? headlines(row, version) : row;
      },
    };
    const third = await openApp({ version: 3, migrate });
    const titles = (await third.controller.fetchIfStale(getList)).map(({ title }) => title);
    expect(titles).toEqual(['changed', 'B']);
    expect(from.get('a')).toBe(2);
    expect(from.get('b')).toBe(1);
  });

  it('that cannot be brought up to date are left out alone, and told of once', async () => {
    await stored();
    const migrate: Record<string, Migrate> = {
      Article(row) {
        if (row['id'] === 'a') throw new Error('not this one');
        return undefined;
      },
    };
    const { controller, errors } = await openApp({ version: 1, migrate });
    await controller.restored;
    expect(controller.getState().tables['Article']).toBeUndefined();
    expect(controller.getState().tables['User']?.size).toBe(1);
    expect(errors.map(({ code, message }) => [code, message.includes('not this one')])).toEqual([
      ['HF_PLUGIN', true],
    ]);
  });
});

describe('an older version of the app', () => {
  it('leaves the database of a newer one alone', async () => {
    await stored(2);
    const before = await records('log');
    const { controller, errors, leave } = await openApp({ version: 1 });
    await controller.fetch(getList);
    await controller.flush();
    await leave();
    expect(requests).toEqual(['getList']);
    expect(errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    expect(errors[0]?.message).toContain('newer version');
    expect(await records('log')).toEqual(before);
  });

  it('stops writing once a newer one has written', async () => {
    const old = await openApp({ version: 1 });
    await stored(2);
    const before = await records('log');
    await old.controller.fetch(getList);
    await expect(old.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    old.controller.set(Article, { id: 'a' }, { title: 'later' });
    await old.controller.flush();
    expect(old.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    expect(await records('log')).toEqual(before);
  });
});
