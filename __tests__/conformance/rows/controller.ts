import {
  Endpoint,
  ExpiryStatus,
  Invalidate,
  RestEndpoint,
  type Controller,
  type HoldfastError,
} from 'holdfast';
import { Article, Todo, TodoResource, URL_PREFIX } from '../models.ts';
import type { Row } from '../table.ts';
import { User } from '../../support/entities.ts';

const { get, getList } = TodoResource;
const ONE = { id: '1', title: 'One', userId: 'ann' };
const SERVER = { 'GET /todos/1': ONE, 'GET /todos/2': { id: '2', title: 'Two' }, 'GET /todos': [ONE] };
const fail = (status: number) => () => Response.json({ reason: 'no' }, { status });
const keep = (value: unknown): unknown => value;
const settled = (promise: unknown): Promise<unknown> =>
  Promise.resolve(promise).catch((error: unknown) => error);

const fetchOne = (c: Controller) => c.fetch(get, { id: '1' });
const readOne = (c: Controller) => c.getResponse(get, { id: '1' });

const quick = get.extend({ dataExpiryLength: 100, errorExpiryLength: 50 });
const strict = get.extend({ dataExpiryLength: 100, invalidIfStale: true });
const lasting = get.extend({ dataExpiryLength: Infinity });
const lenient = get.extend({ errorPolicy: () => 'soft' });

const getCount = new Endpoint(async () => 0, { name: 'getCount' });
const getText = new Endpoint(async () => '', { name: 'getText' });
const getFlag = new Endpoint(async () => false, { name: 'getFlag' });
const getNull = new Endpoint(async () => null, { name: 'getNull' });

