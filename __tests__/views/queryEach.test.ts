import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { All, Collection, Controller, Delete, Endpoint, Entity, Query, QueryEach } from 'holdfast';
import { recordPatch, patchedIndexes } from '../../src/schema/collection/listPatches.ts';

class TodoWithTitle extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const todos = new Collection([TodoWithTitle]);
const getTodos = new Endpoint(() => Promise.resolve(), { name: 'getTodos', schema: todos });

const todo = (id: number): { id: string; title: string } => ({ id: `${id}`, title: `todo ${id}` });

/** A list of so many todos, and what a function is called with for each. */
function shown(size: number): {
  controller: Controller;
  titles: QueryEach<typeof todos, (todo: TodoWithTitle) => string>;
  read: () => { titles: readonly string[] | undefined; asked: readonly string[] };
} {
  const controller = new Controller();
  controller.setResponse(
    getTodos,
    Array.from({ length: size }, (_, index) => todo(index)),
  );
  const each = jest.fn(({ title }: TodoWithTitle) => title);
  const titles = new QueryEach(todos, each);
  const read = (): { titles: readonly string[] | undefined; asked: readonly string[] } => {
    each.mockClear();
    const read = controller.get(titles);
    return { titles: read, asked: each.mock.calls.map(([{ id }]) => id) };
  };
  return { controller, titles, read };
}

describe.each([5, 100])('QueryEach of %i members', (size) => {
  it('QueryEach maps each member, and again only those that have changed', () => {
    const { controller, read } = shown(size);
    expect(read().asked).toHaveLength(size);
    const before = read();
    expect(before.asked).toEqual([]);
    controller.set(TodoWithTitle, { id: '3' }, { title: 'changed' });
    const after = read();
    expect(after.asked).toEqual(['3']);
    expect(after.titles).toEqual(before.titles?.with(3, 'changed'));
  });

  it('QueryEach maps only new members when members are added and removed', () => {
    const { controller, read } = shown(size);
    read();
    const change = (
      recipe: (list: readonly TodoWithTitle[]) => readonly TodoWithTitle[],
    ): readonly string[] => {
      controller.set(todos, (list = []) => recipe(list));
      const { titles, asked } = read();
      expect(titles).toEqual(controller.get(todos)?.map(({ title }) => title));
      return asked;
    };
    expect(change((list) => [...list, TodoWithTitle.fromJS(todo(1_000))])).toEqual(['1000']);
    expect(change((list) => [TodoWithTitle.fromJS(todo(1_001)), ...list])).toEqual(['1001']);
    expect(change((list) => list.filter(({ id }) => id !== '2'))).toEqual([]);
    expect(change((list) => list.toSpliced(2, 0, TodoWithTitle.fromJS(todo(1_002))))).toEqual(['1002']);
  });

  it('QueryEach keeps the former list while its members stay the same, and does not notify', () => {
    const { controller } = shown(size);
    const ids = new QueryEach(todos, ({ id }) => id);
    const told = jest.fn<(ids: readonly string[] | undefined) => void>();
    const stop = controller.watch(ids, told);
    const before = controller.get(ids);
    controller.set(TodoWithTitle, { id: '3' }, { title: 'changed' });
    expect(controller.get(ids)).toBe(before);
    expect(told).not.toHaveBeenCalled();
    controller.set(todos, (list = []) => list.slice(1));
    expect(told).toHaveBeenCalledTimes(1);
    stop();
  });
});

