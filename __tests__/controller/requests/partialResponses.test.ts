import { describe, expect, it } from '@jest/globals';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  Union,
  type RestEndpointOptions,
} from 'holdfast';

class Person extends Entity {
  id = '';
  type = 'person';
  name = '';
  static override key = 'Person';
}
class Team extends Entity {
  id = '';
  type = 'team';
  name = '';
  static override key = 'Team';
}
class Issue extends Entity {
  id = '';
  title = '';
  assignee: Person | null = null;
  watchers: readonly Person[] = [];
  owner: Person | Team | null = null;
  updatedAt = '';
  static override key = 'Issue';
  static override schema = {
    assignee: Person,
    watchers: [Person],
    owner: new Union({ person: Person, team: Team }, 'type'),
  };
}
class Line extends Entity {
  id = '';
  text = '';
  static override key = 'Line';
}
class Order extends Entity {
  id = '';
  title = '';
  lines: readonly Line[] = [];
  static override key = 'Order';
  static override schema = { lines: [Line] };
}

const ann = { id: '1', type: 'person', name: 'Ann' };
const bob = { id: '2', type: 'person', name: 'Bob' };
const crew = { id: '1', type: 'team', name: 'Crew' };
const issues = [
  { id: '8', title: 'Other', assignee: bob, watchers: [], owner: crew },
  { id: '9', title: 'Old', assignee: ann, watchers: [ann], owner: ann },
];

/** A server that lists `rows`, and answers mutations as the test says. */
function open(answer: unknown, rows: readonly object[] = issues) {
  class Answering<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(_url: string, { method }: RequestInit): Promise<Response> {
      return Promise.resolve(Response.json(method === 'GET' ? rows : answer));
    }
  }
  const options = { optimistic: true, dataExpiryLength: Infinity, Endpoint: Answering };
  const body: Readonly<Record<string, unknown>> = {};
  return {
    controller: new Controller(),
    issues: createResource({ path: '/issues/:id', schema: Issue, body, ...options }),
    orders: createResource({ path: '/orders/:id', schema: Order, body, ...options }),
    people: createResource({ path: '/people/:id', schema: Person, body, ...options }),
  };
}

/** What a screen shows of an issue. */
const shown = (issue?: Issue) => [
  issue?.title,
  issue?.assignee?.name,
  issue?.watchers.map(({ name }) => name),
  issue?.owner?.name,
];

describe('a response that lacks a relation that was sent', () => {
  it.each([
    ['a relation', { assignee: '2' }, ['Old', 'Bob', ['Ann'], 'Ann']],
    ['null', { assignee: null }, ['Old', undefined, ['Ann'], 'Ann']],
    ['a list of relations', { watchers: ['1', '2'] }, ['Old', 'Ann', ['Ann', 'Bob'], 'Ann']],
    [
      'a relation of one of several classes',
      { owner: { id: '1', type: 'team' } },
      ['Old', 'Ann', ['Ann'], 'Crew'],
    ],
  ])('an update keeps %s, as stale data', async (_, change, expected) => {
    const { controller, issues } = open({ id: '9', updatedAt: 'now' });
    await controller.fetch(issues.getList);
    await controller.fetch(issues.partialUpdate, { id: '9' }, change);
    expect(shown(controller.get(Issue, { id: '9' }))).toEqual(expected);
    expect(controller.getResponse(issues.get, { id: '9' }).expiresAt).toBeLessThan(Infinity);
  });

  it('a create keeps a relation', async () => {
    const { controller, issues } = open({ id: '10' });
    await controller.fetch(issues.getList);
    const created = await controller.fetch(issues.create, { title: 'New', assignee: '2' });
    expect(shown(created)).toEqual(['New', 'Bob', [], undefined]);
  });

  it('a relation to what is not stored is not kept, so the row is stale', async () => {
    const { controller, issues } = open({ id: '9', updatedAt: 'now' });
    await controller.fetch(issues.getList);
    await controller.fetch(issues.partialUpdate, { id: '9' }, { assignee: { id: '3', name: 'Cleo' } });
    expect(shown(controller.get(Issue, { id: '9' }))).toEqual(['Old', 'Ann', ['Ann'], 'Ann']);
    expect(controller.getResponse(issues.get, { id: '9' }).expiresAt).toBeLessThan(Infinity);
  });
});