/** Each verb of a controller. */
export const verbRows: readonly Row[] = [
  {
    title: 'fetch stores what it resolves with',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => readOne(c).data,
    shows: (todo: Todo) => todo.title,
    expected: 'One',
  },
  {
    title: 'fetch always asks the server',
    server: SERVER,
    calls: [fetchOne, fetchOne],
    read: (_, w) => w.requests.length,
    expected: 2,
    here: 'requests',
  },
  {
    title: 'identical reads that are under way are one request',
    server: SERVER,
    calls: [(c) => Promise.all([fetchOne(c), fetchOne(c)])],
    read: (_, w) => w.requests.length,
    expected: 1,
    here: 'requests',
  },
  {
    title: 'mutations are never shared',
    server: { ...SERVER, 'POST /todos': { id: '9' } },
    calls: [(c) => Promise.all([c.fetch(TodoResource.create, {}), c.fetch(TodoResource.create, {})])],
    read: (_, w) => w.requests.length,
    expected: 2,
    here: 'requests',
  },
  {
    title: 'fetchIfStale asks the server where there is nothing',
    server: SERVER,
    calls: [(c) => c.fetchIfStale(get, { id: '1' })],
    read: (c) => readOne(c).data?.title,
    expected: 'One',
  },
  {
    title: 'fetchIfStale asks nobody while data is fresh, and gives it',
    server: SERVER,
    calls: [fetchOne, async (c) => (given = await c.fetchIfStale(get, { id: '1' }))],
    read: (c, w) => [w.requests.length, given === readOne(c).data],
    expected: [1, true],
    here: 'requests',
  },
  {
    title: 'fetchIfStale asks again once data is stale',
    server: SERVER,
    calls: [
      (c) => c.fetch(quick, { id: '1' }),
      (_, w) => w.advance(101),
      (c) => c.fetchIfStale(quick, { id: '1' }),
    ],
    read: (_, w) => w.requests.length,
    expected: 2,
    here: 'requests',
  },
  {
    title: 'get finds an entity by its pk',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => c.get(Todo, { id: '1' }) === readOne(c).data,
    expected: true,
  },
  {
    title: 'getResponse of what was never fetched is invalid',
    differs: 'The `expiryStatus` of what was never fetched',
    calls: [],
    read: (c) => [readOne(c).data, readOne(c).expiryStatus],
    expected: [undefined, ExpiryStatus.Invalid],
  },
  {
    title: 'getResponse of what was fetched is valid',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => readOne(c).expiryStatus,
    expected: ExpiryStatus.Valid,
  },
  {
    title: 'falsy data is data',
    calls: [
      (c) => c.fetch(getCount),
      (c) => c.fetch(getText),
      (c) => c.fetch(getFlag),
      (c) => c.fetch(getNull),
    ],
    read: (c) =>
      [getCount, getText, getFlag, getNull].map((endpoint) => [
        c.getResponse(endpoint).data,
        c.getResponse(endpoint).expiryStatus === ExpiryStatus.Valid,
      ]),
    expected: [
      [0, true],
      ['', true],
      [false, true],
      [null, true],
    ],
  },
  {
    title: 'set merges fields into an entity',
    server: SERVER,
    calls: [fetchOne, (c) => c.set(Todo, { id: '1' }, { title: 'Uno' })],
    read: (c) => readOne(c).data,
    shows: keep,
    expected: { ...ONE, title: 'Uno', done: false },
  },
  {
    title: 'set makes an entity that was not there',
    calls: [(c) => c.set(Todo, { id: '7' }, { id: '7', title: 'Seven' })],
    read: (c) => c.getResponse(get, { id: '7' }).data,
    shows: (todo: Todo) => todo.title,
    expected: 'Seven',
  },
  {
    title: 'set normalizes what is nested in its value',
    calls: [(c) => c.set(Article, { id: '1' }, { id: '1', author: { id: 'ada', name: 'Ada' } })],
    read: (c) => [
      c.get(User, { id: 'ada' })?.name,
      c.get(Article, { id: '1' })?.author === c.get(User, { id: 'ada' }),
    ],
    expected: ['Ada', true],
  },
  {
    title: 'set takes a function of the stored fields',
    server: SERVER,
    calls: [
      fetchOne,
      (c) =>
        c.set(Todo, { id: '1' }, (todo) => {
          todo.title = `${todo.title}!`;
        }),
    ],
    read: (c) => readOne(c).data?.title,
    expected: 'One!',
  },
  {
    title: 'set rejects what is neither fields nor a function',
    differs: 'A number or a string passed to `set`',
    calls: [],
    read: (c) => {
      try {
        c.set(Todo, { id: '1' }, 5 as never);
        return undefined;
      } catch (error) {
        return (error as HoldfastError).code;
      }
    },
    expected: 'HF_SHAPE',
    here: 'errors',
  },
  {
    title: 'what a function given to set returns replaces all fields',
    differs: 'The return value of a function passed to `set`',
    server: SERVER,
    calls: [
      fetchOne,
      (c) => c.set(Todo, { id: '1' }, (todo) => ({ ...todo, title: 'Uno', userId: '' })),
      (c) => c.set(Todo, { id: '1' }, ({ id = '' }) => ({ id, title: 'Only' })),
    ],
    read: (c) => c.get(Todo, { id: '1' }),
    shows: keep,
    expected: { id: '1', title: 'Only', userId: '', done: false },
  },
  {
    title: 'set of an Invalidate deletes the entity that its value names',
    server: SERVER,
    calls: [(c) => c.fetch(getList), (c) => c.set(new Invalidate(Todo), { id: '1' })],
    read: (c) => [c.get(Todo, { id: '1' })?.title, c.getResponse(getList).data?.length].join(),
    expected: ',0',
  },
  {
    title: 'set of a list of Invalidate deletes each',
    server: SERVER,
    calls: [
      fetchOne,
      (c) => c.fetch(get, { id: '2' }),
      (c) => c.set([new Invalidate(Todo)], [{ id: '1' }, '2']),
    ],
    read: (c) => c.get(Todo, { id: '1' }) ?? c.get(Todo, { id: '2' }),
    expected: undefined,
  },
  {
    title: 'set of a list of entities merges each',
    server: SERVER,
    calls: [
      fetchOne,
      (c) =>
        c.set(
          [Todo],
          [
            { id: '1', done: true },
            { id: '2', title: 'Two' },
          ],
        ),
    ],
    read: (c) => [
      c.get(Todo, { id: '1' })?.done,
      c.get(Todo, { id: '1' })?.title,
      c.get(Todo, { id: '2' })?.title,
    ],
    expected: [true, 'One', 'Two'],
  },
  {
    title: 'set of push adds to a list',
    server: SERVER,
    calls: [(c) => c.fetch(getList), (c) => c.set(getList.schema.push, {}, { id: '9', title: 'Pushed' })],
    read: (c) => c.getResponse(getList).data?.map(({ title }) => title),
    expected: ['One', 'Pushed'],
  },
  {
    title: 'set of remove takes out of a list',
    server: SERVER,
    calls: [(c) => c.fetch(getList), (c) => c.set(getList.schema.remove, {}, { id: '1' })],
    read: (c) => [c.getResponse(getList).data, c.get(Todo, { id: '1' })?.title],
    expected: [[], 'One'],
  },
  {
    title: 'setResponse stores what a request would',
    calls: [(c) => c.setResponse(get, { id: '1' }, ONE)],
    read: (c) => [readOne(c).data?.title, readOne(c).expiryStatus],
    expected: ['One', ExpiryStatus.Valid],
  },
  {
    title: 'setResponse of a mutation stores its entity',
    server: SERVER,
    calls: [fetchOne, (c) => c.setResponse(TodoResource.update, { id: '1' }, {}, { id: '1', title: 'Uno' })],
    read: (c) => readOne(c).data?.title,
    expected: 'Uno',
  },
  {
    title: 'setResponse of push adds to lists',
    server: SERVER,
    calls: [(c) => c.fetch(getList), (c) => c.setResponse(getList.push, {}, {}, { id: '9' })],
    read: (c) => c.getResponse(getList).data?.map(({ id }) => id),
    expected: ['1', '9'],
  },
  {
    title: 'setError is what a read throws',
    calls: [(c) => c.setError(get, { id: '1' }, new Error('no'))],
    read: (c) => (c.getError(get, { id: '1' }) as Error).message,
    expected: 'no',
    here: 'errors',
  },
  {
    title: 'getError of what has not failed is undefined',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => c.getError(get, { id: '1' }),
    expected: undefined,
  },
  {
    title: 'a request that succeeds takes the error away',
    server: SERVER,
    calls: [(c) => c.setError(get, { id: '1' }, new Error('no')), fetchOne],
    read: (c) => [c.getError(get, { id: '1' }), readOne(c).data?.title],
    expected: [undefined, 'One'],
  },
  {
    title: 'invalidate takes a result away, not its entity',
    server: SERVER,
    calls: [(c) => c.fetch(getList), (c) => c.invalidate(getList)],
    read: (c) => [
      c.getResponse(getList).data,
      c.getResponse(getList).expiryStatus,
      c.get(Todo, { id: '1' })?.title,
    ],
    expected: [undefined, ExpiryStatus.Invalid, 'One'],
  },
  {
    title: 'invalidate leaves other args',
    server: SERVER,
    calls: [fetchOne, (c) => c.fetch(get, { id: '2' }), (c) => c.invalidate(get, { id: '1' })],
    read: (c) => [readOne(c).data, c.getResponse(get, { id: '2' }).data?.title],
    expected: [undefined, 'Two'],
  },
  {
    title: 'invalidate holds until the read is fetched',
    server: SERVER,
    calls: [fetchOne, (c) => c.invalidate(get, { id: '1' }), fetchOne],
    read: (c) => readOne(c).data?.title,
    expected: 'One',
  },
  {
    title: 'invalidateAll takes an endpoint',
    server: SERVER,
    calls: [fetchOne, (c) => c.fetch(get, { id: '2' }), (c) => c.fetch(getList), (c) => c.invalidateAll(get)],
    read: (c) => [readOne(c).data, c.getResponse(get, { id: '2' }).data, c.getResponse(getList).data?.length],
    expected: [undefined, undefined, 1],
  },
  {
    title: 'invalidateAll takes a test of keys',
    server: SERVER,
    calls: [
      fetchOne,
      (c) => c.fetch(getList),
      (c) => c.invalidateAll({ testKey: (key) => key.startsWith(`GET ${URL_PREFIX}/todos/`) }),
    ],
    read: (c) => [readOne(c).data, c.getResponse(getList).data?.length],
    expected: [undefined, 1],
  },
  {
    title: 'expireAll keeps data on screen and makes it stale',
    server: SERVER,
    calls: [fetchOne, (c) => c.expireAll(get)],
    read: (c) => [readOne(c).data?.title, readOne(c).expiresAt <= c.now()],
    expected: ['One', true],
  },
  {
    title: 'reset forgets everything',
    server: SERVER,
    calls: [fetchOne, (c) => c.reset()],
    read: (c) => [readOne(c).data, c.get(Todo, { id: '1' })],
    expected: [undefined, undefined],
  },
  {
    title: 'an answer that was under way at a reset is not stored',
    server: SERVER,
    calls: [
      async (c) => {
        const asked = settled(fetchOne(c));
        await c.reset();
        await asked;
      },
    ],
    read: (c) => c.get(Todo, { id: '1' }),
    expected: undefined,
  },
  {
    title: 'verbs may be taken out of the controller',
    server: SERVER,
    calls: [({ fetch }) => fetch(get, { id: '1' })],
    read: ({ getResponse }) => getResponse(get, { id: '1' }).data?.title,
    expected: 'One',
  },
  {
    title: 'a snapshot reads what is shown, and has a time',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => {
      const snapshot = c.snapshot();
      return [
        snapshot.get(Todo, { id: '1' })?.title,
        snapshot.getResponse(get, { id: '1' }).data?.title,
        snapshot.getError(get, { id: '1' }),
        snapshot.abort instanceof Error,
      ];
    },
    expected: ['One', 'One', undefined, true],
  },
  {
    title: 'null args read nothing',
    calls: [],
    read: (c) => [c.getResponse(get, null).data, c.getError(get, null)],
    expected: [undefined, undefined],
  },
  {
    title: 'null args give undefined for an object schema too',
    differs: 'An object schema without stored data',
    calls: [],
    read: (c) =>
      c.getResponse(
        new Endpoint(async (_args: { page: number }) => ({ items: [] }), {
          name: 'o',
          schema: { items: [Todo] },
        }),
        null,
      ).data,
    expected: undefined,
  },
  {
    title: 'an object schema gives undefined until it is fetched',
    differs: 'An object schema without stored data',
    calls: [],
    read: (c) =>
      c.getResponse(
        new Endpoint(async () => ({ items: [], next: '2' }), {
          name: 'p',
          schema: { items: [Todo], next: '' },
        }),
      ).data,
    expected: undefined,
  },
];
let given: unknown;

