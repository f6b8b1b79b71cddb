import { describe, expect, it } from '@jest/globals';
import { Controller, type HoldfastError } from 'holdfast';
import { openDB } from 'idb';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { Article, answering, DATABASE, freshIndexedDB, pause, requests } from '../../support/indexedDB.ts';

freshIndexedDB();

const COUNT = 100;
const articles = Array.from({ length: COUNT }, (_, nth) => ({
  id: `a${nth}`,
  title: `title ${nth}`,
  author: { id: `u${nth % 7}`, name: `name ${nth % 7}` },
}));
const list = answering('list', [Article], articles);
const last = answering('last', Article, { ...articles[0], title: 'newer' });

interface Opened {
  readonly controller: Controller;
  readonly errors: readonly HoldfastError[];
}

async function open(): Promise<Opened> {
  const errors: HoldfastError[] = [];
  const storage = new IdbStorage(DATABASE, 60_000);
  const plugin = new IndexedDBPluginImpl(
    { name: DATABASE, onError: (error) => errors.push(error) },
    { storage, compactAt: { records: 2, rows: 50 } },
  );
  const controller = new Controller({ plugins: [plugin] });
  await controller.ready;
  return { controller, errors };
}

/** A database whose rows are in shards, and one of them, newer, in the log too. */
async function stored(): Promise<void> {
  const { controller } = await open();
  await controller.fetch(list);
  await controller.flush();
  const raw = await openDB(DATABASE);
  while ((await raw.count('shards')) === 0) await pause(5);
  raw.close();
  await controller.fetch(last);
  await controller.stop();
}

async function change(
  run: (database: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>,
): Promise<void> {
  const raw = await openDB(DATABASE);
  await run(raw);
  raw.close();
}

/** That every row is found, the newest version of each, and that the app can go on. */
async function finds(count = COUNT): Promise<readonly HoldfastError[]> {
  requests.length = 0;
  const { controller, errors } = await open();
  await controller.restored;
  const found = await controller.fetchIfStale(list);
  expect(found).toHaveLength(count);
  expect(requests).toEqual([]);
  expect(found[0]).toMatchObject({ title: 'newer', author: { name: 'name 0' } });
  controller.set(Article, { id: 'a1' }, { title: 'changed' });
  await controller.flush();
  await controller.stop();
  const next = await open();
  await next.controller.restored;
  expect(next.controller.get(Article, { id: 'a1' })?.title).toBe('changed');
  expect(next.errors).toEqual([]);
  await next.controller.stop();
  return errors;
}

describe('the header of a database', () => {
  it.each([
    ['is missing', (header: object | undefined) => header && undefined],
    ['was lost by the browser', () => null],
    ['is damaged', () => ({ epoch: 'x' })],
    ['has too many shards', (header: object) => ({ ...header, tables: new Map([['Article', { shards: 1e9, rows: 1, bytes: 1, refs: [] }]]) })], // oxfmt-ignore
    ['has a sequence number beyond all', (header: object) => ({ ...header, foldedThrough: 2 ** 53 })],
    ['has a number that is none', (header: object) => ({ ...header, revision: NaN })],
  ])('the header is rebuilt when it %s', async (_case, damaged) => {
    await stored();
    await change(async (raw) => {
      const header = (await raw.get('meta', 'header')) as object;
      const record: unknown = damaged(header);
      await (record === undefined ? raw.delete('meta', 'header') : raw.put('meta', record, 'header'));
    });
    const errors = await finds();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('its header is missing or damaged; it is rebuilt'),
    ]);
  });

  it('the header is rebuilt from the remaining data when a shard is lost too', async () => {
    await stored();
    let lost = 0;
    await change(async (raw) => {
      const keys = (await raw.getAllKeys('shards')) as [string, number][];
      const key = keys.filter(([table]) => table === 'Article').at(-1);
      const block = (await raw.get('shards', key as [string, number])) as { readonly pk: readonly string[] };
      lost = block.pk.includes('a0') ? block.pk.length - 1 : block.pk.length;
      await raw.delete('shards', key as [string, number]);
      await raw.delete('meta', 'header');
    });
    const { controller } = await open();
    await controller.restored;
    expect([...(controller.getState().tables['Article']?.entries() ?? [])]).toHaveLength(COUNT - lost);
    await controller.stop();
  });
});

describe('log records with invalid sequence numbers', () => {
  it('log records with invalid sequence numbers are not read, and nothing is appended after them', async () => {
    await stored();
    await change(async (raw) => {
      await raw.put('log', { rows: 1 }, 2 ** 53);
      await raw.put('log', { rows: 1 }, 'text');
    });
    expect(await finds()).toEqual([]);
  });
});

describe('a record that does not have the format of Holdfast', () => {
  it.each(['log', 'shards', 'results'])(
    'a record in an unknown format is replaced when its data is fetched again (%s)',
    async (store) => {
      await stored();
      await change(async (raw) => {
        for (const key of await raw.getAllKeys(store)) await raw.put(store, { rows: 1 }, key);
      });
      const { controller, errors } = await open();
      await controller.restored;
      expect(await controller.fetch(list)).toHaveLength(COUNT);
      await controller.fetch(last);
      await controller.flush();
      const raw = await openDB(DATABASE);
      while ((await raw.count('log')) > 0) await pause(5);
      raw.close();
      await controller.stop();
      expect(errors.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("does not have Holdfast's format"),
      );
      expect(await finds()).toEqual([]);
    },
  );
});
