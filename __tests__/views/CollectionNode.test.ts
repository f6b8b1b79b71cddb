import { expect, it } from '@jest/globals';
import { Collection, Controller, createResource, Entity, Values } from 'holdfast';
import { Article } from '../support/entities.ts';
import { Held } from '../support/held.ts';
import { Manual, quiet } from '../support/manualRequests.ts';

const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order: 1, answered: 0 };
const list = new Collection([Article]);
const map = new Collection(new Values(Article));

function read(collection: typeof list | typeof map, members: unknown): unknown {
  const controller = new Controller();
  const article = { id: 1, title: 'one' };
  const rows = [
    [Article.key, '1', { value: article, meta }],
    [collection.row.key, '{}', { value: { members }, meta }],
  ] as const;
  controller.apply({ rows, results: [] }, { origin: 'disk' });
  return controller.get(collection);
}

it('shows what is stored by the kind of the collection', () => {
  expect(read(list, ['1'])).toEqual([expect.objectContaining({ title: 'one' })]);
  expect(read(map, { first: '1' })).toEqual({ first: expect.objectContaining({ title: 'one' }) });
});

it.each([
  ['a map in place of a list', list, { first: '1' }],
  ['a list in place of a map', map, ['1']],
  ['no members', list, undefined],
  ['null in place of a map', map, null],
  ['text in place of a list', list, '1'],
])('shows nothing for %s, as another version of the app may have stored', (_what, collection, members) => {
  expect(read(collection, members)).toBeUndefined();
});

it('a list in an object is the same object after a change of the list that shows nothing new', async () => {
  const controller = new Controller();
  class Issue extends Entity {
    id = '';
    state = 'open';
    static override key = 'Issue';
  }
  const filter: { state?: string } = {};
  const { getList, delete: remove } = createResource({
    path: '/issues/:id',
    schema: Issue,
    searchParams: filter,
    optimistic: true,
  }).extend((base) => ({
    getList: base.getList.extend({ schema: { items: new Collection([Issue]), next: '' } }),
  }));
  const issues = ['1', '2', '3'].map((id) => ({ id, state: 'open' }));
  controller.setResponse(getList, { state: 'open' }, { items: issues, next: 'x' });
  controller.setResponse(remove, { id: '3' }, { id: '3' });
  const move = getList.move.extend({ fetch: async ({ id }: { id: string }) => ({ id, state: 'closed' }) });
  const moving = controller.fetch(move, { id: '1' }, { state: 'closed' });
  const { data } = controller.getResponse(getList, { state: 'open' });
  expect(data?.items.map(({ id }) => id)).toEqual(['2']);
  await moving;
  expect(controller.getResponse(getList, { state: 'open' }).data).toBe(data);
});

it.each([1, 40])(
  'a list shows a member that arrives when the list itself is written again, equal: %i others',
  (count) => {
    const controller = new Controller();
    const { getList, create } = createResource({
      path: '/articles/:id',
      schema: Article,
      Endpoint: Manual,
      optimistic: true,
    });
    const others = Array.from({ length: count }, (_, nth) => ({ id: `other ${nth}` }));
    controller.setResponse(getList, ['late', ...others] as never);
    void quiet(controller.fetch(create, { title: 'new' }));
    const shown = () => controller.getResponse(getList).data!.map(({ id, title }) => title || id);
    const stop = controller.watch(getList, () => undefined);
    expect(shown()).toEqual([...others.map(({ id }) => id), 'new']);
    // What is pending is added again to the list that arrives.
    controller.setResponse(getList, [{ id: 'late' }, ...others]);
    expect(shown()).toEqual(['late', ...others.map(({ id }) => id), 'new']);
    stop();
  },
);

it('a created item that is shown again after its deletion has failed is in the list again', async () => {
  const held = new Held();
  const resource = createResource({ path: '/articles/:id', schema: Article, optimistic: true });
  const { getList } = resource;
  const create = resource.create.extend({ fetch: held.fetch });
  const remove = resource.delete.extend({ fetch: held.fetch });
  const controller = new Controller();
  const titles = () => controller.getResponse(getList).data?.map(({ title }) => title);
  controller.setResponse(getList, [{ id: '1', title: 'one' }]);
  const created = controller.fetch(create, { id: '2', title: 'two' });
  expect(titles()).toEqual(['one', 'two']);
  const removed = controller.fetch(remove, { id: '2' });
  expect(titles()).toEqual(['one']);
  held.call(1).reject(new Error('refused'));
  await expect(removed).rejects.toThrow('refused');
  expect(titles()).toEqual(['one', 'two']);
  held.call(0).reject(new Error('refused'));
  await expect(created).rejects.toThrow('refused');
});
