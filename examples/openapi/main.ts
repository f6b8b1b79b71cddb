/* oxlint-disable no-console -- it is what the example shows */
import { Controller } from 'holdfast';
import { TaskResource } from './resources.ts';

const controller = new Controller();

const tasks = await controller.fetch(TaskResource.getList, {});
console.log(`${tasks.filter(({ done }) => !done).length} of ${tasks.length} to do`);

const { title } = await controller.fetch(TaskResource.partialUpdate, { id: '1' }, { done: true });
console.log(`Done: ${title}`);
console.log(
  `Now ${controller.getResponse(TaskResource.getList, {}).data?.filter(({ done }) => !done).length} to do`,
);
