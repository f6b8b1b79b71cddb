import { describe, expect, it, jest } from '@jest/globals';
import { Controller, Entity } from 'holdfast';
import { HttpResponse } from 'msw';
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import { Endpoint } from '../../src/endpoint/Endpoint.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import type { RestEndpointOptions } from '../../src/endpoint/rest/RestEndpointOptions.ts';
import type { RestArgs } from '../../src/endpoint/rest/restTypes.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Delete } from '../../src/schema/Delete.ts';
import { outbox } from 'holdfast/outbox';
import { Article } from './models.ts';
import { answer, prefix, startServer } from '../support/server.ts';
import { User } from '../support/entities.ts';

const server = startServer();
const ArticleResource = createResource({
  urlPrefix: prefix,
  path: '/groups/:group/articles/:id',
  schema: Article,
  dataExpiryLength: Infinity,
});

describe('a resource', () => {
  it('a resource has the endpoints of the table', () => {
    const item = '/groups/:group/articles/:id';
    const list = '/groups/:group/articles';
    const table = [
      ['get', 'GET', item, Article],
      ['getList', 'GET', list, new Collection([Article])],
      ['create', 'POST', list, Article],
      ['update', 'PUT', item, Article],
      ['partialUpdate', 'PATCH', item, Article],
      ['delete', 'DELETE', item, new Delete(Article)],
    ] as const;
    for (const [name, method, path, schema] of table) {
      const endpoint = ArticleResource[name];
      expect([name, endpoint.method, endpoint.path, endpoint.schema]).toEqual([name, method, path, schema]);
      expect(endpoint).toBeInstanceOf(RestEndpoint);
      expect(endpoint.name).toBe(`Article.${name}`);
      expect([endpoint.urlPrefix, endpoint.dataExpiryLength]).toEqual([prefix, Infinity]);
    }
    expect(Object.keys(ArticleResource)).toEqual([...table.map(([name]) => name), 'extend']);
  });

  it('two resources of one entity can have different names, and be in one outbox', () => {
    const path = '/articles/:id';
    const Feed = createResource({ path: '/feed/:id', schema: Article, name: 'Feed' }).extend('publish', {
      method: 'POST',
    });
    const names = [Feed.get, Feed.getList, Feed.delete, Feed.publish].map(({ name }) => name);
    expect(names).toEqual(['Feed.get', 'Feed.getList', 'Feed.delete', 'Feed.publish']);
    const Articles = createResource({ path, schema: Article });
    expect(() => outbox({ endpoints: [Articles, Feed] })).not.toThrow();
    const Others = createResource({ path: '/others/:id', schema: Article });
    expect(() => outbox({ endpoints: [Articles, Others] })).toThrow('HF_OUTBOX_NAME');
  });

  it('createResource refuses a schema that cannot name the resource', () => {
    const anonymous = (() => class extends Article {})();
    Object.defineProperty(anonymous, 'name', { value: '' });
    expect(() => createResource({ path: '/:id', schema: anonymous })).toThrow('(HF_KEY_DEFAULTED)');
    // @ts-expect-error -- a list is no entity
    expect(() => createResource({ path: '/:id', schema: [Article] })).toThrow('(HF_ENDPOINT_NAME)');
  });

  it.each([
    ['/:id', '/'],
    ['/articles/:id', '/articles'],
    ['/g/:group/a/:id', '/g/:group/a'],
  ])('a resource of %s lists %s', (path, list) => {
    expect(createResource({ path, schema: Article }).getList.path).toBe(list);
  });

  it('a resource sends the requests of the table', async () => {
    const received = answer(server, () => HttpResponse.json({ id: '1' }));
    const { get, getList, create, update, partialUpdate, delete: remove } = ArticleResource;
    const group = 'g';
    await get({ group, id: 1 });
    await getList({ group });
    await getList({ group, q: 'x', tag: ['a', 'b'] });
    await create({ group }, { title: 'x' });
    await update({ group, id: 1 }, { title: 'x' });
    await partialUpdate({ group, id: 1 }, { title: 'x' });
    await remove({ group, id: 1 });
    const base = `${prefix}/groups/g/articles`;
    const text = '{"title":"x"}';
    expect(received.map(({ method, url, text }) => ({ method, url, text }))).toEqual([
      { method: 'GET', url: `${base}/1`, text: '' },
      { method: 'GET', url: base, text: '' },
      { method: 'GET', url: `${base}?q=x&tag=a&tag=b`, text: '' },
      { method: 'POST', url: base, text },
      { method: 'PUT', url: `${base}/1`, text },
      { method: 'PATCH', url: `${base}/1`, text },
      { method: 'DELETE', url: `${base}/1`, text: '' },
    ]);
  });

  it.each([
    ['/articles/:id/comments/:commentId', 1],
    ['/articles/:articleId/comments/:id', 0],
    ['/articles/:articleId/comments/:commentId', 0],
    ['/comments/:id', 0],
    ['/:tenant/comments/:id.json', 0],
  ])('createResource warns of %s, in which the id is that of another entity: %s', (path, count) => {
    class Comment extends Entity {
      id = '';
      static override key = 'Comment';
    }
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    createResource({ path, schema: Comment });
    expect(warned).toHaveBeenCalledTimes(count);
    if (count > 0) expect(warned).toHaveBeenCalledWith(expect.stringContaining('HF_PATH_PARAMETER'));
    warned.mockRestore();
  });

  it('createResource does not warn of a pk that consists of several parameters', () => {
    class Seat extends Entity {
      row = '';
      number = 0;
      static override key = 'Seat';
      override pk() {
        return `${this.row}/${this.number}`;
      }
    }
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    createResource({ path: '/rows/:row/seats/:number', schema: Seat });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('create takes a single argument as the body if the path has no parameters', async () => {
    const received = answer(server);
    const { create } = createResource({ urlPrefix: prefix, path: '/articles/:id', schema: Article });
    await create({ title: 'x' });
    await create({}, { title: 'x' });
    expect(received.map(({ url, text }) => [url, text])).toEqual([
      [`${prefix}/articles`, '{"title":"x"}'],
      [`${prefix}/articles`, '{"title":"x"}'],
    ]);
  });

  it('a resource has no body where that is undefined', async () => {
    const received = answer(server);
    const { create } = createResource({
      urlPrefix: prefix,
      path: '/a/:id',
      schema: Article,
      body: undefined,
    });
    await create();
    expect(received).toMatchObject([{ method: 'POST', url: `${prefix}/a`, text: '' }]);
  });

  it('createResource makes endpoints of a given class, whose fields its options override', () => {
    class Api<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override readonly urlPrefix: string = '/api';
      override readonly dataExpiryLength: number = 1;
    }
    const resource = createResource({
      path: '/a/:id',
      schema: Article,
      Endpoint: Api,
      dataExpiryLength: 2,
    });
    expect(resource.get).toBeInstanceOf(Api);
    expect(resource.get.key({ id: 1 })).toBe('GET /api/a/1');
    expect(resource.getList.dataExpiryLength).toBe(2);
  });

  it('the endpoints of a resource share a process, also delete, which falls back on the parameters', async () => {
    const resource = createResource({
      urlPrefix: prefix,
      path: '/a/:id',
      schema: Article,
      process: (value: { readonly data?: unknown } | null) => value?.data,
    });
    answer(server, () => HttpResponse.json({ data: { id: '7' } }));
    await expect(resource.get({ id: '5' })).resolves.toEqual({ id: '7' });
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '7' });
    answer(server, () => HttpResponse.json({ deleted: true }));
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '5' });
  });

  it('a delete with another schema still falls back on the parameters', async () => {
    const resource = createResource({ urlPrefix: prefix, path: '/a/:id', schema: Article });
    const { remove } = resource.getList.schema;
    const controller = new Controller();
    for (const respond of [() => HttpResponse.json({}), () => new HttpResponse(null, { status: 204 })]) {
      controller.setResponse(resource.getList, [{ id: '5' }, { id: '6' }]);
      answer(server, respond);
      await controller.fetch(resource.delete.extend({ schema: remove }), { id: '5' });
      const left = controller.getResponse(resource.getList).data;
      expect(left?.map(({ id }) => id)).toEqual(['6']);
      expect(controller.get(Article, { id: '5' })).toBeDefined();
    }
  });

  it.each([
    ['an object without the pk', { ok: true }, ['b']],
    ['a part of the pk', { user: 'a' }, ['b']],
  ])('where the response to a delete is %s, the params name the entity', async (_what, response, left) => {
    class Membership extends Entity {
      group = '';
      user = '';
      static override key = 'Membership';
      override pk() {
        return `${this.group}/${this.user}`;
      }
    }
    const resource = createResource({
      urlPrefix: prefix,
      path: '/groups/:group/members/:user',
      schema: Membership,
    });
    const controller = new Controller();
    const members = ['a', 'b'].map((user) => ({ group: 'g', user }));
    controller.setResponse(resource.getList, { group: 'g' }, members);
    answer(server, () => HttpResponse.json(response));
    await controller.fetch(resource.delete, { group: 'g', user: 'a' });
    expect(controller.getResponse(resource.getList, { group: 'g' }).data?.map(({ user }) => user)).toEqual(
      left,
    );
  });

  it('the process of a class is shared by the endpoints of a resource, with the rule of delete', async () => {
    class Wrapped<O extends RestEndpointOptions> extends RestEndpoint<O> {
      override process(value: unknown, ..._args: RestArgs<O>) {
        return (value as { readonly data: unknown }).data;
      }
    }
    const resource = createResource({
      urlPrefix: prefix,
      path: '/a/:id',
      schema: Article,
      Endpoint: Wrapped,
    });
    answer(server, () => HttpResponse.json({ data: { id: '7' } }));
    await expect(resource.get({ id: '5' })).resolves.toEqual({ id: '7' });
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '7' });
    answer(server, () => HttpResponse.json({ data: null }));
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '5' });
    answer(server, () => new HttpResponse(null, { status: 204 }));
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '5' });
  });

  it('a shared process that needs data does not get the empty response to a delete', async () => {
    const resource = createResource({
      urlPrefix: prefix,
      path: '/a/:id',
      schema: Article,
      process: (value: { readonly data: unknown }) => value.data,
    });
    answer(server, () => new HttpResponse(null, { status: 204 }));
    await expect(resource.delete({ id: '5' })).resolves.toEqual({ id: '5' });
  });

  it('createResource refuses a path that cannot be parsed', () => {
    expect(() => createResource({ path: '/a?b=:id', schema: Article })).toThrow(
      expect.objectContaining({ code: 'HF_PATH_PATTERN' }),
    );
  });
});

