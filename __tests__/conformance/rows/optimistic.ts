import { createResource, RestEndpoint, type Controller } from 'holdfast';
import { Todo, searchParams, URL_PREFIX } from '../models.ts';
import { silently } from '../../support/silently.ts';
import { type Received, type Row, type World } from '../table.ts';

const TaskResource = createResource({
  urlPrefix: URL_PREFIX,
  path: '/tasks/:id',
  schema: Todo,
  searchParams,
  optimistic: true,
});
const { getList, get, create, update, partialUpdate, delete: remove } = TaskResource;

const like = new RestEndpoint({
  urlPrefix: URL_PREFIX,
  path: '/tasks/:id/like',
  method: 'POST',
  schema: Todo,
  body: undefined,
  getOptimisticResponse(snapshot, { id }: { id: string }) {
    const todo = snapshot.get(Todo, { id });
    if (todo === undefined) throw snapshot.abort;
    return { id, title: `${todo.title}!` };
  },
});

const broken = like.extend({
  getOptimisticResponse() {
    throw new Error('no prediction');
  },
});

const ONE = { id: '1', title: 'One', userId: 'ann' };
const TWO = { id: '2', title: 'Two', userId: 'bob' };
const SERVER = {
  'GET /tasks': [ONE, TWO],
  'GET /tasks?userId=ann': [ONE],
  'GET /tasks?userId=bob': [TWO],
  'GET /tasks/1': ONE,
};
const refused = () => Response.json({}, { status: 400 });

const ids = (list: readonly { id: string }[] = []): string[] =>
  list.map(({ id }) => (id.startsWith('optimistic-') ? 'new' : id));
const list = (c: Controller, args: { userId?: string } = {}) => c.getResponse(getList, args).data;
const title = (c: Controller, id: string) => c.get(Todo, { id })?.title;
const load = (c: Controller) => c.fetch(getList);

/** Begins a mutation, and resolves once the server has received it. */
const began =
  (begin: (c: Controller) => Promise<unknown>) =>
  async (c: Controller, w: World): Promise<void> => {
    const before = w.requests.length;
    w.running.push(begin(c).catch((error: unknown) => error));
    await w.asked(before + 1);
  };
const finished = async (_: Controller, w: World): Promise<void> => {
  w.release();
  await Promise.all(w.running);
};

const pending = (title: string, row: Omit<Row, 'title' | 'here' | 'server'>): Row => ({
  title,
  server: SERVER,
  here: 'pending',
  ...row,
});

