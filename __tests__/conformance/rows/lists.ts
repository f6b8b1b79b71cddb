import { Collection, createResource, Endpoint, Entity, Query, RestEndpoint, Values } from 'holdfast';
import { FeedItem, Todo, TodoResource, searchParams, URL_PREFIX } from '../models.ts';
import { silently } from '../../support/silently.ts';
import { type Received, type Row } from '../table.ts';

const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
const titles = (list: readonly { title: string }[]): string[] => list.map(({ title }) => title);

const { getList } = TodoResource;

/** A server that makes what it is sent, as number 9. */
const created = ({ body }: Received): object => ({ id: '9', ...(body as object) });

const SERVER = {
  'GET /todos': [
    { id: '1', title: 'One', userId: 'ann' },
    { id: '2', title: 'Two', userId: 'bob' },
  ],
  'GET /todos?userId=ann': [{ id: '1', title: 'One', userId: 'ann' }],
  'GET /todos?userId=bob': [{ id: '2', title: 'Two', userId: 'bob' }],
  'GET /todos?userId=5': [],
  'GET /todos?orderBy=title&userId=ann': [{ id: '1', title: 'One', userId: 'ann' }],
  'GET /todos?orderBy=title': [{ id: '1', title: 'One', userId: 'ann' }],
  'GET /todos/1': { id: '1', title: 'One', userId: 'ann' },
  'POST /todos': created,
  'PATCH /todos/1': ({ body }: Received) => ({ id: '1', ...(body as object) }),
  'PUT /todos/1': ({ body }: Received) => ({ id: '1', ...(body as object) }),
  'PATCH /todos': ({ body }: Received) => body,
  'DELETE /todos/1': '',
  'DELETE /todos/2': { id: '2' },
};

const fetchAll = (c: Parameters<Row['calls'][number]>[0]) => c.fetch(getList);
const fetchAnn = (c: Parameters<Row['calls'][number]>[0]) => c.fetch(getList, { userId: 'ann' });
const fetchBob = (c: Parameters<Row['calls'][number]>[0]) => c.fetch(getList, { userId: 'bob' });
const NEW = { title: 'New', userId: 'ann' };

