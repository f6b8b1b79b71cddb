import { describe, expect, it } from '@jest/globals';
import { Collection, Controller, Entity, RestEndpoint, Values, type CollectionOptions } from 'holdfast';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

const refused = expect.objectContaining({ code: 'HF_PROCESS' });

/** What functions of plain JavaScript return. */
const noObjects: [string, () => never][] = [
  ['nothing', () => undefined as never],
  ['a promise', () => Promise.resolve({ id: '1' }) as never],
];

describe('a function of an entity that returns no row', () => {
  it.each(['merge', 'mergeWithStore'])('an async %s is an error, and the row stays', (method) => {
    class Careless extends User {}
    Object.assign(Careless, { [method]: () => Promise.resolve({}) });
    const controller = new Controller();
    const stored = { id: '1', name: 'stored' };
    controller.set(Careless, { id: '1' }, stored);
    expect(() => controller.set(Careless, { id: '1' }, { id: '1', name: 'changed' })).toThrow(refused);
    expect(controller.get(Careless, { id: '1' })).toMatchObject(stored);
  });

  it('an async process is an error even if the args have the pk', async () => {
    class Careless extends User {
      static override pk(
        _row: unknown,
        _parent?: unknown,
        _key?: string,
        args: readonly unknown[] = [],
      ): string {
        return (args[0] as { id: string }).id;
      }
      static override process(row: unknown): unknown {
        return Promise.resolve(row);
      }
    }
    const getUser = new RestEndpoint({
      path: '/users/:id',
      schema: Careless,
      fetch: () => Promise.resolve({ id: '1', name: 'Ann' }),
    });
    const controller = new Controller();
    await expect(controller.fetch(getUser, { id: '1' })).rejects.toEqual(refused);
    expect(controller.get(Careless, { id: '1' })).toBeUndefined();
  });
});

describe('a function of a collection that returns no args or no members', () => {
  it.each(['argsKey', 'nestKey'] as const)(
    'lists are not mixed up by a function %s that returns nothing, a promise or a string',
    (name) => {
      for (const returned of [undefined, Promise.resolve({}), 'a']) expectRefused(name, returned as never);
    },
  );

  function expectRefused(name: 'argsKey' | 'nestKey', returned: never): void {
    const options: CollectionOptions = { [name]: () => returned };
    const list = new Collection([User], options);
    class Team extends Entity {
      id = '';
      users: User[] = [];
      static override key = 'Team';
      static override schema = { users: list };
    }
    const controller = new Controller();
    const set = (): void =>
      name === 'argsKey'
        ? controller.set(list, { team: 'a' }, [{ id: '1' }])
        : controller.set(Team, { id: 'a' }, { id: 'a', users: [{ id: '1' }] as never });
    expect(set).toThrow(refused);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  }

  it.each([...noObjects, ['an object', () => ({}) as never] as [string, () => never]])(
    'a list stays as it was when the function of addWith returns %s',
    async (_, merge) => {
      const list = new Collection([User]);
      const getUsers = new RestEndpoint({
        path: '/users',
        schema: list,
        fetch: () => Promise.resolve([{ id: '1', name: 'Ann' }]),
      });
      const addUser = new RestEndpoint({
        path: '/users',
        method: 'POST',
        schema: list.addWith(merge),
        fetch: () => Promise.resolve({ id: '2', name: 'Bob' }),
      });
      const controller = new Controller();
      await controller.fetch(getUsers);
      await expect(controller.fetch(addUser)).rejects.toEqual(refused);
      expect(controller.getResponse(getUsers).data).toMatchObject([{ id: '1' }]);
    },
  );

  it.each([...noObjects, ['a list', () => [] as never] as [string, () => never]])(
    'a map stays as it was when the function of moveWith returns %s',
    (_, merge) => {
      const map = new Collection(new Values(User));
      const controller = new Controller();
      controller.set(map, { name: 'Ann' }, { a: { id: '1', name: 'Ann' } });
      const move = (): void => controller.set(map.moveWith(merge), { name: 'Bob' }, { id: '2', name: 'Ann' });
      expect(move).toThrow(refused);
      expect(Object.keys(controller.get(map, { name: 'Ann' }) ?? {})).toEqual(['a']);
    },
  );
});
