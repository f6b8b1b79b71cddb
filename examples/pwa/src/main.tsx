import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Link, useParams } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { controller } from './controller';
import { TaskResource } from './resources';

function Tasks() {
  const tasks = useSuspense(TaskResource.getList);
  return (
    <ul>
      {tasks.map(({ id, title, done }) => (
        <li key={id}>
          <Link to={`/tasks/${id}`}>{title}</Link> {done ? '(done)' : ''}
        </li>
      ))}
    </ul>
  );
}

function TaskPage() {
  const { id = '' } = useParams();
  const { title, done } = useSuspense(TaskResource.get, { id });
  const toggle = () =>
    void controller.fetch(TaskResource.partialUpdate, { id }, { done: !done });
  return (
    <>
      <h1>{title}</h1>
      <label>
        <input type="checkbox" checked={done} onChange={toggle} /> Done
      </label>
      <Link to="/">All tasks</Link>
    </>
  );
}

// Does not wait: the component suspends, and its boundary shows failures.
function preload(...reads: readonly unknown[]): null {
  void Promise.allSettled(reads);
  return null;
}

const router = createBrowserRouter([
  {
    path: '/',
    loader: () => preload(controller.fetchIfStale(TaskResource.getList)),
    element: <AsyncBoundary fallback="Loading…" children={<Tasks />} />,
  },
  {
    path: '/tasks/:id',
    loader: ({ params: { id = '' } }) =>
      preload(controller.fetchIfStale(TaskResource.get, { id })),
    element: <AsyncBoundary fallback="Loading…" children={<TaskPage />} />,
  },
]);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <RouterProvider router={router} />
    </DataProvider>
  </StrictMode>,
);