/** What changes the lists of a resource. */
export const resourceRows: readonly Row[] = [
  {
    title: 'getList reads as a list of entities',
    server: SERVER,
    calls: [fetchAll],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['One', 'Two'],
  },
  {
    title: 'a detail is served from the row of a list',
    server: SERVER,
    calls: [fetchAll],
    read: (c) => c.getResponse(TodoResource.get, { id: '2' }).data,
    shows: (todo: Todo) => todo.title,
    expected: 'Two',
  },
  {
    title: 'a list and a detail read the identical entity',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(TodoResource.get, { id: '1' })],
    read: (c) => c.getResponse(getList).data?.[0] === c.getResponse(TodoResource.get, { id: '1' }).data,
    expected: true,
  },
  {
    title: 'lists of other args are not read from each other',
    server: SERVER,
    calls: [fetchAll],
    read: (c) => c.getResponse(getList, { userId: 'ann' }).data,
    expected: undefined,
  },
  {
    title: 'an undefined arg is the same as none',
    server: SERVER,
    calls: [fetchAll],
    read: (c) => c.getResponse(getList, {}).data,
    shows: ids,
    expected: ['1', '2'],
  },
  {
    title: 'push sends a POST and adds at the end',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(getList.push, NEW)],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['One', 'Two', 'New'],
  },
  {
    title: 'push resolves with the entity that was made',
    server: SERVER,
    calls: [fetchAll, async (c) => (pushed = await c.fetch(getList.push, NEW))],
    read: (c) => pushed === c.getResponse(getList).data?.at(-1),
    expected: true,
    here: 'requests',
  },
  {
    title: 'unshift adds at the beginning',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(getList.unshift, NEW)],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['New', 'One', 'Two'],
  },
  {
    title: 'create adds to the lists of its resource',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(TodoResource.create, NEW)],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['One', 'Two', 'New'],
  },
  {
    title: 'push adds several that one answer names',
    server: { ...SERVER, 'POST /todos': [{ id: '8' }, { id: '9' }] },
    calls: [fetchAll, (c) => c.fetch(getList.push, [{}, {}] as never)],
    read: (c) => c.getResponse(getList).data,
    shows: ids,
    expected: ['1', '2', '8', '9'],
  },
  {
    title: 'what is there already keeps its place when it is pushed',
    server: { ...SERVER, 'POST /todos': { id: '1', title: 'Again' } },
    calls: [fetchAll, (c) => c.fetch(getList.push, { title: 'Again' })],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['Again', 'Two'],
  },
  {
    title: 'push adds to the lists whose args the body has',
    server: SERVER,
    calls: [fetchAll, fetchAnn, fetchBob, (c) => c.fetch(getList.push, NEW)],
    read: (c) =>
      [{}, { userId: 'ann' }, { userId: 'bob' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
    expected: [['1', '2', '9'], ['1', '9'], ['2']],
  },
  {
    title: 'push adds to the lists whose args the parameters have',
    server: {
      ...SERVER,
      'POST /todos': { id: '9', title: 'New' },
      'POST /todos?userId=ann': { id: '9', title: 'New' },
    },
    calls: [fetchAll, fetchAnn, fetchBob, (c) => c.fetch(getList.push, { userId: 'ann' }, { title: 'New' })],
    read: (c) =>
      [{}, { userId: 'ann' }, { userId: 'bob' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
    expected: [['1', '2', '9'], ['1', '9'], ['2']],
  },
  {
    title: 'a number in the body fits text in the args of a list',
    server: SERVER,
    calls: [
      (c) => c.fetch(getList, { userId: '5' }),
      (c) => c.fetch(getList.push, { title: 'New', userId: 5 as unknown as string }), // as a form may send it
    ],
    read: (c) => c.getResponse(getList, { userId: 5 }).data,
    shows: ids,
    expected: ['9'],
  },
  {
    title: 'an arg that orders a list does not keep new members out',
    server: SERVER,
    calls: [(c) => c.fetch(getList, { orderBy: 'title' }), (c) => c.fetch(getList.push, NEW)],
    read: (c) => c.getResponse(getList, { orderBy: 'title' }).data,
    shows: ids,
    expected: ['1', '9'],
  },
  {
    title: 'an ordered list is still told apart by its other args',
    server: SERVER,
    calls: [
      (c) => c.fetch(getList, { orderBy: 'title', userId: 'ann' }),
      (c) => c.fetch(getList.push, { title: 'New', userId: 'bob' }),
    ],
    read: (c) => c.getResponse(getList, { orderBy: 'title', userId: 'ann' }).data,
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'a list that was never fetched is not made by push',
    server: SERVER,
    calls: [(c) => c.fetch(getList.push, NEW)],
    read: (c) => [c.getResponse(getList).data, c.get(Todo, { id: '9' })?.title],
    expected: [undefined, 'New'],
  },
  {
    title: 'an empty list takes what is pushed',
    server: { ...SERVER, 'GET /todos': [] },
    calls: [fetchAll, (c) => c.fetch(getList.push, NEW)],
    read: (c) => c.getResponse(getList).data,
    shows: ids,
    expected: ['9'],
  },
  {
    title: 'update shows in every list and detail',
    server: SERVER,
    calls: [
      fetchAll,
      fetchAnn,
      (c) => c.fetch(TodoResource.update, { id: '1' }, { title: 'Uno', userId: 'ann' }),
    ],
    read: (c) =>
      [getList, getList].map(
        (list, index) => c.getResponse(list, index === 0 ? {} : { userId: 'ann' }).data?.[0]?.title,
      ),
    expected: ['Uno', 'Uno'],
  },
  {
    title: 'partialUpdate leaves the fields that it does not send',
    server: { ...SERVER, 'PATCH /todos/1': { id: '1', title: 'Uno' } },
    calls: [fetchAll, (c) => c.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'Uno' })],
    read: (c) => c.get(Todo, { id: '1' }),
    shows: (value: unknown) => value,
    expected: { id: '1', title: 'Uno', userId: 'ann', done: false },
  },
  {
    title: 'an update leaves an entity in the lists that it was fetched with',
    server: SERVER,
    calls: [fetchAnn, (c) => c.fetch(TodoResource.partialUpdate, { id: '1' }, { userId: 'bob' })],
    read: (c) => c.getResponse(getList, { userId: 'ann' }).data,
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'delete with an empty answer goes by its parameters',
    server: SERVER,
    calls: [fetchAll, fetchAnn, (c) => c.fetch(TodoResource.delete, { id: '1' })],
    read: (c) => [{}, { userId: 'ann' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
    expected: [['2'], []],
  },
  {
    title: 'delete with an answer goes by that',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(TodoResource.delete, { id: '2' })],
    read: (c) => c.getResponse(getList).data,
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'delete resolves with the response as it arrived',
    differs: 'The result of `delete`',
    server: { ...SERVER, 'DELETE /todos/2': { id: '2', title: 'Two' } },
    calls: [fetchAll, async (c) => (deleted = await c.fetch(TodoResource.delete, { id: '2' }))],
    read: () => [deleted instanceof Todo, deleted],
    expected: [false, { id: '2', title: 'Two' }],
    here: 'requests',
  },
  {
    title: 'a created entity without a pk is not stored',
    differs: 'A created entity without a pk',
    server: { ...SERVER, 'POST /todos': { title: 'New' } },
    calls: [fetchAll, (c) => silently(() => c.fetch(getList.push, { title: 'New' }))],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['One', 'Two'],
  },
  {
    title: 'delete stored by setResponse needs no request',
    server: SERVER,
    calls: [fetchAll, (c) => c.setResponse(TodoResource.delete, { id: '1' }, { id: '1' })],
    read: (c) => [c.getResponse(getList).data, c.getResponse(TodoResource.get, { id: '1' }).data],
    expected: [[{ id: '2', title: 'Two', userId: 'bob', done: false }], undefined],
  },
  {
    title: 'delete uses the params where the response has no pk',
    server: { ...SERVER, 'DELETE /todos/1': { message: 'deleted' } },
    calls: [fetchAll, fetchAnn, (c) => c.fetch(TodoResource.delete, { id: '1' })],
    read: (c) => [{}, { userId: 'ann' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
    expected: [['2'], []],
  },
  {
    title: 'delete with the schema of remove only takes the entity out of its list',
    server: SERVER,
    calls: [
      fetchAll,
      (c) => c.fetch(TodoResource.delete.extend({ schema: getList.schema.remove }), { id: '1' }),
    ],
    read: (c) => [ids(c.getResponse(getList).data ?? []), c.get(Todo, { id: '1' })?.title],
    expected: [['2'], 'One'],
  },
  {
    title: 'remove takes a member out of the lists that the args name, and keeps the entity',
    server: SERVER,
    calls: [fetchAll, fetchAnn, (c) => c.fetch(getList.remove, { userId: 'ann' }, { id: '1' })],
    read: (c) => [
      ...[{}, { userId: 'ann' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
      c.get(Todo, { id: '1' })?.title,
    ],
    expected: [['2'], [], 'One'],
  },
  {
    title: 'move takes a member to the list where it belongs now',
    server: SERVER,
    calls: [fetchAll, fetchAnn, fetchBob, (c) => c.fetch(getList.move, { id: '1' }, { userId: 'bob' })],
    read: (c) =>
      [{}, { userId: 'ann' }, { userId: 'bob' }].map((args) => ids(c.getResponse(getList, args).data ?? [])),
    expected: [['1', '2'], [], ['2', '1']],
  },
  {
    title: 'a refetch replaces a list that has grown',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(getList.push, NEW), fetchAll],
    read: (c) => c.getResponse(getList).data,
    shows: ids,
    expected: ['1', '2'],
  },
  {
    title: 'set() of a Collection replaces its members',
    server: SERVER,
    calls: [fetchAll, (c) => c.set(getList.schema, [{ id: '5', title: 'Five' }])],
    read: (c) => c.getResponse(getList).data,
    shows: titles,
    expected: ['Five'],
  },
  {
    title: 'set() of a Collection takes a function of its members',
    server: SERVER,
    calls: [fetchAll, (c) => c.set(getList.schema, (todos) => [...(todos ?? [])].reverse())],
    read: (c) => c.getResponse(getList).data,
    shows: ids,
    expected: ['2', '1'],
  },
];
let pushed: unknown;
let deleted: unknown;

const PagedResource = createResource({
  urlPrefix: URL_PREFIX,
  path: '/pages/:id',
  schema: Todo,
  searchParams,
  paginationField: 'cursor',
});

const getWrapped = new RestEndpoint({
  urlPrefix: URL_PREFIX,
  path: '/wrapped',
  searchParams,
  schema: { items: new Collection([Todo]), next: '', total: 0 },
  paginationField: 'cursor',
});

const PAGES = {
  'GET /pages': [{ id: '1' }, { id: '2' }],
  'GET /pages?cursor=2': [{ id: '2' }, { id: '3' }],
  'GET /pages?cursor=3': [],
  'GET /pages?userId=ann': [{ id: '1' }],
  'GET /pages?cursor=2&userId=ann': [{ id: '7' }],
  'GET /wrapped': { items: [{ id: '1' }], next: '2', total: 2 },
  'GET /wrapped?cursor=2': { items: [{ id: '2' }], next: null, total: 2 },
  'GET /wrapped?group=x': { items: [], next: '', total: 0 },
  'POST /wrapped': { id: '9', title: 'New' },
};

/** Pages that one list grows by. */
export const pageRows: readonly Row[] = [
  {
    title: 'getPage adds a page to the list, without those that are there',
    server: PAGES,
    calls: [
      (c) => c.fetch(PagedResource.getList),
      (c) => c.fetch(PagedResource.getList.getPage, { cursor: '2' }),
    ],
    read: (c) => c.getResponse(PagedResource.getList).data,
    shows: ids,
    expected: ['1', '2', '3'],
  },
  {
    title: 'getPage adds to the list of its other args alone',
    server: PAGES,
    calls: [
      (c) => c.fetch(PagedResource.getList),
      (c) => c.fetch(PagedResource.getList, { userId: 'ann' }),
      (c) => c.fetch(PagedResource.getList.getPage, { userId: 'ann', cursor: '2' }),
    ],
    read: (c) =>
      [{}, { userId: 'ann' }].map((args) => ids(c.getResponse(PagedResource.getList, args).data ?? [])),
    expected: [
      ['1', '2'],
      ['1', '7'],
    ],
  },
  {
    title: 'an empty page changes nothing',
    server: PAGES,
    calls: [
      (c) => c.fetch(PagedResource.getList),
      (c) => c.fetch(PagedResource.getList.getPage, { cursor: '3' }),
    ],
    read: (c) => c.getResponse(PagedResource.getList).data,
    shows: ids,
    expected: ['1', '2'],
  },
  {
    title: 'paginated() names the page by a field of its own',
    server: PAGES,
    calls: [
      (c) => c.fetch(TodoResource.getList.extend({ path: '/pages' })),
      (c) => c.fetch(PagedResource.getList.paginated('cursor'), { cursor: '2' }),
    ],
    read: (c) => c.getResponse(PagedResource.getList).data === undefined,
    expected: false,
  },
  {
    title: 'paginated() takes a function that removes the page from the args',
    server: PAGES,
    calls: [
      (c) => c.fetch(PagedResource.getList),
      (c) =>
        c.fetch(
          PagedResource.getList.paginated(({ cursor: _, ...rest }: { cursor: string }) => [rest]),
          { cursor: '2' },
        ),
    ],
    read: (c) => c.getResponse(PagedResource.getList).data,
    shows: ids,
    expected: ['1', '2', '3'],
  },
  {
    title: 'what stands beside a list is that of the page that came last',
    server: PAGES,
    calls: [(c) => c.fetch(getWrapped), (c) => c.fetch(getWrapped.getPage, { cursor: '2' })],
    read: (c) => c.getResponse(getWrapped).data,
    shows: ({ items, next, total }: { items: readonly Todo[]; next: string; total: number }) => [
      ids(items),
      next,
      total,
    ],
    expected: [['1', '2'], null, 2],
  },
  {
    title: 'a list in an object takes what is pushed',
    server: PAGES,
    calls: [(c) => c.fetch(getWrapped), (c) => c.fetch(getWrapped.push, { title: 'New' })],
    read: (c) => c.getResponse(getWrapped).data,
    shows: ({ items, next }: { items: readonly Todo[]; next: string }) => [ids(items), next],
    expected: [['1', '9'], '2'],
  },
  {
    title: 'a list in an object takes what is put first',
    server: PAGES,
    calls: [(c) => c.fetch(getWrapped), (c) => c.fetch(getWrapped.unshift, { title: 'New' })],
    read: (c) => c.getResponse(getWrapped).data?.items,
    shows: ids,
    expected: ['9', '1'],
  },
];

class Owner extends Entity {
  id = '';
  name = '';
  todos: readonly Todo[] = [];
  static override key = 'Owner';
  static override schema = {
    todos: new Collection([Todo], { nestKey: ({ id }) => ({ userId: id }) }),
  };
}
const getOwner = new Endpoint(
  async () => ({ id: 'ann', name: 'Ann', todos: [{ id: '1', title: 'One', userId: 'ann' }] }),
  {
    name: 'getOwner',
    schema: Owner,
  },
);
const todosOf = new Collection([Todo], { argsKey: ({ userId }) => ({ userId }) });
const getTodosOf = new Endpoint(
  async (_args: { userId: string; page?: number }) => [{ id: '1', title: 'One', userId: 'ann' }],
  {
    name: 'getTodosOf',
    schema: todosOf,
  },
);
const pushTodo = new Endpoint(async (_args: { userId: string }, body: object) => ({ id: '9', ...body }), {
  name: 'pushTodo',
  sideEffect: true,
  schema: todosOf.push,
});

const byKey = new Collection(new Values(Todo));
const getMap = new RestEndpoint({ urlPrefix: URL_PREFIX, path: '/map', schema: byKey });
const MAP = {
  'GET /map': { x: { id: '1', title: 'One' } },
  'POST /map': { y: { id: '9', title: 'New' } },
};

const named = new Collection([Todo], { nonFilterArgumentKeys: ['sort'] });
const tested = new Collection([Todo], { nonFilterArgumentKeys: (key) => key === 'sort' });
const filtered = new Collection([Todo], {
  createCollectionFilter:
    ({ userId }) =>
    (args) =>
      args['userId'] === undefined || args['userId'] === userId,
});
const feed = new Collection([FeedItem]);
const merged = todosOf.addWith((members: readonly unknown[], added: readonly unknown[]) =>
  [...added, ...members].slice(0, 2),
);

/** An endpoint over a collection that answers the same list to any args, and one that adds to it. */
function over(collection: Collection<readonly [typeof Todo]>, name: string) {
  const read = new Endpoint(async (_args: object) => [{ id: '1' }], { name, schema: collection });
  const push = new Endpoint(async (_args: object) => ({ id: '9' }), {
    name: `${name}.push`,
    sideEffect: true,
    schema: collection.push,
  });
  return { read, push };
}
const overNamed = over(named, 'named');
const overTested = over(tested, 'tested');
const overFiltered = over(filtered, 'filtered');

const getFeed = new Endpoint(async () => [{ id: '1', type: 'link' }], { name: 'getFeed', schema: feed });
const pushFeed = new Endpoint(async (body: object) => ({ id: '1', ...body }), {
  name: 'pushFeed',
  sideEffect: true,
  schema: feed.push,
});

const sortedTodos = new Query(getList.schema, (todos, { desc = false }: { desc?: boolean } = {}) => {
  const sorted = [...todos].sort((a, b) => a.title.localeCompare(b.title));
  return desc ? sorted.reverse() : sorted;
});

/** Collections on their own, in entities, and of other things than entities. */
export const collectionRows: readonly Row[] = [
  {
    title: 'a Collection is found by the args it was fetched with',
    server: SERVER,
    calls: [fetchAnn],
    read: (c) => c.get(getList.schema, { userId: 'ann' }),
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'a Collection of other args is not found',
    server: SERVER,
    calls: [fetchAnn],
    read: (c) => c.get(getList.schema, { userId: 'bob' }),
    expected: undefined,
  },
  {
    title: 'argsKey leaves out args that do not tell lists apart',
    calls: [(c) => c.fetch(getTodosOf, { userId: 'ann', page: 1 })],
    read: (c) => c.get(todosOf, { userId: 'ann' }),
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'a Collection in an entity reads as a list',
    calls: [(c) => c.fetch(getOwner)],
    read: (c) => c.getResponse(getOwner).data?.todos,
    shows: titles,
    expected: ['One'],
  },
  {
    title: 'a Collection in an entity is the identical list as that of its args',
    calls: [(c) => c.fetch(getOwner), (c) => c.fetch(getTodosOf, { userId: 'ann' })],
    read: (c) => c.getResponse(getOwner).data?.todos === c.getResponse(getTodosOf, { userId: 'ann' }).data,
    expected: true,
  },
  {
    title: 'a Collection in an entity takes what is pushed by args',
    calls: [(c) => c.fetch(getOwner), (c) => c.fetch(pushTodo, { userId: 'ann' }, { title: 'New' })],
    read: (c) => c.getResponse(getOwner).data?.todos,
    shows: titles,
    expected: ['One', 'New'],
  },
  {
    title: 'assign adds to a map and replaces equal keys',
    server: MAP,
    calls: [
      (c) => c.fetch(getMap),
      (c) => c.fetch(getMap.assign, {}),
      (c, w) => (w.serve({ 'POST /map': { x: { id: '2', title: 'Other' } } }), c.fetch(getMap.assign, {})),
    ],
    read: (c) => c.getResponse(getMap).data,
    shows: (map: Record<string, Todo>) => Object.entries(map).map(([key, { title }]) => [key, title]),
    expected: [
      ['x', 'Other'],
      ['y', 'New'],
    ],
  },
  {
    title: 'a map leaves out what was deleted',
    server: MAP,
    calls: [(c) => c.fetch(getMap), (c) => c.setResponse(TodoResource.delete, { id: '1' }, { id: '1' })],
    read: (c) => c.getResponse(getMap).data,
    expected: {},
  },
  ...(
    [
      ['a list', overNamed],
      ['a function', overTested],
    ] as const
  ).map(([form, { read, push }]): Row => ({
    title: `nonFilterArgumentKeys may be ${form}`,
    calls: [
      (c) => c.fetch(read, { userId: 'ann', sort: 'a' }),
      (c) => c.fetch(read, { userId: 'bob', sort: 'a' }),
      (c) => c.fetch(push, { userId: 'ann' }),
    ],
    read: (c) => ['ann', 'bob'].map((userId) => ids(c.getResponse(read, { userId, sort: 'a' }).data ?? [])),
    expected: [['1', '9'], ['1']],
  })),
  {
    title: 'createCollectionFilter says which lists take a member',
    calls: [
      (c) => c.fetch(overFiltered.read, { userId: 'ann', done: true }),
      (c) => c.fetch(overFiltered.read, { userId: 'bob' }),
      (c) => c.fetch(overFiltered.read, { other: 1 }),
      (c) => c.fetch(overFiltered.push, { userId: 'ann' }),
    ],
    read: (c) =>
      [{ userId: 'ann', done: true }, { userId: 'bob' }, { other: 1 }].map((args) =>
        ids(c.getResponse(overFiltered.read, args).data ?? []),
      ),
    expected: [['1', '9'], ['1'], ['1', '9']],
  },
  {
    title: 'addWith adds in a way of its own',
    calls: [
      (c) => c.fetch(getTodosOf, { userId: 'ann' }),
      (c) =>
        c.setResponse(pushTodo.extend({ schema: merged }), { userId: 'ann' }, {}, [{ id: '8' }, { id: '9' }]),
    ],
    read: (c) => c.get(todosOf, { userId: 'ann' }),
    shows: ids,
    expected: ['8', '9'],
  },
  {
    title: 'a Collection of a union takes members of any of its classes',
    calls: [(c) => c.fetch(getFeed), (c) => c.fetch(pushFeed, { type: 'post', text: 'x' })],
    read: (c) => c.getResponse(getFeed).data,
    shows: (list: readonly Entity[]) => list.map(({ constructor }) => constructor.name),
    expected: ['Link', 'Post'],
  },
  {
    title: 'a Query over a Collection keeps its order when something is pushed',
    server: SERVER,
    calls: [fetchAll, (c) => c.fetch(getList.push, { title: 'Between' })],
    read: (c) => c.get(sortedTodos),
    shows: titles,
    expected: ['Between', 'One', 'Two'],
  },
  {
    title: 'a Query over a Collection takes args',
    server: SERVER,
    calls: [fetchAll],
    read: (c) =>
      c.get(new Query(getList.schema, (todos, _args: object, count: number) => todos.slice(0, count)), {}, 1),
    expected: [{ id: '1', title: 'One', userId: 'ann', done: false }],
  },
  {
    title: 'null members of a Collection are left out',
    calls: [(c) => c.setResponse(getTodosOf, { userId: 'ann' }, [null, { id: '1' }, undefined] as never)],
    read: (c) => c.getResponse(getTodosOf, { userId: 'ann' }).data,
    shows: (list: readonly (Todo | null | undefined)[]) => list.map((todo) => todo?.id),
    expected: ['1'],
  },
  {
    title: 'two Collections in one response do not mix',
    calls: [(c) => c.setResponse(twoLists, { open: [{ id: '1' }], done: [{ id: '2' }] })],
    read: (c) => c.getResponse(twoLists).data,
    shows: ({ open, done }: { open: readonly Todo[]; done: readonly Todo[] }) => [ids(open), ids(done)],
    expected: [['1'], ['2']],
  },
];
const twoLists = new Endpoint(async (): Promise<unknown> => null, {
  name: 'twoLists',
  schema: {
    open: new Collection([Todo], { argsKey: () => ({ list: 'open' }) }),
    done: new Collection([Todo], { argsKey: () => ({ list: 'done' }) }),
  },
});
