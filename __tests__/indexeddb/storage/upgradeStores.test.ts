import { expect, it } from '@jest/globals';
import { Collection } from 'holdfast';
import { deleteDB, openDB, type IDBPDatabase } from 'idb';
import { answering, Article, DATABASE, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';

freshIndexedDB();

const list = new Collection([Article], { argsKey: () => ({}) });
const articles = answering(
  'articles',
  list,
  Array.from({ length: 1_100 }, (_, id) => ({ id: `a${id}`, title: `title ${id}` })),
);

/** The records of all stores by their keys. */
async function contentsOf(
  database: IDBPDatabase,
): Promise<ReadonlyMap<string, readonly [unknown, IDBValidKey][]>> {
  const stores = new Map<string, [unknown, IDBValidKey][]>();
  for (const name of database.objectStoreNames) {
    const [records, keys] = [await database.getAll(name), await database.getAllKeys(name)];
    stores.set(
      name,
      keys.map((key, index) => [records[index], key]),
    );
  }
  return stores;
}

/** Gives the database the version that it had before. */
async function asVersion1(): Promise<void> {
  const database = await openDB(DATABASE);
  const stores = await contentsOf(database);
  database.close();
  await deleteDB(DATABASE);
  const former = await openDB(DATABASE, 1, {
    upgrade(created) {
      for (const name of stores.keys()) created.createObjectStore(name, { autoIncrement: name === 'log' });
    },
  });
  for (const [name, records] of stores)
    for (const [record, key] of records) await former.put(name, record, key);
  former.close();
}

it('a database of version 1 keeps its log and its mutations, and what was compacted is fetched again', async () => {
  const first = await openApp();
  await first.controller.fetch(articles);
  await first.controller.flush();
  const database = await openDB(DATABASE);
  while ((await database.count('log')) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await database.put('outbox', { anything: true }, ['theirs', 'key']);
  database.close();
  first.controller.set(Article, { id: 'a7' }, { title: 'logged' });
  await first.leave();
  await asVersion1();
  requests.length = 0;

  const next = await openApp();
  await next.controller.restored;
  expect(next.errors).toEqual([]);
  expect(next.controller.get(Article, { id: 'a7' })?.title).toBe('logged');
  expect(next.controller.get(Article, { id: 'a8' })).toBeUndefined();
  expect(await next.controller.fetchIfStale(articles)).toHaveLength(1_100);
  expect(requests).toEqual(['articles']);
  await next.controller.flush();
  await next.leave();

  requests.length = 0;
  const last = await openApp();
  expect(await last.controller.fetchIfStale(articles)).toHaveLength(1_100);
  expect(requests).toEqual([]);
  const upgraded = await openDB(DATABASE);
  expect(await upgraded.get('outbox', ['theirs', 'key'])).toEqual({ anything: true });
  upgraded.close();
});
