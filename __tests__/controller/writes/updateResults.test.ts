import { describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  Delete,
  Endpoint,
  Entity,
  type EndpointOptions,
  type HoldfastError,
  type Plugin,
  type ResultRevision,
} from '../../../src/index.ts';

class TitledTask extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}

const getTasks = new Endpoint(async () => await Promise.resolve([{ id: '1', title: 'Ebb' }]), {
  name: 'getTasks',
  schema: [TitledTask],
});

const countTasks = new Endpoint(async () => await Promise.resolve(1), { name: 'countTasks' });

const addTask = new Endpoint(
  async ({ title }: { title: string }) =>
    title === '' ? await Promise.reject(new Error('No title')) : { id: '2', title },
  {
    name: 'addTask',
    schema: TitledTask,
    sideEffect: true,
    update: (id) => ({
      [getTasks.key()]: (ids: readonly string[]) => [...ids, id],
      [countTasks.key()]: (count: number) => count + 1,
    }),
  },
);

const titles = (controller: Controller): readonly string[] | undefined =>
  controller.getResponse(getTasks).data?.map(({ title }) => title);

async function started(plugins: readonly Plugin[] = []): Promise<Controller> {
  const controller = new Controller({ plugins });
  await Promise.all([controller.fetch(getTasks), controller.fetch(countTasks)]);
  return controller;
}

