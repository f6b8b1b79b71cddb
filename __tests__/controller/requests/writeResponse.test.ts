import { beforeEach, expect, it } from '@jest/globals';
import { Collection, Controller, createResource, Endpoint, Entity } from 'holdfast';
import { Article } from '../../support/entities.ts';
import { Manual, request, sent } from '../../support/manualRequests.ts';

beforeEach(() => {
  sent.length = 0;
});

class NoteWithData extends Entity {
  id = '';
  data: unknown = null;
  static override key = 'Note';
}

/** Its lists are fresh until they change. */
const LastingArticles = createResource({
  urlPrefix: 'https://api.test',
  path: '/articles/:id',
  schema: Article,
  Endpoint: Manual,
  dataExpiryLength: Infinity,
});

const nested = (depth: number): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level++) value = { value };
  return value;
};

it('an error of the store names the endpoint of the refused response', async () => {
  const controller = new Controller();
  const options = { name: 'getNote', schema: NoteWithData };
  const read = new Endpoint(async () => ({ id: '1', data: nested(10_000) }), options);
  const write = read.extend({ sideEffect: true });
  const refused = { code: 'HF_TOO_DEEP', message: expect.stringMatching(/getNote \("Note"\)/) };
  await expect(controller.fetch(read)).rejects.toMatchObject(refused);
  await expect(controller.fetch(write)).rejects.toMatchObject(refused);
  expect(() => controller.setResponse(read, { id: '1', data: nested(10_000) })).toThrow(
    /getNote.*HF_TOO_DEEP/,
  );
  expect(controller.get(NoteWithData, { id: '1' })).toBeUndefined();
  controller.setResponse(read, { id: '1', data: nested(900) });
  expect(controller.get(NoteWithData, { id: '1' })).toBeDefined();
});

it('a list that is requested before a creation and stored after it contains what was created', async () => {
  const filter: { title?: string } = {};
  const Articles = createResource({
    urlPrefix: 'https://api.test',
    path: '/articles/:id',
    schema: Article,
    searchParams: filter,
    Endpoint: Manual,
  });
  const controller = new Controller();
  const pending = [{}, { title: 'new' }, { title: 'other' }].map((params) =>
    controller.fetch(Articles.getList, params),
  );
  await request(2);
  const created = controller.fetch(Articles.create, { title: 'new' });
  await (await request(3)).answer({ id: 9, title: 'new' });
  await created;
  for (const { answer } of sent.slice(0, 3)) await answer([]);
  const lists = await Promise.all(pending);
  expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[9], [9], []]);
});

it('a list that is requested before a removal and stored after it lacks what was removed', async () => {
  const { getList } = createResource({
    urlPrefix: 'https://api.test',
    path: '/articles/:id',
    schema: Article,
    Endpoint: Manual,
  });
  const remove = new Endpoint((_params: { by: string }, body: { id: number }) => Promise.resolve(body), {
    name: 'remove',
    sideEffect: true,
    schema: getList.schema.remove,
  });
  const controller = new Controller();
  const pending = ['ann', 'ben'].map((by) => controller.fetch(getList, { by }));
  await request(1);
  await controller.fetch(remove, { by: 'ann' }, { id: 1 });
  for (const { answer } of sent.slice(0, 2)) await answer([{ id: 1 }, { id: 2 }]);
  const lists = await Promise.all(pending);
  expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[2], [1, 2]]);
});

it('a list that is requested before an `addWith` and stored after it has what was added, once', async () => {
  const { getList } = createResource({
    urlPrefix: 'https://api.test',
    path: '/articles/:id',
    schema: Article,
    Endpoint: Manual,
  });
  const add = new Endpoint((_params: { by: string }, body: { id: number }) => Promise.resolve(body), {
    name: 'add',
    sideEffect: true,
    schema: getList.schema.addWith((members: readonly string[], added: readonly string[]) => [
      ...added,
      ...members,
    ]),
  });
  const controller = new Controller();
  const pending = ['ann', 'ben'].map((by) => controller.fetch(getList, { by }));
  const all = controller.fetch(getList);
  await request(2);
  await controller.fetch(add, { by: 'ann' }, { id: 3 });
  for (const { answer } of sent.slice(0, 2)) await answer([{ id: 1 }]);
  // The server has answered after it knew of it.
  await sent[2]?.answer([{ id: 1 }, { id: 3 }]);
  const lists = await Promise.all([...pending, all]);
  expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[3, 1], [1], [1, 3]]);
});

