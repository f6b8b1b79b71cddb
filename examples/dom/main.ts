import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';

class Task extends Entity {
  id = '';
  title = '';
  done = false;

  static override key = 'Task';
}
const TaskResource = createResource({ path: '/api/tasks/:id', schema: Task, optimistic: true });
const controller = new Controller({ plugins: [indexedDB({ name: 'tasks', persist: 'all' })] });

const list = document.querySelector('#tasks');
/** The element of each task, and the task that it shows. */
const shown = new Map<string, { item: HTMLElement; task: Task }>();

function show(task: Task): HTMLElement {
  const before = shown.get(task.id);
  if (before?.task === task) return before.item; // the same object: nothing in it has changed
  const item = document.createElement('li');
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = task.done;
  box.onchange = () => controller.fetch(TaskResource.partialUpdate, { id: task.id }, { done: box.checked });
  label.append(box, ` ${task.title}`);
  item.append(label);
  shown.set(task.id, { item, task });
  return item;
}

const render = (tasks: readonly Task[] | undefined) => list?.replaceChildren(...(tasks ?? []).map(show));

controller.watch(TaskResource.getList, render);
render(await controller.fetchIfStale(TaskResource.getList));
