/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { Controller, createResource, hookifyResource } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { createContext, useContext, type ReactElement, type ReactNode } from 'react';
import { baseUrl, startServer } from './server.ts';
import { expectText, show } from './show.tsx';
import { Article } from '../support/entities.ts';

const Token = createContext('');
const ArticleResource = createResource({ urlPrefix: baseUrl, path: '/articles/:id', schema: Article });
const { useGet, usePartialUpdate } = hookifyResource(ArticleResource, function useInit() {
  return { headers: { 'Access-Token': useContext(Token) } };
});

const server = startServer();
const tokens = () => server.received.map(({ headers }) => headers.get('access-token'));

function Title(): ReactElement {
  const controller = useController();
  const rename = usePartialUpdate();
  return (
    <button
      onClick={() => {
        void controller.fetch(rename, { id: '1' }, { title: 'New' });
      }}
    >
      {useSuspense(useGet(), { id: '1' }).title}
    </button>
  );
}
const as = (token: string, children: ReactNode) => <Token value={token}>{children}</Token>;

describe('5 authentication', () => {
  it('the library sends no credentials of its own', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    await new Controller().fetch(ArticleResource.get, { id: '1' });
    const names = [...(server.received[0]?.headers.keys() ?? [])];
    expect(names.filter((name) => /auth|token|cookie/i.test(name))).toEqual([]);
  });

  it('a token from context travels in a header, with reads and with mutations', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    server.json('PATCH /articles/1', { id: '1', title: 'New' });
    await show(new Controller(), as('<ACCESS_TOKEN>', <Title />));
    await expectText('One');
    await act(async () => {
      document.querySelector('button')?.click();
      return Promise.resolve();
    });
    await expectText('New');
    expect(tokens()).toEqual(['<ACCESS_TOKEN>', '<ACCESS_TOKEN>']);
  });

  it('the header follows the context: the next request carries the new token', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    const controller = new Controller();
    const rerender = await show(controller, as('old', <Title />));
    await expectText('One');
    await rerender(as('new', <Title />));
    server.json('GET /articles/1', { id: '1', title: 'Again' });
    act(() => controller.invalidate(ArticleResource.get, { id: '1' }));
    await expectText('Again');
    expect(tokens()).toEqual(['old', 'new']);
  });

  it('a request with a refused token rejects with the status of the response', async () => {
    server.respond('GET /articles/1', () => new Response(null, { status: 401 }));
    await expect(new Controller().fetch(ArticleResource.get, { id: '1' })).rejects.toMatchObject({
      status: 401,
    });
  });
});
