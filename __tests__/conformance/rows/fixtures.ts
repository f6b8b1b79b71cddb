import { Controller } from 'holdfast';
import { mockRequests, storeFixtures, type Fixture } from 'holdfast/testing';
import { type Todo, TodoResource } from '../models.ts';

const { get, getList, create, partialUpdate, delete: remove } = TodoResource;

/** What a controller with these fixtures gives for some calls. */
export interface FixtureRow {
  readonly title: string;
  readonly differs?: string;
  readonly fixtures?: readonly Fixture[];
  readonly initialFixtures?: readonly Fixture[];
  readonly call: (controller: Controller) => unknown;
  readonly expected: unknown;
}

const ONE = { id: '1', title: 'One' };
const title = async (todo: Promise<Todo> | Todo): Promise<string> => (await todo).title;
const failure = (promise: unknown): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => 'no error',
    (error: unknown) => error,
  );

export const fixtureRows: readonly FixtureRow[] = [
  {
    title: 'a fixture answers the call of its args',
    fixtures: [{ endpoint: get, args: [{ id: '1' }], response: ONE }],
    call: (c) => title(c.fetch(get, { id: '1' })),
    expected: 'One',
  },
  {
    title: 'a fixture does not answer other args',
    fixtures: [{ endpoint: get, args: [{ id: '1' }], response: ONE }],
    call: async (c) => (await failure(c.fetch(get, { id: '2' }))) instanceof Error,
    expected: true,
  },
  {
    title: 'a fixture without args answers every call of its endpoint by a function of the args',
    fixtures: [{ endpoint: get, response: ({ id }: { id: string }) => ({ id, title: `Number ${id}` }) }],
    call: (c) => Promise.all([title(c.fetch(get, { id: '1' })), title(c.fetch(get, { id: '2' }))]),
    expected: ['Number 1', 'Number 2'],
  },
  {
    title: 'a function gets parameters and body',
    fixtures: [
      { endpoint: partialUpdate, response: ({ id }: { id: string }, body: object) => ({ id, ...body }) },
    ],
    call: (c) => title(c.fetch(partialUpdate, { id: '1' }, { title: 'Uno' })),
    expected: 'Uno',
  },
  {
    title: 'a function may answer by a promise',
    fixtures: [{ endpoint: get, response: async () => ONE }],
    call: (c) => title(c.fetch(get, { id: '1' })),
    expected: 'One',
  },
  {
    title: 'error: true rejects with the response',
    fixtures: [
      { endpoint: get, args: [{ id: '1' }], response: { message: 'Not found', status: 404 }, error: true },
    ],
    call: (c) => failure(c.fetch(get, { id: '1' })),
    expected: { message: 'Not found', status: 404 },
  },
  {
    title: 'an answered mutation changes what is stored',
    fixtures: [
      { endpoint: getList, response: [ONE] },
      { endpoint: create, response: (body: object) => ({ id: '9', ...body }) },
      { endpoint: getList.push, response: (body: object) => ({ id: '8', ...body }) },
      { endpoint: remove, response: '' },
    ],
    call: async (c) => {
      await c.fetch(getList);
      await c.fetch(create, { title: 'Nine' });
      await c.fetch(getList.push, { title: 'Eight' });
      await c.fetch(remove, { id: '1' });
      return c.getResponse(getList).data?.map((todo) => todo.title);
    },
    expected: ['Nine', 'Eight'],
  },
  {
    title: 'answers with delays arrive in the order in which the delays end',
    fixtures: [
      {
        endpoint: get,
        response: ({ id }: { id: string }) => ({ id }),
        delay: ({ id }: { id: string }) => (id === '1' ? 40 : 1),
      },
    ],
    call: async (c) => {
      const order: string[] = [];
      await Promise.all(['1', '2'].map((id) => c.fetch(get, { id }).then((todo) => order.push(todo.id))));
      return order;
    },
    expected: ['2', '1'],
  },
  {
    title: 'a response is made when the call is, and arrives after the delay',
    fixtures: [
      {
        endpoint: create,
        response: (body: { title: string }) => ({ id: body.title, title: String((count += 1)) }),
        delay: (body: { title: string }) => (body.title === 'slow' ? 40 : 1),
      },
    ],
    call: (c) => (
      (count = 0),
      Promise.all([title(c.fetch(create, { title: 'slow' })), title(c.fetch(create, { title: 'quick' }))])
    ),
    expected: ['1', '2'],
  },
  {
    title: 'delayCollapse makes the response after the delay',
    fixtures: [
      {
        endpoint: create,
        response: (body: { title: string }) => ({ id: body.title, title: String((count += 1)) }),
      },
      {
        endpoint: create,
        args: [{ title: 'slow' }],
        response: (body: { title: string }) => ({ id: body.title, title: String((count += 1)) }),
        delay: 1,
        delayCollapse: true,
      },
    ],
    call: (c) => (
      (count = 0),
      Promise.all([title(c.fetch(create, { title: 'slow' })), title(c.fetch(create, { title: 'quick' }))])
    ),
    expected: ['2', '1'],
  },
  {
    title: 'a fixture that answers by what a variable holds needs no `this`',
    differs: 'State of interceptors',
    fixtures: [{ endpoint: get, response: () => ({ id: '1', title: String((count += 1)) }) }],
    call: async (c) => (
      (count = 0),
      [await title(c.fetch(get, { id: '1' })), await title(c.fetch(get, { id: '1' }))]
    ),
    expected: ['1', '2'],
  },
  {
    title: 'a fixture cannot replace the HTTP of a call',
    differs: '`fetchResponse` of an interceptor',
    fixtures: [
      {
        endpoint: get,
        args: [{ id: '1' }],
        response: ONE,
        fetchResponse: () => ({ id: '1', title: 'HTTP' }),
      } as Fixture,
    ],
    call: (c) => title(c.fetch(get, { id: '1' })),
    expected: 'One',
  },
  {
    title: 'initial fixtures are there from the start',
    initialFixtures: [{ endpoint: get, args: [{ id: '1' }], response: ONE }],
    call: (c) => c.getResponse(get, { id: '1' }).data?.title,
    expected: 'One',
  },
  {
    title: 'an initial fixture may be an error',
    initialFixtures: [{ endpoint: get, args: [{ id: '1' }], error: new Error('gone') }],
    call: (c) => (c.getError(get, { id: '1' }) as Error).message,
    expected: 'gone',
  },
  {
    title: 'of two fixtures with the same args the last answers',
    fixtures: [
      { endpoint: get, args: [{ id: '1' }], response: { id: '1', title: 'first' } },
      { endpoint: get, args: [{ id: '1' }], response: { id: '1', title: 'last' } },
    ],
    call: (c) => title(c.fetch(get, { id: '1' })),
    expected: 'last',
  },
];
let count = 0;

/** A controller that is answered by the fixtures of a row. */
export function withFixtures({ fixtures = [], initialFixtures = [] }: FixtureRow): Controller {
  const controller = new Controller({ plugins: [mockRequests(fixtures)] });
  storeFixtures(controller, initialFixtures);
  return controller;
}
