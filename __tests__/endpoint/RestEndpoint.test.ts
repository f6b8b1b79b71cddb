/* oxlint-disable typescript/no-unnecessary-type-assertion -- `{} as T` is how options give types */
import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delay, http, HttpResponse, passthrough } from 'msw';
import { NetworkError } from '../../src/endpoint/http/NetworkError.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { errorStatus } from '../../src/util/errorStatus.ts';
import type { RestEndpointOptions } from '../../src/endpoint/rest/RestEndpointOptions.ts';
import type { RestArgs } from '../../src/endpoint/rest/restTypes.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Delete } from '../../src/schema/Delete.ts';
import { Article } from './models.ts';
import { answer, prefix, startServer } from '../support/server.ts';

const server = startServer();

/** An endpoint whose arguments are not typed. */
function untyped(options: RestEndpointOptions): (...args: unknown[]) => Promise<unknown> {
  const endpoint = new RestEndpoint({ urlPrefix: prefix, ...options });
  return (...args) => endpoint.fetch(...(args as Parameters<typeof endpoint.fetch>));
}

describe('a RestEndpoint', () => {
  it('a RestEndpoint is called alone', async () => {
    const received = answer(server, () => HttpResponse.json({ id: '5', title: 'x' }));
    const get = new RestEndpoint({ urlPrefix: prefix, path: '/articles/:id', schema: Article });
    await expect(get({ id: 5 })).resolves.toEqual({ id: '5', title: 'x' });
    expect(received).toMatchObject([{ method: 'GET', url: `${prefix}/articles/5`, text: '' }]);
    expect(received[0]?.headers.has('content-type')).toBe(false);
  });

  it('a RestEndpoint has path, method and schema as members, and a name', () => {
    const get = new RestEndpoint({ urlPrefix: prefix, path: '/articles/:id', schema: Article });
    expect([get.path, get.method, get.schema, get.sideEffect]).toEqual([
      '/articles/:id',
      'GET',
      Article,
      false,
    ]);
    expect(get.name).toBe(`GET ${prefix}/articles/:id`);
    expect(get.extend({ name: 'getArticle' }).name).toBe('getArticle');
  });

  it('a RestEndpoint sends no request when a parameter is missing', async () => {
    const received = answer(server);
    await expect(untyped({ path: '/articles/:id' })({})).rejects.toMatchObject({ code: 'HF_PATH_PARAMETER' });
    expect(received).toEqual([]);
  });

  it.each([
    [{}, 'GET', false],
    [{ method: 'head' }, 'HEAD', false],
    [{ method: 'POST' }, 'POST', true],
    [{ method: 'patch' }, 'PATCH', true],
    [{ method: 'DELETE' }, 'DELETE', true],
    [{ body: {} }, 'POST', true],
    [{ body: undefined }, 'GET', false],
    [{ method: 'PUT', body: undefined }, 'PUT', true],
    [{ method: 'POST', sideEffect: false }, 'POST', false],
    [{ sideEffect: true }, 'POST', true],
    [{ sideEffect: true, body: undefined }, 'POST', true],
    [{ method: 'GET', sideEffect: true }, 'GET', true],
  ])('a RestEndpoint with %j has the method %s and the side effect %p', (options, method, sideEffect) => {
    const endpoint = new RestEndpoint({ path: '/a', ...options });
    expect([endpoint.method, endpoint.sideEffect]).toEqual([method, sideEffect]);
    expect(endpoint.extend({ dataExpiryLength: 5 }).method).toBe(method);
  });

  it('a RestEndpoint has side effect and method decided again by extend', () => {
    const get = new RestEndpoint({ path: '/a/:id' });
    expect(get.extend({ method: 'POST' }).sideEffect).toBe(true);
    expect(get.extend({ body: {} }).method).toBe('POST');
    expect(get.extend({ method: 'POST' }).extend({ method: 'GET' }).sideEffect).toBe(false);
    expect(get.extend({ sideEffect: true }).method).toBe('POST');
  });

  it('a method may be written in lower case, also in extend', () => {
    const get = new RestEndpoint({ path: '/a/:id', method: 'get' });
    expect([get.method, get.sideEffect]).toEqual(['GET', false]);
    const change = get.extend({ method: 'patch' });
    expect([change.method, change.sideEffect, change.renames]).toEqual(['PATCH', true, true]);
    const again = change.extend({ method: 'get' }).extend({ dataExpiryLength: 5 });
    expect([again.method, again.sideEffect]).toEqual(['GET', false]);
  });

  it('a change of a list that is read by POST is a mutation', () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { text: string },
      schema: new Collection([Article]),
    });
    expect([search.push.sideEffect, search.remove.sideEffect]).toEqual([true, true]);
    expect(search.paginated('cursor').sideEffect).toBe(false);
  });

  it('a RestEndpoint with appendTo needs neither name nor method', () => {
    const list = new RestEndpoint({ path: '/articles', schema: new Collection([Article]) });
    const body = {} as { title: string };
    const create = new RestEndpoint({ path: '/drafts', body, schema: Article, appendTo: list });
    expect([create.name, create.method]).toEqual(['POST /drafts', 'POST']);
  });
});

