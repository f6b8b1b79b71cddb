/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { Controller, createResource } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { baseUrl, startServer } from './server.ts';
import { expectError, expectText, quietErrors, settle, show, text } from './show.tsx';
import { ArticleWithAuthor, Author } from '../support/entities.ts';

const AuthorResource = createResource({ urlPrefix: baseUrl, path: '/authors/:id', schema: Author });
const ArticleResource = createResource({
  urlPrefix: baseUrl,
  path: '/articles/:id',
  schema: ArticleWithAuthor,
});
const LENGTH = 60_000;

const server = startServer();
quietErrors();
let now = 1_000_000;
let controller: Controller;

const article = (id: string, title: string) => ({ id, title, author: { id: 'u', name: 'Ann' } });

beforeEach(() => {
  now = 1_000_000;
  controller = new Controller({ now: () => now });
  server.json('GET /articles/1', article('1', 'One'));
  server.json('GET /articles/2', article('2', 'Two'));
});

function Title({ id }: { id: string }): ReactElement {
  const { title, author } = useSuspense(ArticleResource.get, { id });
  return <p>{`${title} by ${author.name}`}</p>;
}

/** Shows the first article, and changes it on the server. */
async function showThenChange(): Promise<Awaited<ReturnType<typeof show>>> {
  const rerender = await show(controller, <Title id="1" />);
  await expectText('One by Ann');
  server.json('GET /articles/1', article('1', 'New'));
  return rerender;
}

/** React keeps what a fallback stands in for, but hides it. */
function expectHidden(old: string): void {
  expect(screen.getByText('loading').style.display).toBe('');
  expect(screen.getByText(old).style.display).toBe('none');
}