it('a refetch that a creation has overtaken leaves a list that is not shown stale', async () => {
  const controller = new Controller();
  const shown = () => {
    const { data, expiresAt } = controller.getResponse(LastingArticles.getList);
    return { ids: data?.map(({ id }) => id), isFresh: expiresAt > controller.now() };
  };
  const first = controller.fetch(LastingArticles.getList);
  await (await request(0)).answer([{ id: 1, title: 'old' }]);
  await first;
  const refetch = controller.fetch(LastingArticles.getList);
  const created = controller.fetch(LastingArticles.create, { title: 'new' });
  await (await request(2)).answer({ id: 9, title: 'new' });
  await created;
  expect(shown()).toEqual({ ids: [1, 9], isFresh: true });
  await (
    await request(1)
  ).answer([
    { id: 1, title: 'old' },
    { id: 2, title: 'of another user' },
  ]);
  await refetch;
  expect(shown()).toEqual({ ids: [1, 9], isFresh: false });

  const next = controller.fetchIfStale(LastingArticles.getList);
  await (await request(3)).answer([{ id: 1 }, { id: 2 }, { id: 9 }]);
  await next;
  expect(shown()).toEqual({ ids: [1, 2, 9], isFresh: true });

  // The response is what is shown already.
  const same = controller.fetch(LastingArticles.getList);
  const other = controller.fetch(LastingArticles.create, { title: 'newer' });
  await (await request(5)).answer({ id: 10, title: 'newer' });
  await other;
  await (await request(4)).answer([{ id: 1 }, { id: 2 }, { id: 9 }, { id: 10 }]);
  await same;
  expect(shown()).toEqual({ ids: [1, 2, 9, 10], isFresh: true });
});

it('a list that is shown is refetched at once when a creation has overtaken its response', async () => {
  const controller = new Controller();
  let shown: readonly unknown[] | undefined;
  const leave = controller.watch(LastingArticles.getList, (data) => {
    shown = data?.map(({ id }) => id);
  });
  const first = controller.fetch(LastingArticles.getList);
  await (await request(0)).answer([{ id: 1 }]);
  await first;
  const refetch = controller.fetch(LastingArticles.getList);
  const created = controller.fetch(LastingArticles.create, { title: 'new' });
  await (await request(2)).answer({ id: 9, title: 'new' });
  await created;
  await (await request(1)).answer([{ id: 1 }, { id: 2 }]);
  expect((await refetch).map(({ id }) => id)).toEqual([1, 9]);
  const late = await request(3);
  // Who asks in the meantime waits for the same response.
  const asked = controller.fetch(LastingArticles.getList);
  await late.answer([{ id: 1 }, { id: 2 }, { id: 9 }]);
  expect((await asked).map(({ id }) => id)).toEqual([1, 2, 9]);
  expect(shown).toEqual([1, 2, 9]);
  expect(sent).toHaveLength(4);
  leave();
});

it('a list that is requested after a creation contains what the server says', async () => {
  const Articles = createResource({
    urlPrefix: 'https://api.test',
    path: '/articles/:id',
    schema: Article,
    Endpoint: Manual,
  });
  const controller = new Controller();
  const created = controller.fetch(Articles.create, { title: 'new' });
  await (await request()).answer({ id: 9, title: 'new' });
  await created;
  const list = controller.fetch(Articles.getList);
  await (await request(1)).answer([]);
  expect(await list).toEqual([]);
});

it('pages are not added to lists of other args that are requested at the same time', async () => {
  const getList = new Manual({
    urlPrefix: 'https://api.test',
    path: '/articles',
    searchParams: {} as { tag: string },
    schema: new Collection([Article]),
    paginationField: 'page',
  });
  const controller = new Controller();
  const list = controller.fetch(getList, { tag: 'a' });
  await request();
  const page = controller.fetch(getList.getPage, { tag: 'b', page: 2 });
  await (await request(1)).answer([{ id: 2 }]);
  await page;
  await (await request()).answer([{ id: 1 }]);
  expect((await list).map(({ id }) => id)).toEqual([1]);
});
