/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { Controller, createResource, Delete, hookifyResource, RestEndpoint } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import { createContext, useContext, type ReactElement } from 'react';
import { assertType, type Equal } from '../types/equal.ts';
import { baseUrl, startServer, type RestServer } from './server.ts';
import { expectText, show } from './show.tsx';
import { Article } from '../support/entities.ts';
import { failure } from '../support/failure.ts';

const P = '/groups/:group/articles/:id';
const shortenedP = '/groups/:group/articles';
const ArticleResource = createResource({ urlPrefix: baseUrl, path: P, schema: Article });
const hooks = hookifyResource(ArticleResource, () => ({ headers: { 'X-App': 'seed' } }));

const server: RestServer = startServer();
const body = { title: 'New' };
const item = { group: 'g', id: '1' };

/** Calls a hook in a component. */
const use = <T,>(hook: () => T): T => renderHook(hook).result.current;

describe('4.1 hookifyResource(resource, useInit)', () => {
  it('hookifyResource makes a hook of each endpoint of the resource', () => {
    expect(Object.keys(hooks)).toEqual([
      'useGet',
      'useGetList',
      'useCreate',
      'useUpdate',
      'usePartialUpdate',
      'useDelete',
    ]);
  });

  it('hookifyResource makes a hook of an endpoint that was added by extend', () => {
    const { usePublish } = hookifyResource(
      ArticleResource.extend('publish', { path: `${P}/publish`, method: 'POST', body: undefined }),
    );
    expect(use(usePublish).path).toBe(`${P}/publish`);
  });

  it.each(Object.entries(hooks))('%s() returns a RestEndpoint', (_name, hook: () => unknown) => {
    expect(use(hook)).toBeInstanceOf(RestEndpoint);
  });

  it('hookifyResource calls useInit as a hook, so it can read context', async () => {
    const Locale = createContext('none');
    const { useGet } = hookifyResource(ArticleResource, function useInit() {
      return { headers: { 'Accept-Language': useContext(Locale) } };
    });
    function Title(): ReactElement {
      return <p>{useSuspense(useGet(), item).title}</p>;
    }
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    await show(
      new Controller(),
      <Locale value="de">
        <Title />
      </Locale>,
    );
    await expectText('One');
    expect(server.received[0]?.headers.get('accept-language')).toBe('de');
  });

  it('the headers of useInit are sent by every endpoint', async () => {
    const { get, getList, create, update, partialUpdate, remove } = {
      get: use(hooks.useGet),
      getList: use(hooks.useGetList),
      create: use(hooks.useCreate),
      update: use(hooks.useUpdate),
      partialUpdate: use(hooks.usePartialUpdate),
      remove: use(hooks.useDelete),
    };
    await Promise.allSettled([
      get(item),
      getList({ group: 'g' }),
      create({ group: 'g' }, body),
      update(item, body),
      partialUpdate(item, body),
      remove(item),
    ]);
    expect(server.received.map(({ headers }) => headers.get('x-app'))).toEqual(Array(6).fill('seed'));
  });

  it('useInit can return request options other than headers', () => {
    const { useGet } = hookifyResource(ArticleResource, () => ({ credentials: 'include' as const }));
    expect(use(useGet).requestInit?.credentials).toBe('include');
  });

  it('hooks work without useInit', async () => {
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    const { useGet } = hookifyResource(ArticleResource);
    expect(await use(useGet)(item)).toEqual({ id: '1', title: 'One' });
  });

  it('hooks return endpoints with the types of the resource', () => {
    const get = use(hooks.useGet);
    assertType<Equal<typeof get, typeof ArticleResource.get>>();
    // @ts-expect-error -- the path has a parameter group
    expect(() => get.url({ id: '1' })).toThrow('group');
  });
});