describe('the key', () => {
  it('the key is method and URL', () => {
    const list = new RestEndpoint({
      urlPrefix: prefix,
      path: '/a',
      searchParams: {} as Record<string, unknown>,
    });
    expect(list.key()).toBe(`GET ${prefix}/a`);
    expect(list.key({ b: 1, a: 2 })).toBe(list.key({ a: 2, b: 1 }));
    const create = new RestEndpoint({ urlPrefix: prefix, path: '/a', body: {} as { title: string } });
    expect(create.key({ title: 'x' })).toBe(`POST ${prefix}/a`);
    expect(create.key({}, { title: 'x' })).toBe(`POST ${prefix}/a`);
  });

  it('the key has no parameter of a body', () => {
    const add = new RestEndpoint({ urlPrefix: prefix, path: '/a{/:under}', body: {} as { title: string } });
    expect(add.key({ title: 'x' })).toBe(`POST ${prefix}/a`);
    expect(add.key({ under: 5 }, { title: 'x' })).toBe(`POST ${prefix}/a/5`);
  });

  it('the key has the body too where a read sends one', () => {
    const search = new RestEndpoint({ path: '/search', sideEffect: false, body: {} as { q: string } });
    expect(search.key({ q: 'x' })).not.toBe(search.key({ q: 'y' }));
    expect(search.testKey(search.key({ q: 'x' }))).toBe(true);
  });

  it('the key stays the same with other headers', () => {
    const get = new RestEndpoint({ path: '/a/:id' });
    expect(get.extend({ requestInit: { headers: { a: 'b' } } }).key({ id: 1 })).toBe(get.key({ id: 1 }));
  });

  it('the key is known by testKey', () => {
    const get = new RestEndpoint({ urlPrefix: prefix, path: '/articles/:id{/parts/*part}\\?page=:page' });
    const params = { id: 'a.b (c)', page: '' };
    expect(get.testKey(get.key(params))).toBe(true);
    expect(get.testKey(get.key({ ...params, part: ['x', 'y z'] }))).toBe(true);
    expect(get.testKey(`${get.key(params)}&more=1`)).toBe(true);
    expect(get.testKey(`GET ${prefix}/articles/5`)).toBe(false);
    expect(get.testKey(get.key(params).replace('GET', 'PUT'))).toBe(false);
    const one = new RestEndpoint({ urlPrefix: prefix, path: '/articles/:id' });
    expect(one.testKey(`GET ${prefix}/articles/5?x=1`)).toBe(true);
    expect(one.testKey(`GET ${prefix}/articles/5/comments`)).toBe(false);
    expect(one.testKey(`GET ${prefix}/articles`)).toBe(false);
    expect(one.testKey(`GET https://api-example.com/articles/5`)).toBe(false);
  });
});

