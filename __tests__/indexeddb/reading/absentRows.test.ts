import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { IndexedDBPluginImpl } from '../../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import {
  answering,
  Article,
  DATABASE,
  freshIndexedDB,
  metaAt,
  openApp,
  pause,
  requests,
} from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';
import { until } from '../../support/turns.ts';
import { CountingStorage } from '../storage/CountingStorage.ts';

freshIndexedDB();

const ann = { id: 'u1', name: 'Ann' };
const bea = { id: 'u2', name: 'Bea' };
const getUsers = answering('getUsers', [User], [ann, bea]);
const getArticle = answering('getArticle', Article, { id: 'a1', title: 'Kelp', author: ann });
/** A server that names the author by id only. */
const getMoss = answering('getMoss', Article, { id: 'a2', title: 'Moss', author: 'u2' });

/** An earlier visit has stored the users and an article. */
async function visit(): Promise<void> {
  const app = await openApp({ persist: 'all' });
  await app.controller.fetch(getUsers);
  await app.controller.fetch(getArticle);
  await app.leave();
  requests.length = 0;
}

/** Another tab gives the article an author whom this one has not loaded. */
function setAuthor(controller: Controller, author: string): void {
  const value = { id: 'a1', title: 'Kelp', author };
  controller.apply(
    { rows: [['Article', 'a1', { value, meta: metaAt(2 ** 51) }]], results: [] },
    { origin: 'tabs' },
  );
}

const authorOf = (controller: Controller): string | undefined =>
  controller.getResponse(getArticle).data?.author.name;

it.each(['lazy', 'progressive'] as const)(
  'an author whom a response names by id only is restored from disk (%s)',
  async (restore) => {
    await visit();
    const { controller } = await openApp({ restore, persist: 'all' });
    expect((await controller.fetch(getMoss)).author.name).toBe('Bea');
    expect(requests).toEqual(['getMoss']);
  },
);

it.each([false, true])(
  'a mutation whose response names an author by id only has the author as restored from disk (outbox: %s)',
  async (hasOutbox) => {
    await visit();
    const write = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'Moss', author: 'u2' }), {
      name: 'write',
      schema: Article,
      sideEffect: true,
    });
    const storage = indexedDB({ name: DATABASE, restore: 'lazy', persist: 'all' });
    const controller = new Controller({
      plugins: hasOutbox ? [outbox({ endpoints: [write] }), storage] : [storage],
    });
    const article = await controller.fetch(write, { id: 'a2' });
    expect([article.title, article.author.name]).toEqual(['Moss', 'Bea']);
    await controller.stop();
  },
);

it('an author whom another tab has set is restored from disk for a mounted read', async () => {
  await visit();
  const { controller } = await openApp({ restore: 'lazy', persist: 'all' });
  await controller.fetchIfStale(getArticle);
  controller.watch(getArticle, () => undefined);
  setAuthor(controller, 'u2');
  await until(() => authorOf(controller) === 'Bea');
  expect(requests).toEqual([]);
});

it('what a tab has stored without knowing its class is read with everything it refers to', async () => {
  await visit();
  const unknowing = await openApp({ restore: 'lazy', persist: 'all' });
  setAuthor(unknowing.controller, 'u2');
  await unknowing.leave();
  const { controller } = await openApp({ restore: 'lazy', persist: 'all' });
  const article = await controller.fetchIfStale(getArticle);
  expect(article.author.name).toBe('Bea');
  expect(requests).toEqual([]);
});

it('the last screen is completed with what such a tab has stored later', async () => {
  await visit();
  const shown = await openApp({ restore: 'lazy', persist: 'all' });
  await shown.controller.fetchIfStale(getArticle);
  shown.controller.watch(getArticle, () => undefined);
  await shown.leave();
  const unknowing = await openApp({ restore: 'lazy', persist: 'all' });
  setAuthor(unknowing.controller, 'u2');
  await unknowing.leave();
  const { controller } = await openApp({ restore: 'lazy', persist: 'all' });
  controller.watch(getArticle, () => undefined);
  await until(() => authorOf(controller) === 'Bea');
  expect(requests).toEqual([]);
});

describe('a row that is nowhere', () => {
  it('the disk is asked for it once', async () => {
    await visit();
    const storage = new CountingStorage(DATABASE);
    const plugin = new IndexedDBPluginImpl({ name: DATABASE, restore: 'lazy', persist: 'all' }, { storage });
    const controller = new Controller({ plugins: [plugin] });
    await controller.ready;
    storage.take();
    controller.get(User, { id: 'u3' });
    await until(() => storage.take().transactions === 1);
    controller.get(User, { id: 'u3' });
    await pause(50);
    expect(storage.take().transactions).toBe(0);
    await controller.stop();
  });
});