describe('4.1 shortenPath(P) removes the last parameter', () => {
  it.each([
    ['two parameters: a pattern with the first', '/:group/:id', '/:group'],
    ['one parameter: the root path', '/:id', '/'],
    ['with fixed segments between', P, shortenedP],
  ])('%s', (_what, path, expected) => {
    const resource = createResource({ path, schema: Article });
    expect([resource.getList.path, resource.create.path]).toEqual([expected, expected]);
    expect(resource.get.path).toBe(path);
  });
});

describe('4.1 table of hooks', () => {
  it('useGet() returns an endpoint that sends GET to the path, requires every path parameter and returns the entity', async () => {
    const get = use(hooks.useGet);
    expect([get.method, get.path, get.schema]).toEqual(['GET', P, Article]);
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    expect(await new Controller().fetch(get, item)).toEqual(Article.fromJS({ id: '1', title: 'One' }));
    // @ts-expect-error -- id is missing
    expect(await failure(get({ group: 'g' }))).toMatchObject({ code: 'HF_PATH_PARAMETER' });
    expect(server.asked).toEqual(['GET /groups/g/articles/1']);
  });

  it('useGetList() returns an endpoint that sends GET to the shortened path, puts extra keys into the query and returns a list', async () => {
    const getList = use(hooks.useGetList);
    expect([getList.method, getList.path]).toEqual(['GET', shortenedP]);
    server.json('GET /groups/g/articles', [{ id: '1' }, { id: '2' }]);
    server.json('GET /groups/g/articles?author=ann&page=2', [{ id: '2', title: 'Two' }]);
    const controller = new Controller();
    const articles = await controller.fetch(getList, { group: 'g' });
    expect(articles.map((article) => [article.constructor, article.id])).toEqual([
      [Article, '1'],
      [Article, '2'],
    ]);
    const found = await controller.fetch(getList, { group: 'g', page: 2, author: 'ann' });
    expect(found.map(({ title }) => title)).toEqual(['Two']);
  });

  it('useCreate() returns an endpoint that sends POST to the shortened path with path parameters and a body', async () => {
    const create = use(hooks.useCreate);
    expect([create.method, create.path, create.schema]).toEqual(['POST', shortenedP, Article]);
    server.json('POST /groups/g/articles', (request) => ({ id: '9', ...(request.body as object) })); // sent below
    const controller = new Controller();
    const article = await controller.fetch(create, { group: 'g' }, body);
    expect(article).toEqual(Article.fromJS({ id: '9', title: 'New' }));
    expect(controller.get(Article, { id: '9' })).toBe(article);
    expect(server.received[0]?.body).toEqual(body);
  });

  it('useUpdate() returns an endpoint that sends PUT to the path with path parameters and a body', async () => {
    const update = use(hooks.useUpdate);
    expect([update.method, update.path, update.schema]).toEqual(['PUT', P, Article]);
    server.json('PUT /groups/g/articles/1', { id: '1', title: 'New' });
    const controller = new Controller();
    const article = await controller.fetch(update, item, body);
    expect(controller.get(Article, { id: '1' })).toBe(article);
    expect(article.title).toBe('New');
    expect(server.received[0]?.body).toEqual(body);
  });

  it('usePartialUpdate() returns an endpoint that sends PATCH to the path with path parameters and a body', async () => {
    const partialUpdate = use(hooks.usePartialUpdate);
    expect([partialUpdate.method, partialUpdate.path, partialUpdate.schema]).toEqual(['PATCH', P, Article]);
    server.json('PATCH /groups/g/articles/1', { id: '1', title: 'New' });
    const controller = new Controller();
    const article = await controller.fetch(partialUpdate, item, body);
    expect(controller.get(Article, { id: '1' })).toBe(article);
    expect(article.title).toBe('New');
    expect(server.received[0]?.body).toEqual(body);
  });

  it('useDelete() returns an endpoint that sends DELETE to the path without a body and deletes the entity', async () => {
    const remove = use(hooks.useDelete);
    expect([remove.method, remove.path]).toEqual(['DELETE', P]);
    expect(remove.schema).toBeInstanceOf(Delete);
    expect(remove.schema.entity).toBe(Article);
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    server.json('DELETE /groups/g/articles/1', {});
    const controller = new Controller();
    await controller.fetch(use(hooks.useGet), item);
    await controller.fetch(remove, item);
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
    expect(server.received[1]?.body).toBeUndefined();
  });

  it('useSuspense and invalidate accept the endpoints of useGet and useGetList', async () => {
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    server.json('GET /groups/g/articles', [{ id: '1', title: 'One' }]);
    function Both(): ReactElement {
      const { title } = useSuspense(hooks.useGet(), item);
      const list = useSuspense(hooks.useGetList(), { group: 'g' });
      return <p>{`${title}, ${list.length} listed`}</p>;
    }
    const controller = new Controller();
    await show(controller, <Both />);
    await expectText('One, 1 listed');
    server.json('GET /groups/g/articles/1', { id: '1', title: 'Uno' });
    server.json('GET /groups/g/articles', [{ id: '1' }, { id: '2' }]);
    const { get, getList } = { get: use(hooks.useGet), getList: use(hooks.useGetList) };
    act(() => {
      controller.invalidate(get, item);
      controller.invalidate(getList, { group: 'g' });
    });
    await expectText('Uno, 2 listed');
  });
});

