import { createResource, Entity } from 'holdfast';
import { z } from 'zod';

/** The shape that the server promises. */
const TaskShape = z.object({
  id: z.string(),
  title: z.string(),
  done: z.boolean(),
});

export class Task extends Entity implements z.infer<typeof TaskShape> {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';

  /** Why a task is invalid; undefined if it is valid. */
  static override validate(task: object): string | undefined {
    const { error } = TaskShape.safeParse(task);
    return error && z.prettifyError(error);
  }
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
});
