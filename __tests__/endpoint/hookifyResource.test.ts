import { describe, expect, it } from '@jest/globals';
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import { hookifyResource } from '../../src/endpoint/rest/hookifyResource.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { Article } from './models.ts';
import { answer, prefix, startServer } from '../support/server.ts';

const server = startServer();
const ArticleResource = createResource({
  urlPrefix: prefix,
  path: '/articles/:id',
  schema: Article,
  requestInit: { credentials: 'include', headers: { 'X-App': 'app', 'X-Both': 'own' } },
}).extend('publish', { path: '/articles/:id/publish', method: 'POST', body: undefined });

describe('the hooks of a resource', () => {
  it('hookifyResource returns one hook per endpoint', () => {
    expect(Object.keys(hookifyResource(ArticleResource))).toEqual([
      'useGet',
      'useGetList',
      'useCreate',
      'useUpdate',
      'usePartialUpdate',
      'useDelete',
      'usePublish',
    ]);
  });

  it('the hooks return endpoints that send the request init of useInit, with the same key', async () => {
    const received = answer(server);
    const hooks = hookifyResource(ArticleResource, () => ({
      headers: { 'Access-Token': 't', 'x-both': 'added' },
    }));
    const update = hooks.useUpdate();
    expect(update).toBeInstanceOf(RestEndpoint);
    expect(update.requestInit?.credentials).toBe('include');
    expect(update.key({ id: 1 }, {})).toBe(ArticleResource.update.key({ id: 1 }, {}));
    await update({ id: 1 }, { title: 'x' });
    const headers = received[0]?.headers;
    expect(['access-token', 'x-app', 'x-both', 'content-type'].map((name) => headers?.get(name))).toEqual([
      't',
      'app',
      'added',
      'application/json',
    ]);
  });

  it.each([
    ['a Headers object', new Headers({ 'Access-Token': 't' })],
    ['tuples', [['Access-Token', 't']] as [string, string][]],
  ])('the hooks merge headers given as %s', async (_form, headers) => {
    const received = answer(server);
    await hookifyResource(ArticleResource, () => ({ headers })).useGet()({ id: 1 });
    expect(received[0]?.headers.get('access-token')).toBe('t');
    expect(received[0]?.headers.get('x-app')).toBe('app');
  });

  it('the hooks keep the headers of the endpoint while useInit has none', async () => {
    const received = answer(server);
    const headers = undefined as unknown as Record<string, string>; // as of an app that allows undefined options
    await hookifyResource(ArticleResource, () => ({ headers })).useGet()({ id: 1 });
    expect(received[0]?.headers.get('x-app')).toBe('app');
  });

  it('the hooks work without useInit, and while it returns undefined', () => {
    expect(hookifyResource(ArticleResource).useGet().key({ id: 1 })).toBe(`GET ${prefix}/articles/1`);
    const session: { token?: string } = {};
    const { useGet } = hookifyResource(ArticleResource, () =>
      session.token === undefined ? undefined : { headers: { 'Access-Token': session.token } },
    );
    const signedOut = useGet();
    expect(useGet()).toBe(signedOut);
    session.token = 't';
    expect(new Headers(useGet().requestInit?.headers).get('access-token')).toBe('t');
  });

  it('the hooks return the same endpoint while the init is equal', () => {
    const shared: { headers: Record<string, string>; cache?: RequestCache } = {
      headers: { 'Access-Token': 'a' },
    };
    const { useGet, useGetList } = hookifyResource(ArticleResource, () => shared);
    const first = useGet();
    shared.headers = { ...shared.headers };
    expect(useGet()).toBe(first);
    expect(useGetList()).not.toBe(first);
    shared.headers['Access-Token'] = 'b';
    const second = useGet();
    expect(second).not.toBe(first);
    shared.cache = 'no-store';
    expect(useGet()).not.toBe(second);
  });
});
