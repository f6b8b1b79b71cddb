import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { mockRequests } from 'holdfast/testing';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Note, openPage } from './cases.mjs';

it('a loader of TanStack Router starts the read, and the route shows it with one request', async () => {
  const { notes } = openPage();
  const asked = [];
  const answer = ({ id }) => {
    asked.push(id);
    return { id, text: `Note ${id}` };
  };
  const controller = new Controller({
    plugins: [mockRequests([{ endpoint: notes.get, response: answer }])],
  });
  const loaded = [];
  const rootRoute = createRootRoute();
  const noteRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/notes/$id',
    loader: ({ params: { id } }) => {
      loaded.push(id);
      void Promise.allSettled([controller.fetchIfStale(notes.get, { id })]);
    },
    component: () => createElement(AsyncBoundary, { fallback: 'Loading…' }, createElement(NotePage)),
  });
  function NotePage() {
    const { id } = noteRoute.useParams();
    return createElement('h1', null, useSuspense(notes.get, { id }).text);
  }
  const router = createRouter({
    routeTree: rootRoute.addChildren([noteRoute]),
    history: createMemoryHistory({ initialEntries: ['/notes/1'] }),
    defaultStaleTime: 0,
    defaultPreloadStaleTime: 0,
  });
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(createElement(DataProvider, { controller }, createElement(RouterProvider, { router })));

  const shows = async (text) => {
    while (!container.textContent.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await shows('Note 1');
  await router.navigate({ to: '/notes/$id', params: { id: '2' } });
  await shows('Note 2');
  await router.navigate({ to: '/notes/$id', params: { id: '1' } });
  await shows('Note 1');
  expect(loaded).toEqual(['1', '2', '1']);
  expect(asked).toEqual(['1', '2']);
  expect(controller.get(Note, { id: '2' }).text).toBe('Note 2');
  root.unmount();
  await controller.stop();
});