describe('the body', () => {
  it.each([
    [{ a: 1 }, '{"a":1}'],
    [[1, 2], '[1,2]'],
    [Article.fromJS({ id: '1', title: 'x' }), /^\{"id":"1","title":"x"/],
    [0, '0'],
    [false, 'false'],
  ])('the body %j is sent as JSON', async (body, expected) => {
    const received = answer(server);
    await untyped({ path: '/a', method: 'POST' })(body);
    expect(received[0]?.headers.get('content-type')).toBe('application/json');
    expect(received[0]?.text).toEqual(
      expected instanceof RegExp ? expect.stringMatching(expected) : expected,
    );
  });

  it('the content type that the user set is kept, in whatever case', async () => {
    const received = answer(server);
    const headers = { 'content-type': 'application/merge-patch+json' };
    await untyped({ path: '/a', method: 'PATCH', requestInit: { headers } })({ a: 1 });
    await untyped({ path: '/a', method: 'PATCH', getHeaders: () => new Headers(headers) })({ a: 1 });
    expect(received.map((one) => one.headers.get('content-type'))).toEqual([
      'application/merge-patch+json',
      'application/merge-patch+json',
    ]);
  });

  it('a body of another kind is sent unchanged', async () => {
    const received = answer(server);
    const send = untyped({ path: '/a', method: 'POST' });
    const form = new FormData();
    form.set('field', 'value');
    await send(form);
    await send(new URLSearchParams({ a: 'b c' }));
    await send(new Blob(['blob'], { type: 'text/csv' }));
    await send(new TextEncoder().encode('bytes'));
    await send(new TextEncoder().encode('buffer').buffer);
    await send('text');
    await send(new Blob(['stream']).stream());
    expect(received.map((one) => one.headers.get('content-type')?.replace(/;.*/, '') ?? null)).toEqual([
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'text/csv',
      null,
      null,
      'text/plain',
      null,
    ]);
    expect(received[0]?.text).toContain('name="field"');
    expect(received.slice(1).map((one) => one.text)).toEqual([
      'a=b+c',
      'blob',
      'bytes',
      'buffer',
      'text',
      'stream',
    ]);
  });

  it('a form of a polyfill, as in React Native, is sent unchanged', async () => {
    const { FormData } = globalThis;
    class Polyfill {
      readonly parts: unknown[] = [];
    }
    const post = new RestEndpoint({ urlPrefix: prefix, path: '/a', method: 'POST' });
    const form = new Polyfill();
    try {
      Object.assign(globalThis, { FormData: Polyfill });
      expect((await post.getRequestInit(form)).body).toBe(form);
    } finally {
      Object.assign(globalThis, { FormData });
    }
  });

  it('headers of a polyfill, as in React Native, are sent', async () => {
    class Polyfill extends Headers {
      readonly map = {};
      readonly [Symbol.toStringTag] = 'Object';
    }
    const get = new RestEndpoint({
      urlPrefix: prefix,
      path: '/a',
      requestInit: { headers: new Polyfill({ token: 'a' }) },
    });
    expect((await get.getRequestInit()).headers).toMatchObject({ token: 'a' });
  });

  it('the body is sent as a stream the way fetch asks for', async () => {
    const post = new RestEndpoint({ urlPrefix: prefix, path: '/a', method: 'POST' });
    const init = await post.getRequestInit(new Blob(['stream']).stream());
    expect(init).toHaveProperty('duplex', 'half');
    await expect(new Request(`${prefix}/a`, init).text()).resolves.toBe('stream');
    expect(await post.getRequestInit({ a: 1 })).not.toHaveProperty('duplex');
  });

  it.each([[undefined], [null]])('the body %p is not sent', async (body) => {
    const received = answer(server);
    await untyped({ path: '/a', method: 'POST' })(body);
    expect(received[0]).toMatchObject({ text: '' });
    expect(received[0]?.headers.has('content-type')).toBe(false);
  });
});

describe('the arguments', () => {
  it.each([
    ['POST', '/g/:group', [{ group: 1 }, { a: 1 }], '/g/1', '{"a":1}'],
    ['POST', '/g/:group', [{ group: 1 }], '/g/1', ''],
    ['POST', '/g/:group', [{ group: 1, dry: true }, { a: 1 }], '/g/1?dry=true', '{"a":1}'],
    ['POST', '/g', [{ a: 1 }], '/g', '{"a":1}'],
    ['POST', '/g', [{}, { a: 1 }], '/g', '{"a":1}'],
    ['POST', '/g', [{ dry: true }, { a: 1 }], '/g?dry=true', '{"a":1}'],
    ['POST', '/g{/:group}', [{ group: 1 }], '/g/1', ''],
    ['DELETE', '/g/:group', [{ group: 1 }], '/g/1', ''],
    ['DELETE', '/g', [{ all: true }], '/g?all=true', ''],
    ['GET', '/g', [{ q: 'x' }], '/g?q=x', ''],
    ['GET', '/g', [], '/g', ''],
  ])('the arguments of %s %s are %j', async (method, path, args, url, text) => {
    const received = answer(server);
    await untyped({ path, method })(...args);
    expect(received).toMatchObject([{ method, url: prefix + url, text }]);
  });

  it('a request has no body where the option is undefined, and one for DELETE if given', async () => {
    const received = answer(server);
    await untyped({ path: '/vote', method: 'POST', body: undefined })({ id: 5 });
    await untyped({ path: '/all', method: 'DELETE', body: {} })({ ids: [1] });
    expect(received).toMatchObject([
      { url: `${prefix}/vote?id=5`, text: '' },
      { url: `${prefix}/all`, text: '{"ids":[1]}' },
    ]);
  });

  it('the only argument may be the body if it is declared and no parameter is required', async () => {
    const received = answer(server);
    const add = untyped({ path: '/g{/:group}', body: {} });
    await add({ a: 1 });
    await add({ group: 1 }, { a: 1 });
    expect(received).toMatchObject([
      { url: `${prefix}/g`, text: '{"a":1}' },
      { url: `${prefix}/g/1`, text: '{"a":1}' },
    ]);
  });
});

describe('the lifecycle', () => {
  it('a request runs each step through the endpoint, in order', async () => {
    answer(server, () => HttpResponse.json({ n: 1 }));
    const steps: string[] = [];
    class Traced<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override url(...args: Parameters<RestEndpoint<O>['url']>): string {
        steps.push('url');
        return super.url(...args);
      }
      override searchToString(search: Readonly<Record<string, unknown>>): string {
        steps.push('searchToString');
        return super.searchToString(search);
      }
      override getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
        steps.push('getHeaders');
        return super.getHeaders(headers);
      }
      override getRequestInit(body?: unknown) {
        steps.push('getRequestInit');
        return super.getRequestInit(body);
      }
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        steps.push('fetchResponse');
        return super.fetchResponse(url, init);
      }
      override parseResponse(response: Response): Promise<unknown> {
        steps.push('parseResponse');
        return super.parseResponse(response);
      }
      override process(value: unknown, ...args: RestArgs<O>): unknown {
        steps.push('process');
        return { value, args };
      }
    }
    const get = new Traced({ urlPrefix: prefix, path: '/a', searchParams: {} as { q: string } });
    await expect(get({ q: 'x' })).resolves.toEqual({ value: { n: 1 }, args: [{ q: 'x' }] });
    expect(steps).toEqual([
      'url',
      'searchToString',
      'getRequestInit',
      'getHeaders',
      'fetchResponse',
      'parseResponse',
      'process',
    ]);
  });

  it('options and extensions may override steps, with the endpoint as this', async () => {
    const received = answer(server, () => HttpResponse.json({ data: { id: '1' } }));
    const get = new RestEndpoint({
      urlPrefix: prefix,
      path: '/a/:id',
      requestInit: { headers: [['X-One', '1']] },
      async getHeaders(headers) {
        await Promise.resolve();
        return { ...headers, 'X-Method': this.method };
      },
      process(value: { readonly data: object }) {
        return { ...value.data, by: this.name };
      },
    });
    await expect(get({ id: 1 })).resolves.toEqual({ id: '1', by: get.name });
    expect(received[0]?.headers.get('x-one')).toBe('1');
    expect(received[0]?.headers.get('x-method')).toBe('GET');
    const constant = get.extend({
      fetchResponse: () => Promise.resolve(HttpResponse.json({ data: { id: '2' } })),
    });
    await expect(constant({ id: 1 })).resolves.toMatchObject({ id: '2' });
  });

  it.each([
    [
      'a status and a body',
      Response.json({ text: ['too short'] }, { status: 422 }),
      { status: 422, body: { text: ['too short'] }, isFromApi: true },
    ],
    [
      'a status alone',
      new Response(null, { status: 503 }),
      { status: 503, body: undefined, isFromApi: true },
    ],
    [
      'a web page',
      new Response('<!doctype html>', { status: 403, headers: { 'Content-Type': 'text/html' } }),
      { status: 403, isFromApi: false },
    ],
  ])(
    'an error response that an overridden fetchResponse returns rejects: %s',
    async (_, response, details) => {
      const save = new RestEndpoint({
        urlPrefix: prefix,
        path: '/a/:id',
        method: 'PUT',
        body: {},
        fetchResponse: () => Promise.resolve(response),
      });
      const error = await save({ id: 1 }, {}).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ url: `${prefix}/a/1`, method: 'PUT', response, ...details });
    },
  );

  it('an overridden parseResponse decides what an error response means', async () => {
    const find = new RestEndpoint({
      urlPrefix: prefix,
      path: '/a/:id',
      fetchResponse: () => Promise.resolve(new Response(null, { status: 404 })),
      parseResponse: ({ status }) => Promise.resolve(status === 404 ? 'none' : 'one'),
    });
    await expect(find({ id: 1 })).resolves.toBe('none');
  });

  it('a subclass may spread the result of super', async () => {
    const received = answer(server);
    class Api<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override readonly urlPrefix: string = prefix;
      override async getRequestInit(body?: unknown): Promise<RequestInit> {
        const init = await super.getRequestInit(body);
        return { ...init, headers: { ...(init.headers as Record<string, string>), 'X-Token': 't' } };
      }
    }
    const create = new Api({ path: '/a', body: {} });
    await create({ a: 1 });
    expect(received[0]?.url).toBe(`${prefix}/a`);
    expect(received[0]?.headers.get('x-token')).toBe('t');
    expect(received[0]?.headers.get('content-type')).toBe('application/json');
    expect(create.extend({ urlPrefix: '/other' }).key({})).toBe('POST /other/a');
  });

  it('getRequestInit is synchronous if getHeaders is, so that a subclass may spread its result without await', async () => {
    const received = answer(server);
    class Api<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override readonly urlPrefix: string = prefix;
      override getRequestInit(body?: unknown): RequestInit {
        const init = super.getRequestInit(body) as RequestInit; // its getHeaders is synchronous
        return { ...init, credentials: 'include' };
      }
    }
    await new Api({ path: '/a/:id', method: 'PUT' })({ id: '1' }, { title: 'kept' });
    expect(received[0]).toMatchObject({ method: 'PUT', text: '{"title":"kept"}' });
    const signedIn = new RestEndpoint({
      path: '/a',
      getHeaders: (headers: Record<string, string>) => Promise.resolve({ ...headers, 'X-Token': 't' }),
    });
    expect(signedIn.getRequestInit()).toBeInstanceOf(Promise);
    await expect(signedIn.getRequestInit()).resolves.toMatchObject({ headers: { 'X-Token': 't' } });
  });

  it('an endpoint with its own fetch sends no other request', async () => {
    const get = new RestEndpoint({ path: '/a/:id', fetch: ({ id }: { id: string }) => Promise.resolve(id) });
    await expect(get({ id: 'x' })).resolves.toBe('x');
    expect(get.key({ id: 'x' })).toBe('GET /a/x');
    const wrapped = get.extend({ fetch: async (params: { id: string }) => [await get(params)] });
    await expect(wrapped({ id: 'y' })).resolves.toEqual(['y']);
  });
});

