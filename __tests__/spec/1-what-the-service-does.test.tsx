/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { Controller, createResource, Entity, hookifyResource, RestEndpoint } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { baseUrl, startServer } from './server.ts';
import { expectText, settle, show, text } from './show.tsx';
import { User } from '../support/entities.ts';

class ArticleByUser extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Article';
  static override schema = { author: User };
}

const ArticleResource = createResource({ urlPrefix: baseUrl, path: '/articles/:id', schema: ArticleByUser });
const hooks = hookifyResource(ArticleResource, () => ({ headers: { 'X-App': 'seed' } }));

const server = startServer();
const one = { id: '1', title: 'One', author: { id: 'u', name: 'Ann' } };

describe('1 what the service does', () => {
  it('1: a Resource is a collection of RestEndpoints made of a path pattern and a schema', () => {
    const endpoints = Object.values(ArticleResource).filter((member) => member instanceof RestEndpoint);
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /articles/:id',
      'GET /articles',
      'POST /articles',
      'PUT /articles/:id',
      'PATCH /articles/:id',
      'DELETE /articles/:id',
    ]);
  });

  it('2: entities in responses are kept once in a shared cache, and denormalized when read', async () => {
    server.json('GET /articles/1', one);
    server.json('GET /articles', [one, { ...one, id: '2' }]);
    const controller = new Controller();
    const article = await controller.fetch(ArticleResource.get, { id: '1' });
    const list = await controller.fetch(ArticleResource.getList);
    expect(list[0]).toBe(article);
    expect(list[1]?.author).toBe(article.author);
    const { tables } = controller.getState();
    expect([tables['Article']?.size, tables['User']?.size]).toEqual([2, 1]);
  });

  it('3: the wrapper turns every endpoint into a hook that returns a RestEndpoint', async () => {
    server.json('GET /articles/1', one);
    let endpoint: unknown;
    function Title(): ReactElement {
      const get = hooks.useGet();
      endpoint = get;
      return <p>{useSuspense(get, { id: '1' }).title}</p>;
    }
    await show(new Controller(), <Title />);
    await expectText('One');
    expect(endpoint).toBeInstanceOf(RestEndpoint);
    expect(server.received[0]?.headers.get('x-app')).toBe('seed');
  });

  it('4: the read hook suspends rendering until its data is available', async () => {
    server.json('GET /articles/1', one);
    const release = server.hold();
    function Byline(): ReactElement {
      const { title, author } = useSuspense(ArticleResource.get, { id: '1' });
      return <p>{`${title} by ${author.name}`}</p>;
    }
    await show(new Controller(), <Byline />);
    await settle();
    expect(text()).toBe('loading');
    release();
    await expectText('One by Ann');
  });

  it("5: mutations pass an endpoint and its arguments to a controller's fetch", async () => {
    server.json('GET /articles/1', one);
    server.json('PUT /articles/1', { ...one, title: 'New' });
    let mutate = (): Promise<ArticleByUser> => Promise.reject(new Error('not rendered yet'));
    function Title(): ReactElement {
      const controller = useController();
      mutate = () => controller.fetch(ArticleResource.update, { id: '1' }, { title: 'New' });
      return <p>{useSuspense(ArticleResource.get, { id: '1' }).title}</p>;
    }
    await show(new Controller(), <Title />);
    await expectText('One');
    await act(async () => {
      await mutate();
    });
    await expectText('New');
    expect(server.asked).toEqual(['GET /articles/1', 'PUT /articles/1']);
  });
});
