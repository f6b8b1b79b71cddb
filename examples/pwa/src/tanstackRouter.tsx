// The routes of main.tsx by TanStack Router, which takes the place of React Router then. The example does not load this file.
import {
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import { AsyncBoundary, useSuspense } from 'holdfast/react';
import { controller } from './controller';
import { TaskResource } from './resources';

// Does not wait: the component suspends, and its boundary shows failures.
function preload(...reads: readonly unknown[]): void {
  void Promise.allSettled(reads);
}

const rootRoute = createRootRoute();
const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$id',
  loader: ({ params: { id } }) =>
    preload(controller.fetchIfStale(TaskResource.get, { id })),
  component: () => (
    <AsyncBoundary fallback="Loading…" children={<TaskPage />} />
  ),
});
export const router = createRouter({
  routeTree: rootRoute.addChildren([taskRoute]),
  // Calls the loader at each visit: the store decides what is fresh.
  defaultStaleTime: 0,
  defaultPreloadStaleTime: 0,
});

function TaskPage() {
  const { id } = taskRoute.useParams();
  return <h1>{useSuspense(TaskResource.get, { id }).title}</h1>;
}