describe('update', () => {
  it('update changes other results by key, normalized, in the commit of the response', async () => {
    const actions: string[] = [];
    const controller = await started([{ name: 'log', commit: ({ action }) => actions.push(action.type) }]);
    actions.length = 0;
    await controller.fetch(addTask, { title: 'Flow' });
    expect(titles(controller)).toEqual(['Ebb', 'Flow']);
    expect(controller.getResponse(countTasks).data).toBe(2);
    expect(actions).toEqual(['fetch']);
  });

  it('an update that resets the controller, as after signing out, leaves nothing of the user in memory', async () => {
    const controller = await started();
    const signOut = new Endpoint(async () => ({ id: '3', title: 'Secret' }), {
      name: 'signOut',
      schema: TitledTask,
      sideEffect: true,
      update() {
        void controller.reset();
        return {};
      },
    });
    await controller.fetch(signOut);
    expect(controller.getState()).toEqual(new Controller().getState());
    expect(controller.get(TitledTask, { id: '1' })).toBeUndefined();
    await controller.fetch(getTasks);
    expect(titles(controller)).toEqual(['Ebb']);
  });

  it('update of a read changes other results with each response, and fetches nothing', async () => {
    const controller = await started();
    let asked = 0;
    const getTask = new Endpoint(
      async ({ id }: { id: string }) => Promise.resolve({ id, title: `asked ${(asked += 1)}` }),
      {
        name: 'getTask',
        schema: TitledTask,
        update: (id: string): Record<string, (old: never) => unknown> => ({
          [getTasks.key()]: (ids: readonly string[]) => (ids.includes(id) ? ids : [...ids, id]),
          [getTask.key({ id })]: (old) => old,
        }),
      },
    );
    await controller.fetch(getTask, { id: '2' });
    expect(titles(controller)).toEqual(['Ebb', 'asked 1']);
    await controller.fetch(getTask, { id: '2' });
    expect(titles(controller)).toEqual(['Ebb', 'asked 2']);
    controller.setResponse(getTask, { id: '3' }, { id: '3', title: 'set' });
    expect(titles(controller)).toEqual(['Ebb', 'asked 2', 'set']);
    expect(asked).toBe(2);
  });

  it('the update of a read changes nothing if its response is older than the stored one', async () => {
    const controller = await started();
    const answers: ((value: unknown) => void)[] = [];
    const getTask = new Endpoint(async () => new Promise<unknown>((answer) => void answers.push(answer)), {
      name: 'getTask',
      schema: TitledTask,
      update: (id: unknown) => ({ [getTasks.key()]: (ids: readonly unknown[]) => [...ids, id] }),
    });
    const first = controller.fetch(getTask);
    await Promise.resolve();
    controller.setResponse(getTask, { id: '2', title: 'newer' });
    answers[0]?.({ id: '3', title: 'older' });
    await first;
    expect(titles(controller)).toEqual(['Ebb', 'newer']);
  });

  it('update is called as a method, with the normalized response and the args of the call', async () => {
    const controller = await started();
    const update = jest.fn(() => ({}));
    const endpoint = addTask.extend({ update });
    await controller.fetch(endpoint, { title: 'Flow' });
    expect(update.mock.calls).toEqual([['2', { title: 'Flow' }]]);
    expect(update.mock.contexts).toEqual([endpoint]);
  });

  it('update does not change the age of a result', async () => {
    let now = 1_000;
    const controller = new Controller({ now: () => now });
    await controller.fetch(getTasks);
    const { expiresAt } = controller.getResponse(getTasks);
    now += 10_000;
    await controller.fetch(addTask, { title: 'Flow' });
    expect(controller.getResponse(getTasks).expiresAt).toBe(expiresAt);
  });

  it('update is not undone by a read that began before', async () => {
    const controller = await started();
    const adding = controller.fetch(addTask, { title: 'Flow' });
    const late = getTasks.extend({
      fetch: async () => {
        await adding;
        return [{ id: '1', title: 'Ebb' }];
      },
    });
    await controller.fetch(late);
    expect(titles(controller)).toEqual(['Ebb', 'Flow']);
  });

  it('the effect of update appears with the optimistic response, and is rolled back with it', async () => {
    const controller = await started();
    const optimistic = addTask.extend({ getOptimisticResponse: (_snapshot, body) => body });
    const adding = controller.fetch(optimistic, { title: 'Flow' });
    expect(titles(controller)).toEqual(['Ebb', 'Flow']);
    const failing = controller.fetch(optimistic, { title: '' });
    expect(controller.getResponse(countTasks).data).toBe(3);
    await expect(failing).rejects.toThrow('No title');
    await adding;
    expect(titles(controller)).toEqual(['Ebb', 'Flow']);
    expect(controller.getResponse(countTasks).data).toBe(2);
  });

  it('update removes deleted entities from results, including after an empty response', async () => {
    const controller = await started();
    const removeTask = new Endpoint(async ({ id }: { id: string }) => await Promise.resolve({ id }), {
      name: 'removeTask',
      schema: new Delete(TitledTask),
      sideEffect: true,
      update: (id) => ({ [getTasks.key()]: (ids: readonly string[]) => ids.filter((other) => other !== id) }),
    });
    await controller.fetch(removeTask, { id: '1' });
    expect(controller.getState().results.get(getTasks.key())?.value).toEqual([]);
  });

  it('update skips results that are not cached or no longer shown', async () => {
    const controller = new Controller();
    await controller.fetch(getTasks);
    controller.invalidate(getTasks);
    await controller.fetch(addTask, { title: 'Flow' });
    expect(controller.getResponse(getTasks).data).toBeUndefined();
    expect(controller.getResponse(countTasks).data).toBeUndefined();
  });

  it('update makes results that only a plugin holds load again', async () => {
    const revisions: ResultRevision[] = [];
    const controller = new Controller({
      plugins: [{ name: 'disk', revise: (revision) => void revisions.push(revision) }],
    });
    await controller.fetch(getTasks);
    await controller.fetch(addTask, { title: 'Flow' });
    expect(revisions).toHaveLength(1);
    expect(revisions[0]?.testKey(getTasks.key())).toBe(false);
    expect(revisions[0]?.testKey(countTasks.key())).toBe(true);
    const stored = controller.getState().results.get(getTasks.key());
    expect(stored && revisions[0]?.change(stored).meta.expiresAt).toBe(0);
  });

  it('an error thrown by update is reported, and the response is stored all the same', async () => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const controller = await started();
    const failing = addTask.extend({
      update: (id) => ({
        [getTasks.key()]: () => {
          throw new Error('not a list');
        },
        [countTasks.key()]: (count: number) => count + Number(id),
      }),
    });
    const added = await controller.fetch(failing, { title: 'Flow' });
    expect(added).toBeInstanceOf(TitledTask);
    expect(titles(controller)).toEqual(['Ebb']);
    expect(controller.getResponse(countTasks).data).toBe(3);
    const [error] = report.mock.calls[0] as [HoldfastError];
    expect(error.code).toBe('HF_UPDATE');
    expect(error.message).toContain('addTask');
    report.mockRestore();
  });

  it.each([
    [
      'update',
      'HF_UPDATE',
      (controller: Controller): EndpointOptions => ({
        update: () => {
          controller.invalidate(countTasks);
          return {};
        },
      }),
    ],
    [
      'getOptimisticResponse',
      'HF_OPTIMISTIC',
      (controller: Controller): EndpointOptions => ({
        getOptimisticResponse: () => {
          controller.setResponse(countTasks, 5);
          return { id: '2' };
        },
      }),
    ],
  ])('a write within %s, which would be lost, is reported', async (_, code, options) => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const controller = await started();
    await controller.fetch(addTask.extend(options(controller)), { title: 'Flow' });
    expect(report).toHaveBeenCalledTimes(1);
    const [error] = report.mock.calls[0] as [HoldfastError];
    expect(error).toMatchObject({ code, cause: { code: 'HF_NESTED_WRITE' } });
    report.mockRestore();
    controller.invalidate(countTasks);
    expect(controller.getResponse(countTasks).data).toBeUndefined();
  });

  it('a write within merge, which would be lost, throws', async () => {
    class Merging extends TitledTask {
      static override merge(existing: object, incoming: object) {
        controller.invalidate(countTasks);
        return { ...existing, ...incoming };
      }
    }
    const controller = await started();
    expect(() => controller.set(Merging, { id: '1' }, { title: 'Flow' })).toThrow(
      expect.objectContaining({ code: 'HF_NESTED_WRITE' }),
    );
    controller.set(TitledTask, { id: '2' }, { title: 'Flow' });
    expect(titles(controller)).toEqual(['Ebb']);
  });

  it.each([
    ['nothing', (): undefined => undefined],
    ['a promise', async (count: number): Promise<number> => count + 1],
  ])('a function of update that returns %s changes nothing and is reported', async (_, change) => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const controller = await started();
    await controller.fetch(addTask.extend({ update: () => ({ [countTasks.key()]: change }) }), {
      title: 'Flow',
    });
    expect(controller.getResponse(countTasks).data).toBe(1);
    expect(report).toHaveBeenCalledWith(expect.objectContaining({ code: 'HF_UPDATE' }));
    report.mockRestore();
  });
});