/** Times, staleness and failures. */
export const freshnessRows: readonly Row[] = [
  {
    title: 'data is fresh for dataExpiryLength',
    server: SERVER,
    calls: [(c) => c.fetch(quick, { id: '1' })],
    read: (c) => c.getResponse(quick, { id: '1' }).expiresAt - c.now(),
    expected: 100,
    here: 'times',
  },
  {
    title: 'data is fresh for a minute by default',
    server: SERVER,
    calls: [fetchOne],
    read: (c) => readOne(c).expiresAt - c.now(),
    expected: 60_000,
    here: 'times',
  },
  {
    title: 'Infinity is never stale',
    server: SERVER,
    calls: [(c) => c.fetch(lasting, { id: '1' }), (_, w) => w.advance(1e12)],
    read: (c) => [
      c.getResponse(lasting, { id: '1' }).expiresAt,
      c.getResponse(lasting, { id: '1' }).data?.title,
    ],
    expected: [Infinity, 'One'],
  },
  {
    title: 'stale data is still shown',
    server: SERVER,
    calls: [(c) => c.fetch(quick, { id: '1' }), (_, w) => w.advance(1_000)],
    read: (c) => [
      c.getResponse(quick, { id: '1' }).data?.title,
      c.getResponse(quick, { id: '1' }).expiryStatus,
    ],
    expected: ['One', ExpiryStatus.Valid],
  },
  {
    title: 'stale data with invalidIfStale is not shown',
    server: SERVER,
    calls: [(c) => c.fetch(strict, { id: '1' }), (_, w) => w.advance(1_000)],
    read: (c) => [c.getResponse(strict, { id: '1' }).data, c.getResponse(strict, { id: '1' }).expiryStatus],
    expected: [undefined, ExpiryStatus.InvalidIfStale],
  },
  {
    title: 'fresh data with invalidIfStale is shown',
    server: SERVER,
    calls: [(c) => c.fetch(strict, { id: '1' }), (_, w) => w.advance(10)],
    read: (c) => c.getResponse(strict, { id: '1' }).data?.title,
    expected: 'One',
  },
  {
    title: 'an error is not asked about again before it expires',
    server: { 'GET /todos/1': fail(404) },
    calls: [
      (c) => settled(c.fetch(quick, { id: '1' })),
      (_, w) => w.advance(10),
      (c) => settled(c.fetchIfStale(quick, { id: '1' })),
    ],
    read: (_, w) => w.requests.length,
    expected: 1,
    here: 'errors',
  },
  {
    title: 'an error is asked about again after errorExpiryLength',
    server: { 'GET /todos/1': fail(404) },
    calls: [
      (c) => settled(c.fetch(quick, { id: '1' })),
      (_, w) => w.advance(60),
      (c) => settled(c.fetchIfStale(quick, { id: '1' })),
    ],
    read: (_, w) => w.requests.length,
    expected: 2,
    here: 'errors',
  },
  {
    title: 'fetch rejects, and the error is kept for reads',
    server: { 'GET /todos/1': fail(404) },
    calls: [async (c) => (given = await settled(fetchOne(c)))],
    read: (c) => [
      (c.getError(get, { id: '1' }) as { status: number }).status,
      given === c.getError(get, { id: '1' }),
    ],
    expected: [404, true],
    here: 'errors',
  },
  {
    title: 'a refresh that fails with 500 leaves the data',
    server: SERVER,
    calls: [fetchOne, (c, w) => (w.serve({ 'GET /todos/1': fail(500) }), settled(fetchOne(c)))],
    read: (c) => readOne(c).data?.title,
    expected: 'One',
  },
  {
    title: 'the error of a refresh that leaves the data is still there for getError',
    differs: '`useError` and `getError` after a refresh failed softly',
    server: SERVER,
    calls: [fetchOne, (c, w) => (w.serve({ 'GET /todos/1': fail(500) }), settled(fetchOne(c)))],
    read: (c) => [(c.getError(get, { id: '1' }) as { status: number }).status, readOne(c).data?.title],
    expected: [500, 'One'],
    here: 'errors',
  },
  {
    title: 'data whose refresh was rejected is not read, without errorPolicy soft',
    differs: '`useCache` and `getResponse` after a refresh failed with 4xx',
    server: SERVER,
    calls: [fetchOne, (c, w) => (w.serve({ 'GET /todos/1': fail(403) }), settled(fetchOne(c)))],
    read: (c) => [readOne(c).data, c.getResponse(lenient, { id: '1' }).data?.title],
    expected: [undefined, 'One'],
    here: 'errors',
  },
  {
    title: 'a refresh without a connection leaves the data',
    differs: 'A refresh without a connection',
    server: SERVER,
    calls: [fetchOne, (c, w) => (w.serve({ 'GET /todos/1': () => Response.error() }), settled(fetchOne(c)))],
    read: (c) => (c.view(get, [{ id: '1' }]).data as Todo | undefined)?.title,
    expected: 'One',
  },
  {
    title: 'a mutation that fails changes nothing',
    server: { ...SERVER, 'PATCH /todos/1': fail(500) },
    calls: [fetchOne, (c) => settled(c.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'Uno' }))],
    read: (c) => readOne(c).data?.title,
    expected: 'One',
  },
  {
    title: 'an older answer does not replace a newer one',
    server: SERVER,
    calls: [
      async (c, w) => {
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        w.serve({ 'GET /todos': () => held.then(() => [{ id: '1', title: 'Old' }]) });
        const slow = c.fetch(getList);
        w.serve({ 'GET /todos/1': { id: '1', title: 'New' } });
        while (w.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        w.advance(5);
        await fetchOne(c);
        release();
        await slow;
      },
    ],
    read: (c) => readOne(c).data?.title,
    expected: 'New',
  },
];

/** The `update` of a mutation, which changes other results by key. */
const getTop = new RestEndpoint({ urlPrefix: URL_PREFIX, path: '/top', schema: [Todo] });
const updating = TodoResource.create.extend({
  update: (pk) => ({ [getTop.key()]: (pks: readonly string[] = []) => [pk, ...pks] }),
});
export const updateRows: readonly Row[] = [
  {
    title: 'update adds to the result of another endpoint',
    server: { 'GET /top': [ONE], 'POST /todos': { id: '9', title: 'New' } },
    calls: [(c) => c.fetch(getTop), (c) => c.fetch(updating, { title: 'New' })],
    read: (c) => c.getResponse(getTop).data?.map(({ id }) => id),
    expected: ['9', '1'],
  },
  {
    title: 'update leaves alone what was never fetched',
    server: { 'POST /todos': { id: '9', title: 'New' } },
    differs: '`update` of a result that is not cached',
    calls: [(c) => c.fetch(updating, { title: 'New' })],
    read: (c) => c.getResponse(getTop).data,
    expected: undefined,
  },
];