describe('3 a fetch is triggered', () => {
  it('the first render triggers a fetch', async () => {
    await show(controller, <Title id="1" />);
    await expectText('One by Ann');
    expect(server.asked).toEqual(['GET /articles/1']);
  });

  it('changed parameters trigger a fetch', async () => {
    const rerender = await showThenChange();
    await rerender(<Title id="2" />);
    await expectText('Two by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'GET /articles/2']);
  });

  it('the deletion of the entity triggers a fetch', async () => {
    await showThenChange();
    server.json('DELETE /articles/1', { id: '1' });
    await act(() => controller.fetch(ArticleResource.delete, { id: '1' }));
    await expectText('New by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'DELETE /articles/1', 'GET /articles/1']);
  });

  it('the deletion of a required nested entity triggers a fetch', async () => {
    await showThenChange();
    server.json('DELETE /authors/u', {});
    await act(() => controller.fetch(AuthorResource.delete, { id: 'u' }));
    await expectText('New by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'DELETE /authors/u', 'GET /articles/1']);
  });

  it('the deletion of another entity triggers no fetch', async () => {
    await showThenChange();
    server.json('DELETE /articles/2', {});
    await act(() => controller.fetch(ArticleResource.delete, { id: '2' }));
    await settle();
    expect(text()).toBe('One by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'DELETE /articles/2']);
  });

  it('an invalidation triggers a fetch', async () => {
    await showThenChange();
    act(() => controller.invalidate(ArticleResource.get, { id: '1' }));
    await expectText('New by Ann');
    expect(server.asked).toEqual(['GET /articles/1', 'GET /articles/1']);
  });

  it('another render triggers no fetch, even if the data is stale', async () => {
    const rerender = await showThenChange();
    now += LENGTH + 1;
    await rerender(<Title id="1" />);
    await settle();
    expect(text()).toBe('One by Ann');
    expect(server.asked).toEqual(['GET /articles/1']);
  });
});

describe('3 fetch guard', () => {
  it('useSuspense fetches if the data is absent', async () => {
    await controller.fetch(ArticleResource.get, { id: '2' });
    await show(controller, <Title id="1" />);
    await expectText('One by Ann');
    expect(server.asked).toEqual(['GET /articles/2', 'GET /articles/1']);
  });

  it('useSuspense fetches on mount if the data is stale', async () => {
    await controller.fetch(ArticleResource.get, { id: '1' });
    server.json('GET /articles/1', article('1', 'New'));
    now += LENGTH;
    await show(controller, <Title id="1" />);
    await expectText('New by Ann');
    expect(server.asked).toHaveLength(2);
  });

  it('useSuspense does not fetch if the data is fresh', async () => {
    await controller.fetch(ArticleResource.get, { id: '1' });
    now += LENGTH - 1;
    await show(controller, <Title id="1" />);
    await settle();
    expect(text()).toBe('One by Ann');
    expect(server.asked).toHaveLength(1);
  });

  it('useSuspense shares an identical request in flight', async () => {
    const release = server.hold();
    const fetched = controller.fetch(ArticleResource.get, { id: '1' });
    await show(
      controller,
      <>
        <Title id="1" />
        <Title id="1" />
      </>,
    );
    await settle();
    release();
    await expectText('One by AnnOne by Ann');
    expect((await fetched).title).toBe('One');
    expect(server.asked).toEqual(['GET /articles/1']);
  });

  it('useSuspense does not fetch if the parameters are null', async () => {
    function Maybe({ id }: { id: string | null }): ReactElement {
      const found = useSuspense(ArticleResource.get, id === null ? null : { id });
      return <p>{found === undefined ? 'nothing' : found.title}</p>;
    }
    const rerender = await show(controller, <Maybe id={null} />);
    await settle();
    expect(text()).toBe('nothing');
    expect(server.asked).toEqual([]);
    await rerender(<Maybe id="1" />);
    await expectText('One');
  });
});

describe('3 loading, with previously cached data', () => {
  it('useSuspense returns stale data while it fetches', async () => {
    await controller.fetch(ArticleResource.get, { id: '1' });
    server.json('GET /articles/1', article('1', 'New'));
    now += 10 * LENGTH;
    const release = server.hold();
    await show(controller, <Title id="1" />);
    await settle();
    expect(server.asked).toHaveLength(2);
    expect(text()).toBe('One by Ann');
    release();
    await expectText('New by Ann');
  });

  it('useSuspense suspends after the entity was deleted, until the response arrives', async () => {
    await showThenChange();
    server.json('DELETE /articles/1', {});
    const release = server.hold('GET');
    await act(() => controller.fetch(ArticleResource.delete, { id: '1' }));
    await settle();
    expectHidden('One by Ann');
    release();
    await expectText('New by Ann');
  });

  it('useSuspense suspends after an invalidation, until the response arrives', async () => {
    await showThenChange();
    const release = server.hold();
    act(() => controller.invalidate(ArticleResource.get, { id: '1' }));
    await settle();
    expectHidden('One by Ann');
    release();
    await expectText('New by Ann');
  });
});

describe('3 loading, with no usable cached data', () => {
  it('useSuspense suspends until the first data arrives', async () => {
    const release = server.hold();
    await show(controller, <Title id="1" />);
    await settle();
    expect(text()).toBe('loading');
    release();
    await expectText('One by Ann');
  });
});

describe('3 fetch fails', () => {
  it('a failed fetch shows the nearest error boundary', async () => {
    await show(controller, <Title id="absent" />);
    expect(await expectError()).toMatch('404');
  });
});

describe('3 cache policy', () => {
  it('readers show stale data first and share one refresh', async () => {
    await controller.fetch(ArticleResource.get, { id: '1' });
    server.json('GET /articles/1', article('1', 'New'));
    now += LENGTH;
    const shown: string[] = [];
    function Watch(): ReactElement {
      const { title } = useSuspense(ArticleResource.get, { id: '1' });
      shown.push(title);
      return <p>{title}</p>;
    }
    await show(
      controller,
      <>
        <Watch />
        <Title id="1" />
      </>,
    );
    await expectText('NewNew by Ann');
    expect([...new Set(shown)]).toEqual(['One', 'New']);
    expect(server.asked).toHaveLength(2);
  });

  it('an endpoint with invalidIfStale suspends instead of showing stale data', async () => {
    const strict = ArticleResource.get.extend({ invalidIfStale: true });
    function Strict(): ReactElement {
      return <p>{useSuspense(strict, { id: '1' }).title}</p>;
    }
    await controller.fetch(strict, { id: '1' });
    server.json('GET /articles/1', article('1', 'New'));
    now += LENGTH;
    const release = server.hold();
    await show(controller, <Strict />);
    await settle();
    expect(text()).toBe('loading');
    release();
    await expectText('New');
  });

  it('dataExpiryLength of a controller configures how long data is fresh', async () => {
    controller = new Controller({ now: () => now, dataExpiryLength: 10 });
    await controller.fetch(ArticleResource.get, { id: '1' });
    server.json('GET /articles/1', article('1', 'New'));
    now += 10;
    await show(controller, <Title id="1" />);
    await expectText('New by Ann');
  });

  it('errorPolicy decides whether stored data is shown in spite of an error', async () => {
    function Firm({ policy }: { policy: 'soft' | 'hard' }): ReactElement {
      const endpoint = ArticleResource.get.extend({ errorPolicy: () => policy });
      return <p>{useSuspense(endpoint, { id: '1' }).title}</p>;
    }
    await controller.fetch(ArticleResource.get, { id: '1' });
    server.respond('GET /articles/1', () => new Response(null, { status: 410 }));
    await controller.fetch(ArticleResource.get, { id: '1' }).catch(() => undefined);
    const rerender = await show(controller, <Firm policy="soft" />);
    await settle();
    expect(text()).toBe('One');
    await rerender(<Firm policy="hard" />);
    expect(await expectError()).toMatch('410');
  });
});
