import { useOutbox } from 'holdfast/outbox';
import { AsyncBoundary, DataProvider, useController, useSuspense } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { controller, TaskResource, type Task } from './tasks';

function TaskItem({ task }: { readonly task: Task }) {
  const { fetch } = useController();
  const { isPending } = useOutbox();
  const toggle = () => fetch(TaskResource.partialUpdate, { id: task.id }, { isDone: !task.isDone });
  return (
    <li>
      <label>
        <input type="checkbox" checked={task.isDone} onChange={() => void toggle()} />
        {` ${task.text}`}
      </label>
      {isPending(task) && ' (not sent yet)'}
    </li>
  );
}

function TaskList() {
  const { keyOf } = useController();
  const tasks = useSuspense(TaskResource.getList);
  return (
    <ul>
      {tasks.map((task) => (
        <TaskItem key={keyOf(task)} task={task} />
      ))}
    </ul>
  );
}

function NewTask() {
  const { fetch } = useController();
  const add = (form: FormData) => {
    void fetch(TaskResource.create, { text: String(form.get('text')) });
  };
  return (
    <form action={add}>
      <input name="text" aria-label="New task" required /> <button>Add</button>
    </form>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <h1>Tasks</h1>
      <NewTask />
      <AsyncBoundary fallback={<p>Loading…</p>}>
        <TaskList />
      </AsyncBoundary>
    </DataProvider>
  </StrictMode>,
);
