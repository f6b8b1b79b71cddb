/* global expect, it */
import { render, screen, waitFor } from '@testing-library/react';
import { Controller, createResource, Entity } from 'holdfast';
import { useController, useDLE, useSuspense } from 'holdfast/react';
import { MockResolver, mockRequests, renderDataHook } from 'holdfast/testing';
import { Suspense } from 'react';

class Article extends Entity {
  id = 0;
  title = '';

  static key = 'Article';
}
const ArticleResource = createResource({ path: '/articles/:id', schema: Article });

it('renderDataHook renders a hook with a fixture', async () => {
  const { result } = renderDataHook(() => useSuspense(ArticleResource.get, { id: 5 }), {
    resolverFixtures: [
      { endpoint: ArticleResource.get, args: [{ id: 5 }], response: { id: 5, title: 'Five' }, delay: 5 },
    ],
  });
  expect(result.current).toBe(null);
  await waitFor(() => expect(result.current?.title).toBe('Five'));
  expect(result.current).toBeInstanceOf(Article);
});

it('renderDataHook renders a hook with an error', async () => {
  const { result } = renderDataHook(() => useDLE(ArticleResource.get, { id: 5 }), {
    resolverFixtures: [{ endpoint: ArticleResource.get, error: new Error('Gone') }],
  });
  expect(result.current.loading).toBe(true);
  await waitFor(() => expect(result.current.error?.message).toBe('Gone'));
});

it('renderDataHook renders a hook with stored data', () => {
  const { result } = renderDataHook(() => useSuspense(ArticleResource.getList), {
    initialFixtures: [{ endpoint: ArticleResource.getList, args: [], response: [{ id: 1, title: 'One' }] }],
    resolverFixtures: [],
  });
  expect(result.current.map(({ title }) => title)).toEqual(['One']);
});

it('MockResolver renders a component', async () => {
  function Titles() {
    const controller = useController();
    const articles = useSuspense(ArticleResource.getList);
    const add = () => controller.fetch(ArticleResource.create, { title: 'Two' });
    return <button onClick={add}>{articles.map(({ title }) => title).join(', ')}</button>;
  }
  render(
    <MockResolver
      fixtures={[
        { endpoint: ArticleResource.getList, response: [{ id: 1, title: 'One' }] },
        { endpoint: ArticleResource.create, response: (body) => ({ id: 2, ...body }) },
      ]}
    >
      <Suspense fallback="Loading">
        <Titles />
      </Suspense>
    </MockResolver>,
  );
  (await screen.findByText('One')).click();
  await screen.findByText('One, Two');
});

it('mockRequests answers code without React', async () => {
  const controller = new Controller({
    plugins: [
      mockRequests([{ endpoint: ArticleResource.get, response: ({ id }) => ({ id, title: 'Any' }) }]),
    ],
  });
  expect((await controller.fetch(ArticleResource.get, { id: 7 })).title).toBe('Any');
  await expect(controller.fetch(ArticleResource.delete, { id: 7 })).rejects.toThrow('No fixture answers');
});
