import { describe, expect, it } from '@jest/globals';
import { Collection, Endpoint, Entity } from 'holdfast';
import { answering, freshIndexedDB, openApp, requests, type App } from '../../support/indexedDB.ts';
import { Task } from '../../support/entities.ts';

freshIndexedDB();
/** A list of its own by args, and the same one within its project. */
const projectTasks = new Collection([Task], {
  argsKey: ({ projectId }) => ({ projectId }),
  nestKey: ({ id }) => ({ projectId: id }),
});
class ProjectWithTasks extends Entity {
  id = '';
  tasks: Task[] = [];
  static override key = 'Project';
  static override schema = { tasks: projectTasks };
}

const getProject = answering('getProject', ProjectWithTasks, {
  id: 'p1',
  tasks: [{ id: 't1', text: 'one' }],
});
const getTasks = new Endpoint(async ({ projectId }: { projectId: string }) => [{ id: 't9', projectId }], {
  name: 'getTasks',
  schema: projectTasks,
  dataExpiryLength: Infinity,
});
const createTask = new Endpoint(
  async (_project: { projectId: string }, task: { id: string; text: string }) => task,
  { name: 'createTask', schema: projectTasks.push, sideEffect: true },
);

async function shown({ controller }: App): Promise<readonly [nested: string[], byArgs: string[]]> {
  const { tasks } = await controller.fetchIfStale(getProject);
  const listed = await controller.fetchIfStale(getTasks, { projectId: 'p1' });
  return [tasks.map(({ text }) => text), listed.map(({ text }) => text)];
}

describe.each(['progressive', 'lazy'] as const)('a list within an entity, restored %s', (restore) => {
  it('a nested list is restored under its args, and then takes up pushed members', async () => {
    const first = await openApp({ restore });
    await first.controller.fetch(getProject);
    await first.leave();
    requests.length = 0;

    const second = await openApp({ restore });
    expect(await shown(second)).toEqual([['one'], ['one']]);
    await second.controller.fetch(createTask, { projectId: 'p1' }, { id: 't2', text: 'two' });
    expect(await shown(second)).toEqual([['one', 'two'], ['one', 'two']]); // oxfmt-ignore
    await second.leave();

    const third = await openApp({ restore });
    expect(await shown(third)).toEqual([['one', 'two'], ['one', 'two']]); // oxfmt-ignore
    expect(requests).toEqual([]);
  });

  it('a nested list takes up members pushed before it was read', async () => {
    const first = await openApp({ restore });
    await first.controller.fetch(getProject);
    await first.leave();
    requests.length = 0;

    const second = await openApp({ restore });
    await second.controller.fetch(createTask, { projectId: 'p1' }, { id: 't2', text: 'two' });
    expect(await shown(second)).toEqual([['one', 'two'], ['one', 'two']]); // oxfmt-ignore
    await second.leave();

    const third = await openApp({ restore });
    expect(await shown(third)).toEqual([['one', 'two'], ['one', 'two']]); // oxfmt-ignore
    expect(requests).toEqual([]);
  });
});
