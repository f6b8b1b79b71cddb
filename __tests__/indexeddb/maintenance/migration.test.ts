import { describe, expect, it } from '@jest/globals';
import { Controller } from 'holdfast';
import type { Migrate } from 'holdfast/indexeddb';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  openApp,
  pause,
  records,
  requests,
  type App,
} from '../../support/indexedDB.ts';

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
    'rows of an earlier version are migrated as they are read (%s)',
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

  it('the background restore stores migrated rows without another copy', async () => {
    await stored();
    const migrated = new Map<unknown, unknown>();
    const migrate: Record<string, Migrate> = {
      Article(row) {
        const changed = { ...row };
        migrated.set(row['id'], changed);
        return changed;
      },
    };
    const { controller } = await openApp({ version: 2, migrate });
    await controller.restored;
    expect(migrated.size).toBe(2);
    for (const [id, row] of migrated)
      expect(controller.getState().tables['Article']?.get(String(id))?.value).toBe(row);
  });

  it('each row is migrated from the version that wrote it', async () => {
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

  it('only rows that cannot be migrated are left out, with one report', async () => {
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

describe('a fresh list with a row that the migration leaves out', () => {
  const outcomes: Record<string, () => object | undefined> = {
    'returns undefined': () => undefined,
    throws: () => {
      throw new Error('not this one');
    },
    'returns a promise': async () => ({ id: 'a', title: 'A' }),
  };
  it.each(Object.entries(outcomes))('a list is fetched again if `migrate` %s', async (_how, outcome) => {
    await stored();
    const migrate: Record<string, Migrate> = {
      Article: (row) => (row['id'] === 'a' ? outcome() : row),
    };
    const { controller } = await openApp({ version: 2, migrate });
    expect((await controller.fetchIfStale(getList)).map(({ id }) => id)).toEqual(['b']);
    await controller.flush();
    expect(requests).toEqual(['getList']);
    expect((await controller.fetchIfStale(getList)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(requests).toEqual(['getList']);
  });
});

it('a list is fetched again after a start at which nobody read it, although a compaction has dropped the row', async () => {
  const open = async (version: number): Promise<Controller> => {
    const plugin = new IndexedDBPluginImpl(
      {
        name: DATABASE,
        version,
        persist: 'all',
        migrate: { Article: (row, from) => (from < 2 && row['id'] === 'a' ? undefined : row) },
      },
      { compactAt: { records: 1, rows: 1 } },
    );
    const controller = new Controller({ plugins: [plugin] });
    await controller.restored;
    return controller;
  };
  const compacted = async (controller: Controller): Promise<void> => {
    await controller.flush();
    while ((await records('log')).length > 0) await pause();
    await controller.stop();
  };
  const first = await open(1);
  await first.fetch(getList);
  await compacted(first);
  const second = await open(2);
  second.set(Article, { id: 'b' }, { title: 'changed' });
  await compacted(second);
  requests.length = 0;

  const third = await open(2);
  expect(third.getResponse(getList).data?.map(({ id }) => id)).toEqual(['b']);
  await third.fetchIfStale(getList);
  await third.flush();
  expect(requests).toEqual(['getList']);
  await third.stop();
  const fourth = await open(2);
  expect((await fourth.fetchIfStale(getList)).map(({ id }) => id)).toEqual(['a', 'b']);
  await fourth.flush();
  expect(requests).toEqual(['getList']);
  await fourth.stop();
});

describe('an older version of the app', () => {
  it('an older version of the app leaves the database of a newer one alone', async () => {
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

  it('an older version of the app stops writing once a newer one has written', async () => {
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

describe('two versions of the app at once', () => {
  const migrate: Record<string, Migrate> = {
    Article: (row, from) => (from < 2 ? { ...row, title: `${String(row['title'])}, migrated` } : row),
  };
  const getBoth = answering(
    'getBoth',
    [Article],
    ['A', 'B'].map((title) => ({ id: title, title, author: { id: 'u', name: 'Ann' } })),
  );
  const young = (): Promise<App> => openApp({ version: 2, migrate });

  async function titles({ controller }: App): Promise<string[]> {
    return (await controller.fetchIfStale(getBoth)).map(({ title }) => title);
  }

  it('two versions both write until the newer one has, and it reads what the older one wrote', async () => {
    const old = await openApp({ version: 1 });
    await old.controller.fetch(getBoth);
    await old.controller.flush();
    const newer = await young();
    expect(await titles(newer)).toEqual(['A, migrated', 'B, migrated']);
    old.controller.set(Article, { id: 'A' }, { title: 'old' });
    await old.controller.flush();
    await newer.controller.catchUp();
    expect(await titles(newer)).toEqual(['old, migrated', 'B, migrated']);
    newer.controller.set(Article, { id: 'B' }, { title: 'new' });
    await newer.controller.flush();
    old.controller.set(Article, { id: 'A' }, { title: 'too late' });
    await expect(old.controller.flush()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    await Promise.all([old.leave(), newer.leave()]);
    requests.length = 0;
    expect(await titles(await young())).toEqual(['old, migrated', 'new']);
    expect(requests).toEqual([]);
  });

  it('of two versions writing at once, the older one’s write is migrated or rejected', async () => {
    const old = await openApp({ version: 1 });
    await old.controller.fetch(getBoth);
    await old.controller.flush();
    const newer = await young();
    await titles(newer);
    old.controller.set(Article, { id: 'A' }, { title: 'old' });
    newer.controller.set(Article, { id: 'B' }, { title: 'new' });
    const [wrote] = await Promise.allSettled([old.controller.flush(), newer.controller.flush()]);
    await Promise.all([old.leave(), newer.leave()]);
    requests.length = 0;
    const kept = wrote.status === 'fulfilled' ? 'old, migrated' : 'A, migrated';
    expect(await titles(await young())).toEqual([kept, 'new']);
    expect(requests).toEqual([]);
  });

  it('the older version keeps its memory once the newer one has written', async () => {
    const old = await openApp({ version: 1 });
    await old.controller.fetch(getBoth);
    await old.controller.flush();
    const newer = await young();
    await titles(newer);
    newer.controller.set(Article, { id: 'B' }, { title: 'new' });
    await newer.controller.flush();
    await expect(old.controller.catchUp()).rejects.toMatchObject({ code: 'HF_STORAGE' });
    expect(old.plugin.status.get().state).toBe('degraded');
    expect(await titles(old)).toEqual(['A', 'B']);
    await old.controller.fetch(getList);
    await old.controller.catchUp();
    expect(old.errors.map(({ code }) => code)).toEqual(['HF_STORAGE']);
    expect(newer.errors).toEqual([]);
  });
});

describe('a migration that forgets to return the row', () => {
  it('a row that was changed in place is kept, one that was not is dropped', async () => {
    await stored();
    const migrate: Record<string, Migrate> = {
      Article(row) {
        if (row['id'] === 'a') row['title'] = row['headline'];
        return undefined;
      },
    };
    const { controller, errors } = await openApp({ version: 1, migrate });
    await controller.restored;
    expect(controller.get(Article, { id: 'a' })?.title).toBe('A');
    expect(controller.get(Article, { id: 'b' })).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it.each(['2', NaN, null])('the version %p is refused', async (version) => {
    await expect(openApp({ version: version as never })).rejects.toMatchObject({ code: 'HF_PLUGIN' });
  });
});
