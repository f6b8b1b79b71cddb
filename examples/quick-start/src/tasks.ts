import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

export class Task extends Entity {
  id = '';
  text = '';
  isDone = false;

  static override key = 'Task';
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
});

export const controller = new Controller({
  plugins: [
    indexedDB({ name: 'quick-start', persist: 'all' }),
    outbox({ endpoints: [TaskResource], name: 'quick-start' }),
  ],
});
