import { Collection, createResource, RestEndpoint, type Controller } from 'holdfast';
import { Todo, URL_PREFIX } from '../models.ts';
import type { Received, Row } from '../table.ts';

const urlPrefix = URL_PREFIX;
const Todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
const Drafts = createResource({ urlPrefix, path: '/drafts/:id', schema: Todo });
const getFeed = Todos.getList.extend({ path: '/todos/feed' });
const Grouped = createResource({ urlPrefix, path: '/groups/:group/todos/:id', schema: Todo });
const shared = new Collection([Todo], { argsKey: ({ by }: { by?: string }) => ({ by }) });
const getShared = new RestEndpoint({ urlPrefix, path: '/shared', schema: shared });
const getMirror = new RestEndpoint({ urlPrefix, path: '/mirror', schema: shared });

const SERVER = {
  'GET /todos': [{ id: '1', title: 'One' }],
  'GET /todos?limit=1': [{ id: '1', title: 'One' }],
  'GET /drafts': [{ id: '2', title: 'Two' }],
  'GET /todos/feed': [{ id: '3', title: 'Three' }],
  'GET /groups/a/todos': [{ id: '1', title: 'One' }],
  'GET /groups/b/todos': [],
  'GET /shared': [{ id: '1', title: 'One' }],
  'POST /todos': { id: '9', title: 'New' },
  'POST /drafts': { id: '9', title: 'New' },
  'POST /groups/a/todos': { id: '9', title: 'New' },
  'POST /shared': { id: '9', title: 'New' },
};
const ids = (list: readonly Todo[] | undefined): string[] | undefined => list?.map(({ id }) => id);
const NEW = { title: 'New' };
const both = [(c: Controller) => c.fetch(Todos.getList), (c: Controller) => c.fetch(Drafts.getList)];

/** Lists of one class at several paths. */
export const pathRows: readonly Row[] = [
  {
    title: 'two resources of one class have a list each',
    differs: 'Lists of one class at several paths',
    server: SERVER,
    calls: both,
    read: (c) => [Todos, Drafts].map(({ getList }) => ids(c.getResponse(getList).data)),
    expected: [['1'], ['2']],
  },
  {
    title: 'a list and another below its path are two',
    differs: 'Lists of one class at several paths',
    server: SERVER,
    calls: [(c) => c.fetch(Todos.getList), (c) => c.fetch(getFeed)],
    read: (c) => [Todos.getList, getFeed].map((list) => ids(c.getResponse(list).data)),
    expected: [['1'], ['3']],
  },
  {
    title: 'what a resource creates is not in the lists of another',
    differs: 'Lists of one class at several paths',
    server: SERVER,
    calls: [...both, (c) => c.fetch(Drafts.create, NEW)],
    read: (c) => [Todos, Drafts].map(({ getList }) => ids(c.getResponse(getList).data)),
    expected: [['1'], ['2', '9']],
  },
  {
    title: 'what is created below one value of a path parameter is not in the list of another',
    server: SERVER,
    calls: [
      (c) => c.fetch(Grouped.getList, { group: 'a' }),
      (c) => c.fetch(Grouped.getList, { group: 'b' }),
      (c) => c.fetch(Grouped.create, { group: 'a' }, NEW),
    ],
    read: (c) => ['a', 'b'].map((group) => ids(c.getResponse(Grouped.getList, { group }).data)),
    expected: [['1', '9'], []],
  },
  {
    title: 'endpoints that have one Collection with an argsKey show one list',
    server: SERVER,
    calls: [(c) => c.fetch(getShared), (c) => c.fetch(getShared.push, NEW)],
    read: (c) => [getShared, getMirror].map((list) => ids(c.get(list.schema, {}))),
    expected: [
      ['1', '9'],
      ['1', '9'],
    ],
  },
  {
    title: 'what is created is in lists with a limit, too',
    differs: 'Params that limit or paginate',
    server: SERVER,
    calls: [(c) => c.fetch(Limited.getList, { limit: 1 }), (c) => c.fetch(Limited.create, NEW)],
    read: (c) => ids(c.getResponse(Limited.getList, { limit: 1 }).data),
    expected: ['1', '9'],
  },
];
const filter: { limit?: number } = {};
const Limited = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, searchParams: filter });

const Forms = createResource({
  urlPrefix,
  path: '/forms/:id',
  schema: Todo,
  body: new FormData(),
  optimistic: true,
});
const upload = new RestEndpoint({
  urlPrefix,
  path: '/forms',
  method: 'POST',
  schema: Todo,
  body: new FormData(),
});
const search = new RestEndpoint({ urlPrefix, path: '/forms', method: 'POST', body: new URLSearchParams() });

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

const typeOf = ({ headers }: Received): string => headers.get('content-type')?.split(';')[0] ?? '';

/** Forms as bodies. */
export const formRows: readonly Row[] = [
  {
    title: 'a FormData is sent as a form, of the type that the platform gives it',
    server: { 'POST /forms': (received: Received) => ({ id: '9', title: typeOf(received) }) },
    calls: [(c) => c.fetch(upload, form({ title: 'New' }))],
    read: (c) => c.get(Todo, { id: '9' })?.title,
    expected: 'multipart/form-data',
  },
  {
    title: 'the fields of a FormData arrive',
    server: {
      'POST /forms': ({ body }: Received) => ({
        id: '9',
        title: String(String(body).includes('name="title"')),
      }),
    },
    calls: [(c) => c.fetch(upload, form({ title: 'New' }))],
    read: (c) => c.get(Todo, { id: '9' })?.title,
    expected: 'true',
  },
  {
    title: 'URLSearchParams are sent url-encoded',
    server: { 'POST /forms': (received: Received) => [typeOf(received), received.body] },
    calls: [async (c) => (sent = await c.fetch(search, new URLSearchParams({ q: 'kelp' })))],
    read: () => sent,
    expected: ['application/x-www-form-urlencoded', 'q=kelp'],
    here: 'requests',
  },
  {
    title: 'what a form creates is in the list',
    server: { 'GET /forms': [], 'POST /forms': { id: '9', title: 'New' } },
    calls: [(c) => c.fetch(Forms.getList), (c) => c.fetch(Forms.create, form({ title: 'New' }))],
    read: (c) => c.getResponse(Forms.getList).data,
    shows: ids,
    expected: ['9'],
  },
  {
    title: 'an optimistic form shows its fields',
    server: { 'GET /forms': [] },
    calls: [
      (c) => c.fetch(Forms.getList),
      async (c, w) => {
        w.hold({ 'POST /forms': { id: '9', title: 'New' } });
        w.running.push(c.fetch(Forms.create, form({ title: 'New' })));
        await w.asked(2);
      },
    ],
    read: (c) => c.getResponse(Forms.getList).data,
    shows: (list: readonly Todo[]) => list.map(({ title }) => title),
    expected: ['New'],
    here: 'pending',
  },
];
let sent: unknown;
