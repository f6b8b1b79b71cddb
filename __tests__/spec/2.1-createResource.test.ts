import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { baseUrl, startServer } from './server.ts';

class CommentWithText extends Entity {
  id = '';
  text = '';
  static override key = 'Comment';
}
class CommentSummary extends Entity {
  id = '';
  static override key = 'Comment';
}

const server = startServer();
const path = '/posts/:post/comments/:id';

describe('2.1 options of createResource', () => {
  it('the path of a resource declares parameters as :name segments', () => {
    const { get } = createResource({ urlPrefix: baseUrl, path: '/:post/:id', schema: CommentWithText });
    expect(get.url({ post: 'a', id: 5 })).toBe(`${baseUrl}/a/5`);
  });

  it('createResource throws without a path', () => {
    // @ts-expect-error -- no path
    expect(() => createResource({ schema: CommentWithText })).toThrow();
  });

  it('reading one item returns an instance of the schema of the resource', async () => {
    server.json('GET /posts/a/comments/1', { id: '1', text: 'Hello' });
    const CommentResource = createResource({ urlPrefix: baseUrl, path, schema: CommentWithText });
    const comment = await new Controller().fetch(CommentResource.get, { post: 'a', id: '1' });
    expect(comment).toBeInstanceOf(CommentWithText);
    expect(comment).toEqual(CommentWithText.fromJS({ id: '1', text: 'Hello' }));
  });

  it('createResource throws without a schema', () => {
    // @ts-expect-error -- no schema
    expect(() => createResource({ path })).toThrow();
  });

  it('the endpoints of a resource place urlPrefix before the path', () => {
    const { get, getList } = createResource({ urlPrefix: `${baseUrl}/v2`, path, schema: CommentWithText });
    expect(get.url({ post: 'a', id: '1' })).toBe(`${baseUrl}/v2/posts/a/comments/1`);
    expect(getList.url({ post: 'a' })).toBe(`${baseUrl}/v2/posts/a/comments`);
  });

  it('the URL of an endpoint without urlPrefix is its path', () => {
    const { get } = createResource({ path, schema: CommentWithText });
    expect(get.url({ post: 'a', id: '1' })).toBe('/posts/a/comments/1');
  });

  it('cached results stay fresh for dataExpiryLength', async () => {
    server.json('GET /posts/a/comments/1', { id: '1' });
    const CommentResource = createResource({
      urlPrefix: baseUrl,
      path,
      schema: CommentWithText,
      dataExpiryLength: 5000,
    });
    let now = 1_000_000;
    const controller = new Controller({ now: () => now });
    const args = { post: 'a', id: '1' };
    await controller.fetchIfStale(CommentResource.get, args);
    now += 4999;
    await controller.fetchIfStale(CommentResource.get, args);
    expect(server.asked).toHaveLength(1);
    now += 1;
    await controller.fetchIfStale(CommentResource.get, args);
    expect(server.asked).toHaveLength(2);
  });

  it('cached results stay fresh forever if dataExpiryLength is Infinity', async () => {
    server.json('GET /posts/a/comments/1', { id: '1' });
    const CommentResource = createResource({
      urlPrefix: baseUrl,
      path,
      schema: CommentWithText,
      dataExpiryLength: Infinity,
    });
    let now = 1_000_000;
    const controller = new Controller({ now: () => now });
    await controller.fetchIfStale(CommentResource.get, { post: 'a', id: '1' });
    now = Number.MAX_SAFE_INTEGER;
    await controller.fetchIfStale(CommentResource.get, { post: 'a', id: '1' });
    expect(server.asked).toHaveLength(1);
  });
});

describe('2.1 members of a Resource', () => {
  const CommentResource = createResource({ urlPrefix: baseUrl, path, schema: CommentWithText });

  it.each(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'] as const)(
    '%s is a RestEndpoint with path, method and schema',
    (name) => {
      const endpoint = CommentResource[name];
      expect(endpoint).toBeInstanceOf(RestEndpoint);
      expect(typeof endpoint.path).toBe('string');
      expect(typeof endpoint.method).toBe('string');
      expect(endpoint.schema).toBeDefined();
    },
  );

  it('extend(options) returns a new endpoint with overridden options, and leaves the old one unchanged', async () => {
    server.json('GET /posts/a/comments/1', { id: '1', text: 'Hello' });
    const summary = CommentResource.get.extend({ schema: CommentSummary });
    expect(summary).not.toBe(CommentResource.get);
    expect([summary.path, summary.method, summary.schema]).toEqual([path, 'GET', CommentSummary]);
    expect(CommentResource.get.schema).toBe(CommentWithText);

    const controller = new Controller();
    const args = { post: 'a', id: '1' };
    expect(await controller.fetch(summary, args)).toBeInstanceOf(CommentSummary);
    expect(await controller.fetch(CommentResource.get, args)).toBeInstanceOf(CommentWithText);
  });

  it('extend(options) can override path and method', async () => {
    server.json('POST /comments/1/hide', { id: '1', text: '' });
    const hide = CommentResource.get.extend({ path: '/comments/:id/hide', method: 'POST', body: undefined });
    await new Controller().fetch(hide, { id: '1' });
    expect(server.asked).toEqual(['POST /comments/1/hide']);
  });
});