describe('a deletion', () => {
  const remove = untyped({ path: '/articles/:id', method: 'DELETE', schema: new Delete(Article) });

  it.each([
    ["the server's object", () => HttpResponse.json({ id: '7', title: 'gone' }), { id: '7', title: 'gone' }],
    ['the parameters for an empty object', () => HttpResponse.json({}), { id: '5' }],
    ['the parameters for no content', () => new HttpResponse(null, { status: 204 }), { id: '5' }],
    ['the parameters for an object without a pk', () => HttpResponse.json({ ok: true }), { id: '5' }],
    ['the parameters for a list', () => HttpResponse.json([{ id: '7' }]), { id: '5' }],
    ['the parameters for text', () => HttpResponse.text('OK'), { id: '5' }],
  ])('a deletion resolves with %s', async (_what, respond, expected) => {
    answer(server, respond);
    await expect(remove({ id: '5' })).resolves.toEqual(expected);
  });
});

describe('a failed request', () => {
  const get = new RestEndpoint({ urlPrefix: prefix, path: '/articles/:id', name: 'getArticle' });

  it('a failed request rejects with a NetworkError whose response is unread', async () => {
    answer(server, () => HttpResponse.json({ problem: 'gone' }, { status: 404, statusText: 'Not Found' }));
    const error: unknown = await get({ id: 5 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      name: 'NetworkError',
      code: 'HF_NETWORK',
      status: 404,
      url: `${prefix}/articles/5`,
      method: 'GET',
      message: expect.stringMatching(
        /^\[holdfast\] GET .*\/articles\/5 \(getArticle\) was answered with 404 Not Found;/,
      ),
    });
    const { response } = error as NetworkError;
    await expect(response?.clone().json()).resolves.toEqual({ problem: 'gone' });
    await expect(response?.json()).resolves.toEqual({ problem: 'gone' });
  });

  it('a failed request has status 0 and the cause when there was no connection', async () => {
    answer(server, () => HttpResponse.error());
    const error: unknown = await get({ id: 5 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'NetworkError',
      status: 0,
      response: undefined,
      url: `${prefix}/articles/5`,
    });
    expect((error as NetworkError).cause).toBeInstanceOf(TypeError);
  });

  it('a header that cannot be sent is not taken for a lost connection', async () => {
    const named = get.extend({ requestInit: { headers: { 'X-Filename': 'фото.jpg' } } });
    const error: unknown = await named({ id: 5 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'HF_HEADER', cause: { name: 'TypeError' } });
    expect(errorStatus(error)).toBeUndefined();
  });

  it('a failed request has status 0 when the connection breaks while the body arrives', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new TypeError('reset'));
      },
    });
    const broken = get.extend({
      fetchResponse: () =>
        Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } })),
    });
    await expect(broken({ id: 5 })).rejects.toMatchObject({ name: 'NetworkError', status: 0 });
  });

  /** What Firefox makes of a connection that is reset during the body. */
  const endedAsAborted = (status: number): Response => {
    const body = new ReadableStream({
      start(stream) {
        stream.error(new DOMException('The operation was aborted. ', 'AbortError'));
      },
    });
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  };

  it('a failed request has status 0 when the body ends as if it were aborted, and nobody has aborted it', async () => {
    const fetchResponse = () => Promise.resolve(endedAsAborted(200));
    for (const { signal } of [{ signal: undefined }, new AbortController()])
      await expect(get.extend({ signal, fetchResponse })({ id: 5 })).rejects.toMatchObject({
        name: 'NetworkError',
        status: 0,
        cause: { name: 'AbortError' },
      });
  });

  it('a failed request has the status of its response although the body ends as if it were aborted', async () => {
    const refused = get.extend({ fetchResponse: () => Promise.resolve(endedAsAborted(503)) });
    await expect(refused({ id: 5 })).rejects.toMatchObject({ name: 'NetworkError', status: 503 });
  });

  it('an aborted request rejects with the reason itself', async () => {
    server.use(http.all(`${prefix}/*`, () => delay('infinite')));
    const before = AbortSignal.abort();
    await expect(get.extend({ signal: before })({ id: 5 })).rejects.toBe(before.reason);
    const controller = new AbortController();
    const pending = get.extend({ requestInit: { signal: controller.signal } })({ id: 5 });
    const reason = new Error('left the page');
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await expect(get.extend({ signal: AbortSignal.timeout(5) })({ id: 5 })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('a request aborted during the body rejects with the reason itself', async () => {
    const controller = new AbortController();
    const reason = new Error('left the page');
    const pending = get.extend({
      signal: controller.signal,
      fetchResponse(_url, { signal }) {
        // As fetch does; msw does not.
        const body = new ReadableStream({
          start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
        });
        setTimeout(() => controller.abort(reason));
        return Promise.resolve(new Response(body));
      },
    })({ id: 5 });
    await expect(pending).rejects.toBe(reason);
  });

  it('a request aborted during the body by a signal of its own fetchResponse rejects with the reason itself', async () => {
    const controller = new AbortController();
    const reason = new Error('took too long');
    const slow = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      setTimeout(() => controller.abort(reason), 50);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    class Impatient<O extends RestEndpointOptions> extends RestEndpoint<O> {
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        return super.fetchResponse(url, { ...init, signal: controller.signal });
      }
    }
    server.use(http.all('*', () => passthrough()));
    const { port } = slow.address() as AddressInfo; // a TCP server has a port
    const getSlowly = new Impatient({ urlPrefix: `http://127.0.0.1:${port}`, path: '/articles' });
    await expect(getSlowly()).rejects.toBe(reason);
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });
});
