import { expect, it } from '@jest/globals';
import { Delete, Endpoint, Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { answering, Article, DATABASE, openApp, freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();
const getArticle = answering('getArticle', Article, { id: 'a1', title: 'old', body: 'old body' });
const remove = new Endpoint(async (_: { id: string }): Promise<unknown> => ({ id: 'a1' }), {
  name: 'remove',
  schema: new Delete(Article),
  sideEffect: true,
});

async function stored() {
  const { controller, plugin } = await openApp();
  await plugin.restored;
  return controller.getState().tables['Article']?.get('a1')?.value;
}

it('a row that was deleted and created again before it was read from disk has nothing of the old one', async () => {
  const first = await openApp();
  await first.controller.fetch(getArticle);
  await first.leave();
  const { controller, leave } = await openApp({ restore: 'lazy' });
  await controller.fetch(remove, { id: 'a1' });
  controller.set(Article, { id: 'a1' }, { id: 'a1', title: 'new' });
  await controller.flush();
  expect(controller.getState().tables['Article']?.get('a1')?.value).toEqual({ id: 'a1', title: 'new' });
  await leave();
  expect(await stored()).toEqual({ id: 'a1', title: 'new' });
});

it('a row that was deleted and created again before the database was open has nothing of the old one', async () => {
  const first = await openApp();
  await first.controller.fetch(getArticle);
  await first.leave();
  const controller = new Controller({ plugins: [indexedDB({ name: DATABASE, restore: 'lazy' })] });
  await controller.fetch(remove, { id: 'a1' });
  controller.set(Article, { id: 'a1' }, { id: 'a1', title: 'new' });
  await controller.flush();
  await controller.stop();
  expect(await stored()).toEqual({ id: 'a1', title: 'new' });
});
