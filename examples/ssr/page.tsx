import { createResource, Entity, RestEndpoint, type Controller, type RestEndpointOptions } from 'holdfast';
import { AsyncBoundary, DataProvider, useController, useSuspense } from 'holdfast/react';

class Task extends Entity {
  id = '';
  title = '';
  done = false;

  static override key = 'Task';
}

/** A server has no address for others to be relative to. */
const origin = typeof location === 'undefined' ? `http://localhost:${process.env.PORT ?? ''}` : '';

/** Lists belong to the path that they are fetched by, so that is the same on both sides: only the request differs. */
class TaskEndpoint<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return super.fetchResponse(origin + url, init);
  }
}
const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
  Endpoint: TaskEndpoint,
});

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
