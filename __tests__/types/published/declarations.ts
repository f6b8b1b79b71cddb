/**
 * Exports without annotations, in a module that imports only functions and classes: TypeScript must find a public name for
 * each inferred type, or fails with TS2742 or TS4023 where declarations are emitted, as in a monorepo.
 */
import {
  All,
  Collection,
  Controller,
  createResource,
  Delete,
  Entity,
  hookifyResource,
  logout,
  Query,
  reachability,
  refetchOn,
  RestEndpoint,
  retry,
  Select,
  serialize,
  Union,
  Values,
} from 'holdfast';
import { devtools } from 'holdfast/devtools';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { useController, useDLE, useFetch, useQuery, useStatus, useSuspense } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { mockRequests, renderDataHook } from 'holdfast/testing';

class Task extends Entity {
  id = '';
  text = '';
  isDone = false;
  static override key = 'Task';
}
class Note extends Entity {
  id = '';
  type = 'note' as const;
  static override key = 'Note';
}

export const TaskResource = createResource({ path: '/users/:user/tasks/:id', schema: Task });
export const { get, getList, create, update, partialUpdate } = TaskResource;
export const remove = TaskResource.delete;
export const { push, unshift, move, getPage } = TaskResource.getList;
export const paginated = TaskResource.getList.paginated('cursor');
export const archive = TaskResource.update.extend({
  path: '/tasks/:id/archive',
  method: 'POST',
  body: undefined,
});
export const wrapped = TaskResource.getList.extend({ schema: { data: new Collection([Task]), total: 0 } });
export const useTaskResource = hookifyResource(TaskResource, () => ({ headers: { token: '' } }));
export const feed = new RestEndpoint({ path: '/feed', schema: new Union({ note: Note }, 'type') });
export const byId = new RestEndpoint({ path: '/byId', schema: new Values(Task) });
export const drop = new RestEndpoint({ path: '/tasks/:id', method: 'DELETE', schema: new Delete(Task) });
export const done = new Query(new All(Task), (tasks) => tasks.filter((task) => task.isDone));
export const selected = new Select(Task, { where: { isDone: true } });

export const box = outbox({ endpoints: [TaskResource] });
export const boxStatus = box.status;
export const entries = box.status.get().entries;
export const storage = memoryStorage();
export const disk = indexedDB({ name: 'app', storage });
export const diskStatus = disk.status;
export const sync = tabs();
export const tools = devtools();
export const server = reachability();
export const others = [logout({ when: () => false }), refetchOn(), retry()];
export const controller = new Controller({ plugins: [disk, box, sync, server] });
export const state = controller.getState();
export const response = controller.getResponse(TaskResource.get, { user: 'a', id: '1' });
export const serialized = serialize(controller);
export const mocks = mockRequests([]);

export function useTasks() {
  return {
    controller: useController(),
    list: useSuspense(TaskResource.getList, { user: 'a' }),
    loading: useDLE(TaskResource.get, { user: 'a', id: '1' }),
    fetched: useFetch(TaskResource.get, { user: 'a', id: '1' }),
    done: useQuery(done),
    status: useStatus(box.status),
  };
}
export const rendered = () => renderDataHook(useTasks);