describe('4.1 delete result rule', () => {
  const request = 'DELETE /groups/g/articles/1';
  const setUp = (): Controller => {
    const controller = new Controller();
    for (const id of ['1', '2']) controller.set(Article, { id }, { id });
    return controller;
  };
  const left = (controller: Controller) =>
    ['1', '2'].filter((id) => controller.get(Article, { id }) !== undefined);

  it('a deletion resolves with a response object that has a key, which names the deleted entity', async () => {
    server.json(request, { id: '2', title: 'was two' });
    const controller = setUp();
    expect(await controller.fetch(ArticleResource.delete, item)).toEqual({ id: '2', title: 'was two' });
    expect(left(controller)).toEqual(['1']);
  });

  it.each([
    ['an object without keys', () => Response.json({})],
    ['an empty body', () => new Response(null, { status: 204 })],
    ['null', () => Response.json(null)],
    ['a text', () => new Response('gone', { headers: { 'Content-Type': 'text/plain' } })],
    ['a number', () => Response.json(1)],
  ])(
    'a deletion answered with %s resolves with the parameters, which name the deleted entity',
    async (_what, response) => {
      server.respond(request, response);
      const controller = setUp();
      expect(await controller.fetch(ArticleResource.delete, item)).toEqual(item);
      expect(left(controller)).toEqual(['2']);
    },
  );
});

describe('4.1 request bodies', () => {
  it.each([
    ['create', () => ArticleResource.create({ group: 'g' }, body), 'POST /groups/g/articles'],
    ['update', () => ArticleResource.update(item, body), 'PUT /groups/g/articles/1'],
    ['partialUpdate', () => ArticleResource.partialUpdate(item, body), 'PATCH /groups/g/articles/1'],
  ] as const)('%s sends its second argument as a JSON object', async (_name, call, request) => {
    server.json(request, { id: '1' });
    await call();
    expect(server.received[0]?.headers.get('content-type')).toMatch(/^application\/json/);
    expect(server.received[0]?.body).toEqual(body);
  });
});

describe('4.1 un-hooked members', () => {
  it('get is called with an object of parameters', async () => {
    server.json('GET /groups/g/articles/1', { id: '1', title: 'One' });
    expect(await ArticleResource.get(item)).toEqual({ id: '1', title: 'One' });
  });

  it('getList is called without arguments if its path has no parameters', async () => {
    server.json('GET /articles', [{ id: '1' }]);
    const { getList } = createResource({ urlPrefix: baseUrl, path: '/articles/:id', schema: Article });
    expect(await getList()).toEqual([{ id: '1' }]);
  });
});
