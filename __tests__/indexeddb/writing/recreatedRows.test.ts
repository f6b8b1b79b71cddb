import { expect, it } from '@jest/globals';
import { Delete, Endpoint, Controller, RestEndpoint } from 'holdfast';
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

it('a row that another mutation renames after it was deleted is read by its former pk after a reload', async () => {
  const rename = new (class extends RestEndpoint<{
    path: '/articles/:id';
    method: 'PATCH';
    schema: typeof Article;
  }> {
    override fetchResponse(): Promise<Response> {
      return Promise.resolve(Response.json({ id: 'a2', title: 'renamed' }));
    }
  })({ path: '/articles/:id', method: 'PATCH', schema: Article });
  const { controller, leave } = await openApp();
  await controller.fetch(getArticle);
  await controller.fetch(remove, { id: 'a1' });
  await controller.flush();
  await controller.fetch(rename, { id: 'a1' }, { id: 'a2' });
  await leave();
  const next = await openApp();
  await next.controller.restored;
  expect(next.controller.get(Article, { id: 'a1' })).toMatchObject({ id: 'a2', title: 'renamed' });
});