describe('a response of several rows that lacks fields that were sent', () => {
  const ids = ['8', '9'];

  it.each([
    ['in the same order', ids],
    ['in another order', ['9', '8']],
    ['with another row', ['8', '9', '7']],
  ])('an update of several keeps the fields of each: %s', async (_, answered) => {
    const rows = [...issues, { id: '7', title: 'Third', assignee: ann, watchers: [], owner: null }];
    const { controller, issues: resource } = open(
      answered.map((id) => ({ id })),
      rows,
    );
    const rename = resource.partialUpdate.extend({
      path: '/issues/rename',
      schema: [Issue],
      getOptimisticResponse: () => ids.map((id) => ({ id, title: `New ${id}` })),
    });
    await controller.fetch(resource.getList);
    await controller.fetch(rename, {}, {});
    const list = controller.getResponse(resource.getList).data;
    expect(list?.map(({ title }) => title)).toEqual(['New 8', 'New 9', 'Third']);
  });

  it('a create of several keeps the fields of each', async () => {
    const { controller, issues } = open([{ id: '10' }, { id: '11' }]);
    await controller.fetch(issues.getList);
    const sent = [{ title: 'A' }, { title: 'B', assignee: '2' }];
    await controller.fetch(issues.getList.push, sent);
    const list = controller.getResponse(issues.getList).data;
    expect(list?.slice(2).map(shown)).toEqual([
      ['A', undefined, [], undefined],
      ['B', 'Bob', [], undefined],
    ]);
  });

  it('a create with further entities keeps their fields', async () => {
    const { controller, orders } = open({ id: '1', lines: [{ id: '5' }, { id: '6' }] }, []);
    await controller.fetch(orders.getList);
    await controller.fetch(orders.create, { title: 'Order', lines: [{ text: 'a' }, { text: 'b' }] });
    const list = controller.getResponse(orders.getList).data;
    expect(list?.map(({ title, lines }) => [title, lines.map(({ id, text }) => [id, text])])).toEqual([
      [
        'Order',
        [
          ['5', 'a'],
          ['6', 'b'],
        ],
      ],
    ]);
  });

  it('entities of different tables with the same pk keep the fields of each', async () => {
    const { controller, people } = open({ person: { id: '1' }, team: { id: '1' } });
    const { update } = people;
    controller.set(Person, { id: '1' }, ann);
    controller.set(Team, { id: '1' }, crew);
    const both = update.extend({
      path: '/both',
      schema: { person: Person, team: Team },
      getOptimisticResponse: () => ({ person: { ...ann, name: 'Anna' }, team: { ...crew, name: 'Crew 2' } }),
    });
    await controller.fetch(both, {});
    expect(controller.get(Person, { id: '1' })?.name).toBe('Anna');
    expect(controller.get(Team, { id: '1' })?.name).toBe('Crew 2');
  });
});

it('a page whose cursor is an entity that is not created yet leaves what the last page said', async () => {
  class Paged<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(_url: string, { method }: RequestInit): Promise<Response> {
      if (method !== 'GET') return new Promise(() => undefined);
      return Promise.resolve(Response.json({ data: [bob], hasMore: true }));
    }
  }
  const people = createResource({
    path: '/people/:id',
    schema: Person,
    optimistic: true,
    paginationField: 'after',
    Endpoint: Paged,
  }).extend((base) => ({
    getList: base.getList.extend({ schema: { data: new Collection([Person]), hasMore: false } }),
  }));
  const controller = new Controller();
  await controller.fetch(people.getList);
  void controller.fetch(people.create, { name: 'New' });
  const list = () => controller.getResponse(people.getList).data;
  const after = list()?.data.at(-1)?.id ?? '';
  await expect(controller.fetch(people.getList.getPage, { after })).rejects.toMatchObject({ status: 404 });
  expect([list()?.data.map(({ name }) => name), list()?.hasMore]).toEqual([['Bob', 'New'], true]);
});