/** Optimistic updates, while they are pending. */
export const pendingRows: readonly Row[] = [
  pending('a partial update shows at once', {
    calls: [
      load,
      (_, w) => w.hold({ 'PATCH /tasks/1': ONE }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
    ],
    read: (c) => [title(c, '1'), list(c)?.[0]?.title],
    expected: ['Uno', 'Uno'],
  }),
  pending('a partial update keeps the fields that it does not send', {
    calls: [
      load,
      (_, w) => w.hold({ 'PATCH /tasks/1': ONE }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { done: true })),
    ],
    read: (c) => c.get(Todo, { id: '1' }),
    shows: (todo: unknown) => todo,
    expected: { ...ONE, done: true },
  }),
  pending('an update shows at once', {
    calls: [
      load,
      (_, w) => w.hold({ 'PUT /tasks/1': ONE }),
      began((c) => c.fetch(update, { id: '1' }, { title: 'Uno', userId: 'ann' })),
    ],
    read: (c) => title(c, '1'),
    expected: 'Uno',
  }),
  pending('what is created shows at once, in the lists where it belongs', {
    calls: [
      load,
      (c) => c.fetch(getList, { userId: 'ann' }),
      (c) => c.fetch(getList, { userId: 'bob' }),
      (_, w) => w.hold({ 'POST /tasks': { id: '9' } }),
      began((c) => c.fetch(create, { title: 'New', userId: 'ann' })),
    ],
    read: (c) => [ids(list(c)), ids(list(c, { userId: 'ann' })), ids(list(c, { userId: 'bob' }))],
    expected: [['1', '2', 'new'], ['1', 'new'], ['2']],
  }),
  pending('push shows at once at the end, unshift at the beginning', {
    calls: [
      load,
      (_, w) => w.hold({ 'POST /tasks': { id: '9' } }),
      began((c) => c.fetch(getList.push, { title: 'Last' })),
      began((c) => c.fetch(getList.unshift, { title: 'First' })),
    ],
    read: (c) => list(c)?.map((todo) => todo.title),
    expected: ['First', 'One', 'Two', 'Last'],
  }),
  pending('what is deleted is gone at once', {
    calls: [load, (_, w) => w.hold({ 'DELETE /tasks/1': '' }), began((c) => c.fetch(remove, { id: '1' }))],
    read: (c) => [ids(list(c)), title(c, '1')],
    expected: [['2'], undefined],
  }),
  pending('a move shows at once in both lists', {
    calls: [
      (c) => c.fetch(getList, { userId: 'ann' }),
      (c) => c.fetch(getList, { userId: 'bob' }),
      (_, w) => w.hold({ 'PATCH /tasks/1': ONE }),
      began((c) => c.fetch(getList.move, { id: '1' }, { userId: 'bob' })),
    ],
    read: (c) => [ids(list(c, { userId: 'ann' })), ids(list(c, { userId: 'bob' }))],
    expected: [[], ['2', '1']],
  }),
  pending('a response that depends on what is stored is made for each call', {
    calls: [
      load,
      (_, w) => w.hold({ 'POST /tasks/1/like': ONE }),
      began((c) => c.fetch(like, { id: '1' })),
      began((c) => c.fetch(like, { id: '1' })),
    ],
    read: (c) => title(c, '1'),
    expected: 'One!!',
  }),
  pending('snapshot.abort shows nothing', {
    calls: [(_, w) => w.hold({ 'POST /tasks/1/like': ONE }), began((c) => c.fetch(like, { id: '1' }))],
    read: (c) => title(c, '1'),
    expected: undefined,
  }),
  pending('two updates of one entity both show', {
    calls: [
      load,
      (_, w) => w.hold({ 'PATCH /tasks/1': ONE }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { done: true })),
    ],
    read: (c) => [c.get(Todo, { id: '1' })?.title, c.get(Todo, { id: '1' })?.done],
    expected: ['Uno', true],
  }),
  pending('a refetch while an update is pending does not take it away', {
    calls: [
      load,
      (_, w) => w.hold({ 'PATCH /tasks/1': ONE }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
      load,
    ],
    read: (c) => title(c, '1'),
    expected: 'Uno',
  }),
  pending('an older update still shows when a newer one has been answered', {
    differs: 'Several pending mutations',
    calls: [
      load,
      (_, w) =>
        w.hold({ 'PATCH /tasks/1': { ...ONE, title: 'Uno' }, 'PUT /tasks/1': { ...ONE, done: true } }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
      async (c, w) => {
        const newer = c.fetch(update, { id: '1' }, { ...ONE, done: true });
        await w.asked(3);
        w.release('PUT /tasks/1');
        await newer;
      },
    ],
    read: (c) => c.get(Todo, { id: '1' })?.done,
    expected: true,
  }),
];

const done = (title: string, row: Omit<Row, 'title' | 'server'> & { server?: Row['server'] }): Row => ({
  title,
  ...row,
  server: { ...SERVER, ...row.server },
});

/** Optimistic updates, once the server has answered. */
export const settledRows: readonly Row[] = [
  done('the answer replaces what was expected', {
    server: { 'PATCH /tasks/1': { ...ONE, title: 'By the server' } },
    calls: [load, (c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })],
    read: (c) => title(c, '1'),
    expected: 'By the server',
  }),
  done('a refused update is taken back', {
    server: { 'PATCH /tasks/1': refused },
    calls: [load, (c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' }).catch(() => undefined)],
    read: (c) => title(c, '1'),
    expected: 'One',
  }),
  done('what was created has the pk of the server, in its place', {
    server: { 'POST /tasks': ({ body }: Received) => ({ id: '9', ...(body as object) }) },
    calls: [load, (c) => c.fetch(create, { title: 'New', userId: 'ann' })],
    read: (c) => [ids(list(c)), title(c, '9')],
    expected: [['1', '2', '9'], 'New'],
  }),
  done('a refused creation is taken out of the lists', {
    server: { 'POST /tasks': refused },
    calls: [load, (c) => c.fetch(create, { title: 'New' }).catch(() => undefined)],
    read: (c) => ids(list(c)),
    expected: ['1', '2'],
  }),
  done('a refused push is taken out of the lists', {
    server: { 'POST /tasks': refused },
    calls: [load, (c) => c.fetch(getList.push, { title: 'New' }).catch(() => undefined)],
    read: (c) => ids(list(c)),
    expected: ['1', '2'],
  }),
  done('a refused deletion is back in its place', {
    server: { 'DELETE /tasks/1': refused },
    calls: [load, (c) => c.fetch(remove, { id: '1' }).catch(() => undefined)],
    read: (c) => ids(list(c)),
    expected: ['1', '2'],
  }),
  done('a refused move is back in its list', {
    server: { 'PATCH /tasks/1': refused },
    calls: [
      (c) => c.fetch(getList, { userId: 'ann' }),
      (c) => c.fetch(getList, { userId: 'bob' }),
      (c) => c.fetch(getList.move, { id: '1' }, { userId: 'bob' }).catch(() => undefined),
    ],
    read: (c) => [ids(list(c, { userId: 'ann' })), ids(list(c, { userId: 'bob' }))],
    expected: [['1'], ['2']],
  }),
  done('of two updates the refused one is taken back alone', {
    calls: [
      load,
      (_, w) => w.hold({ 'PATCH /tasks/1': refused, 'PUT /tasks/1': { ...ONE, done: true } }),
      began((c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
      began((c) => c.fetch(update, { id: '1' }, { done: true })),
      finished,
    ],
    read: (c) => c.get(Todo, { id: '1' }),
    shows: (todo: unknown) => todo,
    expected: { ...ONE, done: true },
  }),
  done('a pending creation is replaced in lists that were fetched meanwhile', {
    calls: [
      load,
      (_, w) => w.hold({ 'POST /tasks': { id: '9', title: 'New' } }),
      began((c) => c.fetch(create, { title: 'New' })),
      load,
      finished,
    ],
    read: (c) => ids(list(c)),
    expected: ['1', '2', '9'],
  }),
  done('an error thrown by getOptimisticResponse is no error of the mutation', {
    differs: 'An error thrown by `getOptimisticResponse`',
    server: { 'POST /tasks/1/like': { ...ONE, title: 'Liked' } },
    calls: [(c) => silently(() => c.fetch(broken, { id: '1' }))],
    // @ts-expect-error a mutation is no read
    read: (c) => [c.getError(broken, { id: '1' }), title(c, '1')],
    expected: [undefined, 'Liked'],
  }),
  done('fetch resolves with the answer, not with what was expected', {
    server: { 'PATCH /tasks/1': { ...ONE, title: 'By the server' } },
    calls: [
      load,
      async (c) => (resolved = (await c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })).title),
    ],
    read: () => resolved,
    expected: 'By the server',
    here: 'requests',
  }),
  done('a detail that was not there is there after its update', {
    server: { 'PATCH /tasks/1': { ...ONE, title: 'Uno' } },
    calls: [(c) => c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })],
    read: (c) => c.getResponse(get, { id: '1' }).data,
    shows: (todo: Todo) => todo.title,
    expected: 'Uno',
  }),
];
let resolved: unknown;
