import type { Controller } from 'holdfast';
import { type Task, TaskResource } from '../../examples/openapi/resources.ts';
import { assertType, type Equal } from './equal.ts';

export async function exampleOpenapi(controller: Controller): Promise<void> {
  const tasks = await controller.fetch(TaskResource.getList, { done: true });
  assertType<Equal<typeof tasks, Task[]>>();
  // @ts-expect-error a query parameter that the document does not have
  await controller.fetch(TaskResource.getList, { dune: true });
  // @ts-expect-error a query parameter of another type
  await controller.fetch(TaskResource.getList, { done: 'yes' });
  // @ts-expect-error a field of the body that the document does not have
  await controller.fetch(TaskResource.partialUpdate, { id: '1' }, { dune: true });
  // @ts-expect-error the path needs the pk
  await controller.fetch(TaskResource.partialUpdate, {}, { done: true });
}