describe('QueryEach', () => {
  it('QueryEach returns what `map` would, whatever the changes of the list', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('title' as const), at: fc.nat(50), title: fc.string() }),
      fc.record({ kind: fc.constant('order' as const), members: fc.uniqueArray(fc.nat(50)) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const { controller, titles } = shown(40);
        controller.watch(titles, () => undefined);
        for (const step of changes) {
          if (step.kind === 'title')
            controller.set(TodoWithTitle, { id: `${step.at}` }, { ...todo(step.at), title: step.title });
          else controller.setResponse(getTodos, step.members.map(todo));
          expect(controller.get(titles)).toEqual(controller.get(todos)?.map(({ title }) => title));
        }
      }),
    );
  });

  it('QueryEach leaves out a member that turns out to be missing while others change', () => {
    class Task extends Entity {
      id = '';
      title = '';
      owner = Object.freeze(new TodoWithTitle()); // an object: without it there is no task
      static override key = 'Task';
      static override schema = { owner: TodoWithTitle };
    }
    const controller = new Controller();
    const tasks = new All(Task);
    controller.batch(() => {
      for (let id = 0; id < 40; id++) {
        controller.set(Task, { id: `${id}` }, { id: `${id}`, title: `task ${id}`, owner: `${id}` });
        controller.set(TodoWithTitle, { id: `${id}` }, todo(id));
      }
    });
    const deleteTodo = new Endpoint((_: { id: string }) => Promise.resolve(), {
      name: 'deleteTodo',
      schema: new Delete(TodoWithTitle),
      sideEffect: true,
    });
    const titles = new QueryEach(tasks, ({ title }) => title);
    controller.watch(titles, () => undefined);
    expect(controller.get(titles)).toHaveLength(40);
    controller.batch(() => {
      controller.set(Task, { id: '20' }, { title: 'changed' });
      controller.setResponse(deleteTodo, { id: '3' }, { id: '3' });
    });
    const left = controller.get(tasks)?.map(({ title }) => title);
    expect(left).toHaveLength(39);
    expect(left).toContain('changed');
    expect(controller.get(titles)).toEqual(left);
  });

  it('QueryEach reads only the members that have changed', () => {
    const { controller } = shown(10_000);
    const before = controller.get(todos) ?? [];
    controller.set(TodoWithTitle, { id: '7000' }, { title: 'changed' });
    const after = controller.get(todos) ?? [];
    expect(patchedIndexes(after, before)).toEqual([7_000]);

    const looked: (string | symbol)[] = [];
    const list = new Proxy(after, {
      get(target, name): unknown {
        looked.push(name);
        return Reflect.get(target, name);
      },
    });
    recordPatch(list, before, [7_000]);
    const titles = new QueryEach(todos, ({ title }) => title);
    const value = before.map(({ title }) => title);
    expect(titles.make(list, [], { data: before, value })).toEqual(value.with(7_000, 'changed'));
    expect(new Set(looked)).toEqual(new Set(['length', '7000']));
  });

  it('QueryEach passes on the args of the read', () => {
    const { controller } = shown(2);
    const lines = new QueryEach(todos, ({ title }, { mark }: { mark: string }) => `${mark} ${title}`);
    expect(controller.get(lines, { mark: '-' })).toBeUndefined();
    const all = new QueryEach(
      new All(TodoWithTitle),
      ({ title }, { mark }: { mark: string }) => `${mark} ${title}`,
    );
    expect(controller.get(all, { mark: '-' })).toEqual(['- todo 0', '- todo 1']);
    expect(controller.get(all, { mark: '*' })).toEqual(['* todo 0', '* todo 1']);
  });

  it('QueryEach reads the result of another query', () => {
    const { controller } = shown(3);
    const last = new Query(todos, (list) => list.toReversed());
    const ids = new QueryEach(last, ({ id }) => id);
    expect(controller.get(ids)).toEqual(['2', '1', '0']);
    expect(controller.get(new Query(ids, ([first]) => first))).toBe('2');
  });

  it('QueryEach refuses values that are no list', () => {
    const { controller } = shown(1);
    const count = new Query(todos, (list) => list.length);
    const wrong = new QueryEach(count, (member) => member);
    expect(() => controller.get(wrong)).toThrow(expect.objectContaining({ code: 'HF_NOT_QUERYABLE' }));
  });
});