describe('extend', () => {
  it('extend overrides options of one endpoint', () => {
    const extended = ArticleResource.extend('getList', { schema: [User], path: '/all' });
    expect([extended.getList.schema, extended.getList.path, extended.getList.name]).toEqual([
      [User],
      '/all',
      'Article.getList',
    ]);
    expect(extended.get).toBe(ArticleResource.get);
    expect(ArticleResource.getList.schema).toEqual(new Collection([Article]));
  });

  it('extend adds an endpoint made from get, and keeps those added before', () => {
    const voting = ArticleResource.extend('vote', {
      path: '/articles/:id/vote',
      method: 'POST',
      body: undefined,
    });
    const both = voting.extend('toString', { path: '/text/:id' });
    expect(both.vote).toBe(voting.vote);
    expect(both.vote.name).toBe('Article.vote');
    expect(both.vote.schema).toBe(Article);
    expect(both.vote.key({ id: 1 })).toBe(`POST ${prefix}/articles/1/vote`);
    expect(both.toString.key({ id: 1 })).toBe(`GET ${prefix}/text/1`);
  });

  it('extend overrides several endpoints', () => {
    const extended = ArticleResource.extend({
      get: { dataExpiryLength: 1 },
      create: { dataExpiryLength: 2 },
    });
    expect([extended.get, extended.create, extended.update].map((one) => one.dataExpiryLength)).toEqual([
      1,
      2,
      Infinity,
    ]);
    expect(extended.create.method).toBe('POST');
  });

  it('extend takes a function of the resource', async () => {
    const now = new Endpoint(() => Promise.resolve(1), { name: 'now' });
    const extended = ArticleResource.extend((base) => ({
      search: base.getList.extend({ path: '/search' }),
      now,
    }));
    expect(extended.search.key()).toBe(`GET ${prefix}/search`);
    expect(extended.search.schema).toEqual(new Collection([Article]));
    expect(extended.now).toBe(now);
    await expect(extended.now()).resolves.toBe(1);
  });

  it('extend gives each endpoint a name of its own', () => {
    const { publish, update } = ArticleResource.extend((base) => ({
      publish: base.update.extend({ path: '/articles/:id/publish' }),
    }));
    expect([publish.name, update.name]).toEqual(['Article.publish', 'Article.update']);
    const named = ArticleResource.extend('get', { name: 'fetchArticle' });
    expect(named.extend('get', { dataExpiryLength: 1 }).get.name).toBe('fetchArticle');
  });

  it('extend gives two endpoints that are derived from one list names of their own', () => {
    const chat = ArticleResource.extend(({ getList }) => ({
      older: getList.paginated('before'),
      newer: getList.paginated('after'),
    }));
    expect([chat.older.name, chat.newer.name]).toEqual(['Article.getList.getPage', 'Article.newer']);
    expect(() => outbox({ endpoints: [chat] })).not.toThrow();
  });
});
