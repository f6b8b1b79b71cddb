import {
  createResource,
  Delete,
  Endpoint,
  NetworkError,
  RestEndpoint,
  type HoldfastError,
  type RestEndpointOptions,
} from 'holdfast';
import { Todo, TodoResource, URL_PREFIX } from '../models.ts';
import type { Received, Row } from '../table.ts';

const at = (path: string, more: Partial<RestEndpointOptions> = {}): RestEndpoint =>
  new RestEndpoint<RestEndpointOptions>({ urlPrefix: URL_PREFIX, path, ...more });

/** What an endpoint says of itself, without any request. */
function says(title: string, expected: unknown, value: () => unknown, differs?: string): Row {
  return {
    title,
    calls: [],
    read: value,
    expected,
    here: 'requests',
    ...(differs !== undefined && { differs }),
  };
}

/** What a call throws at once. */
function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const grouped = createResource({ urlPrefix: URL_PREFIX, path: '/:group/posts/:id', schema: Todo });
const getTodo = new Endpoint(async (id: number) => ({ id }), { name: 'getTodo' });

export const endpointRows: readonly Row[] = [
  // URLs
  says('a parameter fills its place in the path', '/g/things/77', () =>
    at('/:group/things/:id').url({ group: 'g', id: 77 }).slice(URL_PREFIX.length),
  ),
  says('parameters that the path does not name become a sorted query', '?isAdmin=true&sort=asc', () =>
    at('/u').url({ sort: 'asc', isAdmin: true }).slice(`${URL_PREFIX}/u`.length),
  ),
  says('undefined parameters are left out of the query', `${URL_PREFIX}/u`, () =>
    at('/u').url({ sort: undefined }),
  ),
  says(
    'a query repeats the parameter of a list, and writes dates in ISO format and null as empty text',
    '?at=1970-01-01T00%3A00%3A00.000Z&by=&tag=a&tag=b',
    () =>
      at('/u')
        .url({ tag: ['a', 'b'], at: new Date(0), by: null })
        .slice(`${URL_PREFIX}/u`.length),
    'Lists, dates and null in a query string',
  ),
  says('an optional part of the path may be absent', ['/g/things', '/g/things/5'], () =>
    [{ group: 'g' }, { group: 'g', id: 5 }].map((params) =>
      at('/:group/things{/:id}').url(params).slice(URL_PREFIX.length),
    ),
  ),
  says('a colon is escaped by a backslash', 'https://site.com/a', () =>
    new RestEndpoint({ path: 'https\\://site.com/:slug' }).url({ slug: 'a' }),
  ),
  says('a query may be part of the path', '/search?q=kelp', () =>
    at('/search\\?q=:q').url({ q: 'kelp' }).slice(URL_PREFIX.length),
  ),
  says('a value is percent-encoded', '/u/a%2Fb%3Fc', () =>
    at('/u/:id').url({ id: 'a/b?c' }).slice(URL_PREFIX.length),
  ),
  says('a missing parameter is an error before any request', 'HF_PATH_PARAMETER', () =>
    thrown(() => at('/u/:id').url({})),
  ),
  says('searchToString writes the query', '?a=1;b=2', () =>
    at('/u', {
      searchToString: (all: object) =>
        Object.entries(all)
          .map((pair) => pair.join('='))
          .join(';'),
    })
      .url({ a: 1, b: 2 })
      .slice(`${URL_PREFIX}/u`.length),
  ),

  // Keys
  says('a key is method and URL', [`GET ${URL_PREFIX}/u/5`, `PUT ${URL_PREFIX}/u/5`], () => [
    at('/u/:id').key({ id: 5 }),
    at('/u/:id', { method: 'PUT' }).key({ id: 5 }),
  ]),
  says(
    'a key does not depend on the order of parameters',
    true,
    () => at('/u').key({ a: 1, b: 2 }) === at('/u').key({ b: 2, a: 1 }),
  ),
  says(
    'a mutation has the same key for every body',
    true,
    () => TodoResource.create.key({ title: 'a' }) === TodoResource.create.key({ title: 'b' }),
  ),
  says('an Endpoint has its name in its key', ['getTodo', true], () => [
    getTodo.name,
    getTodo.key(1).startsWith('getTodo '),
  ]),
  says('testKey knows the keys of its endpoint', [true, true, false, false], () => [
    TodoResource.get.testKey(TodoResource.get.key({ id: '5' })),
    TodoResource.getList.testKey(TodoResource.getList.key({ userId: 5 })),
    TodoResource.get.testKey(TodoResource.getList.key()),
    TodoResource.get.testKey(TodoResource.update.key({ id: '5' }, {})),
  ]),
  says('key may be given', 'mine 5', () =>
    at('/u/:id', { key: ({ id }: { id: number }) => `mine ${id}` }).key({ id: 5 }),
  ),
  says(
    'an endpoint is named by its method and path',
    'GET /u/:id',
    () => new RestEndpoint({ path: '/u/:id' }).name,
    'The name of an endpoint',
  ),

  // Options
  says('a read has no side effect, another method has', [false, true, true], () => [
    at('/u').sideEffect,
    at('/u', { method: 'POST' }).sideEffect,
    TodoResource.delete.sideEffect,
  ]),
  says('sideEffect: true makes a POST', 'POST', () => at('/u', { sideEffect: true }).method),
  says(
    'sideEffect: false makes a POST that only reads',
    [false, 'POST'],
    () => {
      const search = at('/search', { method: 'POST', sideEffect: false });
      return [search.sideEffect, search.method];
    },
    'A POST that only reads',
  ),
  says('extend keeps what it does not name', ['GET', '/other', 5], () => {
    const endpoint = at('/u', { dataExpiryLength: 5 }).extend({ path: '/other' });
    return [endpoint.method, endpoint.path, endpoint.dataExpiryLength];
  }),
  says('extend leaves the endpoint that it extends', '/u', () => {
    const endpoint = at('/u');
    endpoint.extend({ path: '/other' });
    return endpoint.path;
  }),
  says('extend of an extension has the options of both', ['/c', 1, 2], () => {
    const endpoint = at('/a').extend({ dataExpiryLength: 1 }).extend({ errorExpiryLength: 2, path: '/c' });
    return [endpoint.path, endpoint.dataExpiryLength, endpoint.errorExpiryLength];
  }),
  says('a subclass keeps its class when it is extended', true, () => {
    class Mine extends RestEndpoint {}
    return new Mine({ path: '/u' }).extend({ path: '/v' }) instanceof Mine;
  }),
  says(
    'the list of a resource has the path without its last parameter',
    ['/:group/posts', '/todos', '/:group/posts/:id'],
    () => [grouped.getList.path, TodoResource.getList.path, grouped.get.path],
  ),
  says(
    'the members of a resource have their methods',
    ['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'POST', 'PATCH'],
    () => {
      const { get, getList, create, update, partialUpdate, delete: remove } = grouped;
      return [get, getList, create, update, partialUpdate, remove, getList.push, getList.move].map(
        ({ method }) => method,
      );
    },
  ),
  says(
    'delete of a resource has a Delete for its schema',
    true,
    () => grouped.delete.schema instanceof Delete,
  ),
  says(
    'extend of a resource changes members that it has',
    '/mine',
    () => grouped.extend({ getList: { path: '/mine' } }).getList.path,
  ),
  says(
    'extend of a resource adds a member by name',
    '/current',
    () => grouped.extend('current', { path: '/current' }).current.path,
  ),
  says(
    'extend of a resource takes a function of its members',
    '/posts/:id/vote',
    () =>
      grouped.extend((base) => ({ vote: base.get.extend({ path: '/posts/:id/vote', method: 'POST' }) })).vote
        .path,
  ),
];

let seen: unknown;
const note = (value: unknown): unknown => (seen = value);
const headersOf = ({ headers }: Received) => ({
  token: headers.get('x-token'),
  type: headers.get('content-type'),
});

class Wrapping extends RestEndpoint {
  override readonly urlPrefix = URL_PREFIX;
  override getHeaders(headers: Record<string, string>) {
    return { ...headers, 'X-Token': 'secret' };
  }
  override async parseResponse(response: Response): Promise<unknown> {
    const { data } = (await super.parseResponse(response)) as { data: unknown };
    return data;
  }
}

const requested = (title: string, row: Omit<Row, 'title' | 'here'>): Row => ({
  title,
  here: 'requests',
  ...row,
});

/** What is sent, and what comes of the answer. */
export const requestRows: readonly Row[] = [
  requested('a body is sent as JSON', {
    server: {
      'POST /todos': ({ body, headers }: Received) => (
        note([body, headers.get('content-type')]),
        { id: '9' }
      ),
    },
    calls: [(c) => c.fetch(TodoResource.create, { title: 'New' })],
    read: () => seen,
    expected: [{ title: 'New' }, 'application/json'],
  }),
  requested('a GET has no body', {
    server: { 'GET /todos/1': { id: '1' } },
    calls: [(c) => c.fetch(TodoResource.get, { id: '1' })],
    read: (_, w) => w.bodies,
    expected: [undefined],
  }),
  requested('a DELETE has no body', {
    server: { 'DELETE /todos/1': '' },
    calls: [(c) => c.fetch(TodoResource.delete, { id: '1' })],
    read: (_, w) => [w.requests, w.bodies],
    expected: [['DELETE /todos/1'], [undefined]],
  }),
  requested('parameters come before the body', {
    server: { 'PUT /todos/1': { id: '1' } },
    calls: [(c) => c.fetch(TodoResource.update, { id: '1' }, { title: 'x' })],
    read: (_, w) => [w.requests, w.bodies],
    expected: [['PUT /todos/1'], [{ title: 'x' }]],
  }),
  requested('a list in a path with parameters takes them before the body', {
    server: { 'POST /react/posts': { id: '1' } },
    calls: [(c) => c.fetch(grouped.getList.push, { group: 'react' }, { title: 'x' })],
    read: (_, w) => [w.requests, w.bodies],
    expected: [['POST /react/posts'], [{ title: 'x' }]],
  }),
  requested('a request without a body has no content type', {
    differs: 'The content type of a request without a body',
    server: { 'GET /u': (received: Received) => headersOf(received) },
    calls: [async (c) => note(await c.fetch(at('/u')))],
    read: () => seen,
    expected: { token: null, type: null },
  }),
  requested('a subclass changes headers and what it reads of an answer', {
    server: { 'GET /u': (received: Received) => ({ data: headersOf(received) }) },
    calls: [async (c) => note(await c.fetch(new Wrapping({ path: '/u' })))],
    read: () => seen,
    expected: { token: 'secret', type: null },
  }),
  requested('getHeaders may be a promise', {
    server: { 'GET /u': (received: Received) => headersOf(received) },
    calls: [async (c) => note(await c.fetch(at('/u', { getHeaders: async () => ({ 'X-Token': 'later' }) })))],
    read: () => seen,
    expected: { token: 'later', type: null },
  }),
  requested('process changes what is stored and what fetch gives', {
    server: { 'GET /u': { items: [1, 2] } },
    calls: [
      async (c) =>
        note(await c.fetch(at('/u', { process: (value: { items: number[] }) => value.items.length }))),
    ],
    read: () => seen,
    expected: 2,
  }),
  requested('an endpoint may be called without a controller', {
    server: { 'GET /todos/1': { id: '1', extra: true } },
    calls: [async () => note(await TodoResource.get({ id: '1' }))],
    read: () => seen,
    expected: { id: '1', extra: true },
  }),
  requested('an endpoint without a schema gives what the server sent', {
    server: { 'GET /u': { any: ['thing'] } },
    calls: [(c) => c.fetch(at('/u'))],
    read: (c) => c.getResponse(at('/u')).data,
    expected: { any: ['thing'] },
  }),
  requested('extend may replace the function of an Endpoint', {
    calls: [
      async (c) =>
        note([await c.fetch(getTodo.extend({ fetch: async (id: number) => ({ id: id + 1 }) }), 1)]),
    ],
    read: () => seen,
    expected: [{ id: 2 }],
  }),
  requested('text is read as text', {
    server: { 'GET /u': () => new Response('plain', { headers: { 'content-type': 'text/plain' } }) },
    calls: [async (c) => note(await c.fetch(at('/u')))],
    read: () => seen,
    expected: 'plain',
  }),
  requested('204 gives null', {
    server: { 'POST /u': () => new Response(null, { status: 204 }) },
    calls: [async (c) => note(await c.fetch(at('/u', { method: 'POST' })))],
    read: () => seen,
    expected: null,
  }),
  requested('a status that is not ok rejects with it', {
    server: { 'GET /u': () => Response.json({ reason: 'full' }, { status: 507 }) },
    calls: [
      (c) => c.fetch(at('/u')).catch((error: unknown) => note(error instanceof NetworkError && error.status)),
    ],
    read: () => seen,
    expected: 507,
  }),
  requested('text where JSON should be is an error of the reader', {
    differs: 'Text where JSON should be',
    server: {
      'GET /todos/1': () => new Response('{ "id": ', { headers: { 'content-type': 'application/json' } }),
    },
    calls: [
      (c) =>
        c.fetch(TodoResource.get, { id: '1' }).catch((error: unknown) => note((error as HoldfastError).code)),
    ],
    read: () => seen,
    expected: 'HF_RESPONSE_PARSE',
  }),
  requested('a POST that only reads is kept by its body', {
    server: { 'POST /search': ({ body }: Received) => body },
    calls: [(c) => c.fetch(searching, { q: 'a' }), (c) => c.fetch(searching, { q: 'b' })],
    read: (c) => ['a', 'b'].map((q) => c.getResponse(searching, { q }).data),
    expected: [{ q: 'a' }, { q: 'b' }],
  }),
];
const searching = new RestEndpoint({
  urlPrefix: URL_PREFIX,
  path: '/search',
  method: 'POST',
  sideEffect: false,
  body: {} as { q: string },
});
