import { Controller, createResource, Entity } from 'holdfast';
import { createServer } from 'node:http';
import { api } from '../api.mjs';

const server = createServer(api).listen(0);
await new Promise((resolve) => server.on('listening', resolve));

class Task extends Entity {
  id = '';
  title = '';
  done = false;

  static key = 'Task';
}
const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  urlPrefix: `http://localhost:${server.address().port}`,
});

const controller = new Controller();

const tasks = await controller.fetch(TaskResource.getList);
console.log(`${tasks.filter(({ done }) => !done).length} of ${tasks.length} to do`);

// The list has brought it: no second request.
const task = await controller.fetchIfStale(TaskResource.get, { id: '1' });
console.log(`First: ${task.title}`);

const stop = controller.watch(TaskResource.getList, (list) => {
  console.log(`Now ${list.filter(({ done }) => !done).length} to do`);
});
await controller.fetch(TaskResource.partialUpdate, { id: '1' }, { done: true });
stop();

server.close();
