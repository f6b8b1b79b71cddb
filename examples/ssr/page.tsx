import { createResource, Entity, type Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, useController, useSuspense } from 'holdfast/react';

class Task extends Entity {
  id = '';
  title = '';
  done = false;

  static override key = 'Task';
}

/** A server has no address for others to be relative to. */
const urlPrefix = typeof location === 'undefined' ? `http://localhost:${process.env.PORT ?? ''}` : '';
const TaskResource = createResource({ path: '/api/tasks/:id', schema: Task, urlPrefix, optimistic: true });

function Tasks() {
  const controller = useController();
  const tasks = useSuspense(TaskResource.getList);
  const change = ({ id, done }: Task) => {
    void controller.fetch(TaskResource.partialUpdate, { id }, { done: !done });
  };
  return (
    <ul>
      {tasks.map((task) => (
        <li key={task.id}>
          <label>
            <input type="checkbox" checked={task.done} onChange={() => change(task)} /> {task.title}
          </label>
        </li>
      ))}
    </ul>
  );
}

export function Page({ controller }: { readonly controller: Controller }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Tasks</title>
      </head>
      <body>
        <DataProvider controller={controller}>
          <h1>Tasks</h1>
          <AsyncBoundary fallback={<p>Loading…</p>}>
            <Tasks />
          </AsyncBoundary>
        </DataProvider>
      </body>
    </html>
  );
}
