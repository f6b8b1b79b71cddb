/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { Controller, createResource, Endpoint, Entity, RestEndpoint } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { assertType, type Equal } from '../types/equal.ts';
import { baseUrl, startServer } from './server.ts';
import { expectText, settle, show, text } from './show.tsx';
import { User } from '../support/entities.ts';

class ArticleWithAuthorId extends Entity {
  id = '';
  title = '';
  authorId: string | null = null;
  static override key = 'Article';
}

const UserResource = createResource({ urlPrefix: baseUrl, path: '/users/:id', schema: User });
const ArticleResource = createResource({
  urlPrefix: baseUrl,
  path: '/articles/:id',
  schema: ArticleWithAuthorId,
});

const server = startServer();
let controller: Controller;

beforeEach(() => {
  controller = new Controller();
  server.json('GET /articles/1', { id: '1', title: 'One', authorId: 'u' });
  server.json('GET /articles', [
    { id: '1', title: 'One', authorId: 'u' },
    { id: '2', title: 'Two' },
  ]);
  server.json('GET /users/u', { id: 'u', name: 'Ann' });
});

describe('4.2 signature and return', () => {
  it('useSuspense accepts an endpoint of a resource', async () => {
    let seen: unknown;
    function Read(): ReactElement {
      const article = useSuspense(ArticleResource.get, { id: '1' });
      assertType<Equal<typeof article, ArticleWithAuthorId>>();
      seen = article;
      return <p>{article.title}</p>;
    }
    await show(controller, <Read />);
    await expectText('One');
    expect(seen).toBe(controller.get(ArticleWithAuthorId, { id: '1' }));
  });

  it('useSuspense accepts a RestEndpoint', async () => {
    const endpoint = new RestEndpoint({ urlPrefix: baseUrl, path: '/users/:id', schema: User });
    function Read(): ReactElement {
      return <p>{useSuspense(endpoint, { id: 'u' }).name}</p>;
    }
    await show(controller, <Read />);
    await expectText('Ann');
  });

  it('useSuspense needs no args if the endpoint has no parameters', async () => {
    function Read(): ReactElement {
      return <p>{useSuspense(ArticleResource.getList).length}</p>;
    }
    await show(controller, <Read />);
    await expectText('2');
  });

  it.each([
    ['an object', { version: 7 }],
    ['a number', 0],
    ['a boolean', false],
    ['null', null],
    ['a text', 'plain'],
  ])('useSuspense returns what an endpoint without a schema returns: %s', async (_what, value) => {
    const endpoint = new Endpoint(() => Promise.resolve(value), { name: 'getVersion' });
    function Read(): ReactElement {
      return <p>{`got ${JSON.stringify(useSuspense(endpoint))}`}</p>;
    }
    await show(controller, <Read />);
    await expectText(`got ${JSON.stringify(value)}`);
  });

  it('useSuspense returns the response of a RestEndpoint without a schema', async () => {
    server.json('GET /version', { version: 7 });
    const endpoint = new RestEndpoint({ urlPrefix: baseUrl, path: '/version' });
    function Read(): ReactElement {
      return <p>{JSON.stringify(useSuspense(endpoint))}</p>;
    }
    await show(controller, <Read />);
    await expectText('{"version":7}');
  });
});

describe('4.2.1 args of null', () => {
  function AuthorOf({ authorId }: { authorId: string | null }): ReactElement {
    const author = useSuspense(UserResource.get, authorId === null ? null : { id: authorId });
    return <p>{author === undefined ? 'no author' : author.name}</p>;
  }

  it('useSuspense returns undefined for null args, without a fetch', async () => {
    await show(controller, <AuthorOf authorId={null} />);
    await settle();
    expect(text()).toBe('no author');
    expect(server.asked).toEqual([]);
  });

  it('args of useSuspense may change from null to parameters and back', async () => {
    const rerender = await show(controller, <AuthorOf authorId={null} />);
    await rerender(<AuthorOf authorId="u" />);
    await expectText('Ann');
    await rerender(<AuthorOf authorId={null} />);
    await expectText('no author');
    expect(server.asked).toEqual(['GET /users/u']);
  });
});

