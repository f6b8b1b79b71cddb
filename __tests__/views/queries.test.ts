import { describe, expect, it, jest } from '@jest/globals';
import { All, Controller, Delete, Endpoint, Entity, Query, Union } from 'holdfast';

class UserWithIndexes extends Entity {
  id = '';
  username = '';
  email = '';
  static override key = 'User';
  static override indexes = ['username', 'email'];
}
class TodoThatNeedsTitle extends Entity {
  id = 0;
  title = '';
  done = false;
  user = UserWithIndexes.fromJS();
  static override key = 'Todo';
  static override schema = { user: UserWithIndexes };
  static override validate({ title }: Readonly<Record<string, unknown>>): string | undefined {
    return title === undefined ? 'no title' : undefined;
  }
}

const todos = (count: number, from = 1): { id: number; title: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + from, title: `todo ${index + from}` }));

/** An endpoint to store things by. */
const list = new Endpoint(() => Promise.resolve(), { name: 'list', schema: [TodoThatNeedsTitle] });
const remove = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
  name: 'remove',
  schema: new Delete(TodoThatNeedsTitle),
  sideEffect: true,
});

describe('All', () => {
  const all = new All(TodoThatNeedsTitle);

  it.each([3, 100])('All reads every row except tombstones and invalid ones (%i rows)', async (count) => {
    const controller = new Controller();
    expect(controller.get(all)).toBeUndefined();
    controller.setResponse(list, todos(count));
    controller.set(TodoThatNeedsTitle, { id: 'incomplete' }, { done: true });
    const before = controller.get(all);
    expect(before?.map(({ id }) => id)).toEqual(todos(count).map(({ id }) => id));
    expect(controller.get(all)).toBe(before);
    await controller.fetch(remove, { id: 2 });
    // @ts-expect-error its ids are numbers
    controller.set(TodoThatNeedsTitle, { id: 'new' }, { id: 'new', title: 'new' });
    const after = controller.get(all);
    expect(after).toHaveLength(count);
    expect(after?.[0]).toBe(before?.[0]);
    expect(after?.at(-1)?.title).toBe('new');
  });

  it('All notifies only its watchers when a row is added, removed or changed', () => {
    const controller = new Controller();
    controller.setResponse(list, todos(40));
    const told = jest.fn<(all: readonly TodoThatNeedsTitle[] | undefined) => void>();
    const stop = controller.watch(all, told);
    controller.set(UserWithIndexes, { id: 1 }, { username: 'ann' });
    expect(told).toHaveBeenCalledTimes(0);
    controller.set(TodoThatNeedsTitle, { id: 1 }, { title: 'changed' });
    expect(told).toHaveBeenCalledTimes(1);
    controller.set(TodoThatNeedsTitle, { id: 99 }, { title: 'new' });
    expect(told).toHaveBeenCalledTimes(2);
    expect(told.mock.lastCall?.[0]?.map(({ title }) => title)).toEqual([
      'changed',
      ...todos(39, 2).map(({ title }) => title),
      'new',
    ]);
    stop();
    controller.set(TodoThatNeedsTitle, { id: 100 }, { title: 'new' });
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('All is empty after its rows were removed, and missing again after a reset', async () => {
    const controller = new Controller();
    controller.setResponse(list, todos(1));
    await controller.fetch(remove, { id: 1 });
    expect(controller.get(all)).toEqual([]);
    await controller.reset();
    expect(controller.get(all)).toBeUndefined();
  });

  it('All notifies watchers that started before there was a row', () => {
    const controller = new Controller();
    const told = jest.fn();
    controller.watch(all, told);
    controller.setResponse(list, todos(1));
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('All waits for a response as the schema of an endpoint, then reads all rows', async () => {
    const controller = new Controller();
    controller.setResponse(list, todos(2));
    const getAll = new Endpoint(() => Promise.resolve(todos(1, 3)), { name: 'getAll', schema: all });
    expect(controller.getResponse(getAll).data).toBeUndefined();
    const data = await controller.fetch(getAll);
    expect(data.map(({ id }) => id)).toEqual([1, 2, 3]);
    const none = new Endpoint(() => Promise.resolve([]), { name: 'none', schema: new All(UserWithIndexes) });
    await expect(controller.fetch(none)).resolves.toEqual([]);
  });

  it('All reads the tables of a union', () => {
    const controller = new Controller();
    const either = new All(
      new Union({ todo: TodoThatNeedsTitle, user: UserWithIndexes }, ({ type }) => type),
    );
    controller.setResponse(list, todos(2));
    expect(controller.get(either)).toHaveLength(2);
    controller.set(UserWithIndexes, { id: 'u' }, { username: 'ann' });
    expect(controller.get(either)?.map((one) => one.constructor)).toEqual([
      TodoThatNeedsTitle,
      TodoThatNeedsTitle,
      UserWithIndexes,
    ]);
  });
});

describe('Query', () => {
  it('Query returns the result of its function for data and args', () => {
    const controller = new Controller();
    controller.setResponse(list, todos(5));
    const titled = new Query(new All(TodoThatNeedsTitle), (all, { title }: { title: string }) =>
      all.filter((todo) => todo.title === title),
    );
    expect(controller.get(titled, { title: 'todo 3' })?.map(({ id }) => id)).toEqual([3]);
    expect(controller.get(titled, { title: 'todo 4' })?.map(({ id }) => id)).toEqual([4]);
  });

  it.each([4, 60])('Query keeps a result that is equal, and does not notify (%i rows)', (count) => {
    const controller = new Controller();
    controller.setResponse(list, todos(count));
    const open = new Query(new All(TodoThatNeedsTitle), (all) => all.filter(({ done }) => !done));
    const counts = new Query(open, (some) => ({ open: some.length }));
    const told = jest.fn();
    controller.watch(counts, told);
    const before = controller.get(open);
    controller.set(TodoThatNeedsTitle, { id: 1000 }, { title: 'done already', done: true });
    expect(controller.get(open)).toBe(before);
    expect(told).not.toHaveBeenCalled();
    controller.set(TodoThatNeedsTitle, { id: 1 }, { done: true });
    expect(told).toHaveBeenLastCalledWith({ open: count - 1 });
  });

  it('Query does not run again while its data is the same', () => {
    const controller = new Controller();
    controller.setResponse(list, todos(40));
    const run = jest.fn((all: readonly TodoThatNeedsTitle[]) => all.length);
    const size = new Query(new All(TodoThatNeedsTitle), run);
    const shown = new Endpoint(() => Promise.resolve(), {
      name: 'shown',
      schema: { size, user: UserWithIndexes },
    });
    controller.setResponse(shown, { size: [], user: { id: 'u' } });
    expect(controller.getResponse(shown).data?.size).toBe(40);
    controller.set(UserWithIndexes, { id: 'u' }, { username: 'ann' });
    expect(controller.getResponse(shown).data?.user.username).toBe('ann');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('Query receives only complete data, inner queries first, also in cycles', () => {
    class FolderWithNames extends Entity {
      id = '';
      name = '';
      parent: FolderWithNames | undefined;
      children: FolderWithNames[] = [];
      names: string[] = [];
      static override key = 'Folder';
    }
    FolderWithNames.schema = {
      parent: FolderWithNames,
      children: [FolderWithNames],
      names: new Query([FolderWithNames], (folders: readonly FolderWithNames[]) =>
        folders.map(({ name }) => name).sort(),
      ),
    };
    const get = new Endpoint(() => Promise.resolve(), {
      name: 'get',
      schema: new Query(FolderWithNames, (root: FolderWithNames) => root.names.join()),
    });
    const controller = new Controller();
    controller.setResponse(get, {
      id: 1,
      name: 'root',
      names: [2, 3],
      children: [
        { id: 2, name: 'b', parent: 1, names: [1] },
        { id: 3, name: 'a', parent: 1 },
        { id: 4, name: 'gone', parent: 5 },
      ],
    });
    expect(controller.getResponse(get).data).toBe('a,b');
    expect(controller.get(FolderWithNames, { id: 2 })?.names).toEqual(['root']);
    controller.set(FolderWithNames, { id: 3 }, { name: 'z' });
    expect(controller.getResponse(get).data).toBe('b,z');
  });

  it('Query leaves out data that turns out to be missing later', () => {
    class Part extends Entity {
      id = '';
      whole = TodoThatNeedsTitle.fromJS();
      static override key = 'Part';
      static override schema = { whole: TodoThatNeedsTitle };
    }
    const seen: number[] = [];
    const count = new Query([Part], (parts: readonly Part[]) => {
      seen.push(parts.filter(({ whole }) => whole.title !== '').length);
      return parts.length;
    });
    const get = new Endpoint(() => Promise.resolve(), { name: 'get', schema: { count } });
    const controller = new Controller();
    controller.setResponse(get, {
      count: [
        { id: 1, whole: { id: 1, title: 'one' } },
        { id: 2, whole: { id: 2 } },
      ],
    });
    expect(controller.getResponse(get).data).toEqual({ count: 1 });
    expect(seen).toEqual([1]);
  });

  it('Query throws what its function throws, and recovers', () => {
    const controller = new Controller();
    controller.setResponse(list, [{ id: 1, title: 'bad' }]);
    const picky = new Query(new All(TodoThatNeedsTitle), (all) => {
      if (all.some(({ title }) => title === 'bad')) throw new Error('picky');
      return all.length;
    });
    expect(() => controller.get(picky)).toThrow('picky');
    controller.set(TodoThatNeedsTitle, { id: 1 }, { title: 'good' });
    expect(controller.get(picky)).toBe(1);
  });

  it('Query may not change its data in place', () => {
    const controller = new Controller();
    controller.setResponse(list, todos(3));
    const sorted = new Query(new All(TodoThatNeedsTitle), (all) => all.sort());
    expect(() => controller.get(sorted)).toThrow(TypeError);
    const copied = new Query(new All(TodoThatNeedsTitle), (all) => [...all].reverse());
    expect(controller.get(copied)?.map(({ id }) => id)).toEqual([3, 2, 1]);
  });
});

describe('indexes', () => {
  it('indexes find a row by the value of a field, and follow its changes', () => {
    const controller = new Controller();
    expect(controller.get(UserWithIndexes, { username: 'ann' })).toBeUndefined();
    controller.set(UserWithIndexes, { id: 1 }, { username: 'ann', email: 'a@x' });
    controller.set(UserWithIndexes, { id: 2 }, { username: 'bob' });
    expect(controller.get(UserWithIndexes, { username: 'ann' })).toBe(
      controller.get(UserWithIndexes, { id: 1 }),
    );
    expect(controller.get(UserWithIndexes, { email: 'a@x' })).toBe(
      controller.get(UserWithIndexes, { id: 1 }),
    );
    controller.set(UserWithIndexes, { id: 1 }, { username: 'anna' });
    expect(controller.get(UserWithIndexes, { username: 'ann' })).toBeUndefined();
    expect(controller.get(UserWithIndexes, { username: 'anna' })?.id).toBe(1);
    // @ts-expect-error its ids are texts
    controller.set(UserWithIndexes, { username: 'bob' }, { id: 2, email: 'b@x' });
    expect(controller.get(UserWithIndexes, { id: 2 })?.email).toBe('b@x');
  });

  it('indexes serve reads and notify watchers', () => {
    const controller = new Controller();
    const get = new Endpoint(({ username }: { username: string }) => Promise.resolve({ id: 9, username }), {
      name: 'get',
      schema: UserWithIndexes,
    });
    const [read, asked] = [jest.fn(), jest.fn()];
    controller.watch(get, { username: 'ann' }, read);
    controller.watch(UserWithIndexes, { username: 'ann' }, asked);
    controller.set(UserWithIndexes, { id: 1 }, { username: 'ann' });
    const ann = controller.get(UserWithIndexes, { id: 1 });
    expect(read).toHaveBeenLastCalledWith(ann);
    expect(asked).toHaveBeenLastCalledWith(ann);
    expect(controller.getResponse(get, { username: 'ann' }).data).toBe(ann);
    controller.set(UserWithIndexes, { id: 1 }, { username: 'other' });
    expect(asked).toHaveBeenLastCalledWith(undefined);
  });

  it('indexes find the same one of several rows, whatever was added and removed', () => {
    const named = (id: string) => ({ id, username: 'ann' });
    const found = [
      ['b', 'a', 'c'],
      ['a', 'c', 'b'],
      ['c', 'b', 'a'],
    ].map((order) => {
      const controller = new Controller();
      for (const id of order) controller.set(UserWithIndexes, { id }, named(id));
      controller.get(UserWithIndexes, { username: 'ann' });
      controller.set(UserWithIndexes, { id: 'a' }, { username: 'bob' });
      const without = controller.get(UserWithIndexes, { username: 'ann' })?.id;
      controller.set(UserWithIndexes, { id: 'a' }, { username: 'ann' });
      return [without, controller.get(UserWithIndexes, { username: 'ann' })?.id];
    });
    expect(found).toEqual([
      ['b', 'a'],
      ['b', 'a'],
      ['b', 'a'],
    ]);
  });

  it('indexes forget deleted rows, and keep the other rows of a value', async () => {
    const controller = new Controller();
    for (const id of [1, 2, 3]) controller.set(UserWithIndexes, { id }, { username: 'same' });
    const removeUser = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'removeUser',
      schema: new Delete(UserWithIndexes),
      sideEffect: true,
    });
    expect(controller.get(UserWithIndexes, { username: 'same' })?.id).toBe(1);
    await controller.fetch(removeUser, { id: 1 });
    expect(controller.get(UserWithIndexes, { username: 'same' })?.id).toBe(2);
    await controller.reset();
    expect(controller.get(UserWithIndexes, { username: 'same' })).toBeUndefined();
  });
});
