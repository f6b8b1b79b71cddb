import { expect, it } from '@jest/globals';
import { openDB } from 'idb';
import { VERSION } from '../../../plugins/indexeddb/storage/stores.ts';
import { answering, Article, DATABASE, freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';

freshIndexedDB();

const article = answering('article', Article, { id: 'a1', title: 'stored' });

it('a database of an earlier version is emptied, and used from then on', async () => {
  const earlier = await openDB(DATABASE, VERSION - 1, {
    upgrade(created) {
      for (const name of ['gone', 'identity 1', 'log', 'meta', 'outbox', 'results', 'shards'])
        created.createObjectStore(name, { autoIncrement: true });
    },
  });
  await earlier.put('log', { any: 'record' }, 1);
  await earlier.put('meta', { epoch: 7 }, 'header');
  await earlier.put('outbox', { any: 'record' }, ['theirs', 'key']);
  earlier.close();

  const first = await openApp();
  await first.controller.fetch(article);
  await first.leave();
  const next = await openApp();
  requests.length = 0;
  expect((await next.controller.fetchIfStale(article)).title).toBe('stored');
  expect(requests).toEqual([]);
  expect([...first.errors, ...next.errors]).toEqual([]);
  const current = await openDB(DATABASE);
  expect([...current.objectStoreNames]).toEqual([
    expect.stringMatching(/^identity (?!1$)/),
    'log',
    'meta',
    'outbox',
    'results',
    'shards',
  ]);
  expect(await current.getAllKeys('outbox')).not.toContainEqual(['theirs', 'key']);
  current.close();
});