describe('4.2.2 sequential reads', () => {
  it('a second useSuspense can use fields of the first result, and the code between them runs only with data', async () => {
    const seen: unknown[] = [];
    function Both(): ReactElement {
      const article = useSuspense(ArticleResource.get, { id: '1' });
      seen.push(article.authorId);
      const author = useSuspense(
        UserResource.get,
        article.authorId === null ? null : { id: article.authorId },
      );
      seen.push(author?.name);
      return <p>{`${article.title} by ${author?.name ?? ''}`}</p>;
    }
    await show(controller, <Both />);
    await expectText('One by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'GET /users/u']);
    expect([...new Set(seen)]).toEqual(['u', 'Ann']);
  });
});

describe('4.2.3 a schema that is an object of fields', () => {
  it('a schema that is an object of fields returns the same fields, with lists of entities denormalized', async () => {
    server.json('GET /search', {
      results: [
        { id: '2', title: 'Two' },
        { id: '1', title: 'One' },
      ],
      nextPage: 'n',
      prevPage: 'p',
    });
    const search = new RestEndpoint({
      urlPrefix: baseUrl,
      path: '/search',
      schema: { results: [ArticleWithAuthorId], nextPage: '', prevPage: '' },
    });
    let fields: string[] = [];
    function Search(): ReactElement {
      const page = useSuspense(search);
      fields = Object.keys(page);
      const titles = page.results.map((article) => `${article.pk() ?? ''}:${article.title}`);
      return <p>{[page.prevPage, ...titles, page.nextPage].join(' ')}</p>;
    }
    await show(controller, <Search />);
    await expectText('p 2:Two 1:One n');
    expect(fields.sort()).toEqual(['nextPage', 'prevPage', 'results']);
  });
});

describe('4.2.4 a list result', () => {
  it('a list reads as an array of entity instances with pk()', async () => {
    let list: readonly ArticleWithAuthorId[] = [];
    function List(): ReactElement {
      list = useSuspense(ArticleResource.getList);
      return <p>{list.map((article) => article.pk()).join()}</p>;
    }
    await show(controller, <List />);
    await expectText('1,2');
    expect(Array.isArray(list)).toBe(true);
    for (const article of list) expect(article).toBeInstanceOf(ArticleWithAuthorId);
  });
});

describe('4.2.5 mutations and invalidation', () => {
  function Title(): ReactElement {
    const { title } = useSuspense(ArticleResource.get, { id: '1' });
    const mutations = useController();
    const rename = () => mutations.fetch(ArticleResource.partialUpdate, { id: '1' }, { title: 'New' });
    return (
      <button
        onClick={() => {
          void rename();
        }}
      >
        {title}
      </button>
    );
  }

  it('controller.fetch(endpoint, params, body) sends a mutation, and readers show the response', async () => {
    server.json('PATCH /articles/1', { id: '1', title: 'New', authorId: 'u' });
    await show(controller, <Title />);
    await expectText('One');
    await act(async () => {
      document.querySelector('button')?.click();
      return Promise.resolve();
    });
    await expectText('New');
    expect(server.asked).toEqual(['GET /articles/1', 'PATCH /articles/1']);
    expect(server.received[1]?.body).toEqual({ title: 'New' });
  });

  it('fetch resolves with the entity that readers show', async () => {
    server.json('PUT /articles/1', { id: '1', title: 'Put' });
    const article = await controller.fetch(ArticleResource.update, { id: '1' }, { title: 'Put' });
    expect(article).toBeInstanceOf(ArticleWithAuthorId);
    expect(controller.get(ArticleWithAuthorId, { id: '1' })).toBe(article);
  });

  it('a failed mutation rejects and leaves the screen unchanged', async () => {
    await show(controller, <Title />);
    await expectText('One');
    await act(() =>
      expect(
        controller.fetch(ArticleResource.partialUpdate, { id: '1' }, { title: 'New' }),
      ).rejects.toMatchObject({ status: 404 }),
    );
    expect(text()).toBe('One');
  });

  it('controller.invalidate(endpoint, params) makes mounted readers fetch again', async () => {
    await show(controller, <Title />);
    await expectText('One');
    server.json('GET /articles/1', { id: '1', title: 'Fresh' });
    act(() => controller.invalidate(ArticleResource.get, { id: '2' }));
    await settle();
    expect(text()).toBe('One');
    act(() => controller.invalidate(ArticleResource.get, { id: '1' }));
    await expectText('Fresh');
    expect(server.asked).toEqual(['GET /articles/1', 'GET /articles/1']);
  });
});
