import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import {
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  hasOwnKey,
  Query,
  references,
  Union,
  Values,
  type CollectionChange,
  RestEndpoint,
  type Schema,
} from 'holdfast';

class TodoOfUser extends Entity {
  id = '';
  title = '';
  user = '';
  static override key = 'Todo';
}
class UserWithTodos extends Entity {
  id = '';
  todos: TodoOfUser[] = [];
  static override key = 'User';
  static override schema = {
    todos: new Collection([TodoOfUser], { nestKey: (parent) => ({ user: parent['id'] }) }),
  };
}
interface Params {
  user?: string | number;
  orderBy?: string;
}
const Todos = new Collection([TodoOfUser]);

/** Reads the given list. */
function reading<const S extends Exclude<Schema, undefined>>(schema: S) {
  return new Endpoint((_params?: Params) => Promise.resolve(), { name: 'getOthers', schema });
}
const getTodos = new Endpoint((_params?: Params): Promise<object[]> => Promise.resolve([]), {
  name: 'getTodos',
  schema: Todos,
});

/** A mutation that answers with its body. */
function changing<S>(schema: CollectionChange<S>) {
  return new Endpoint((_params: Params, body: object) => Promise.resolve(body), {
    name: 'change',
    schema,
    sideEffect: true,
  });
}
const ids = (todos: readonly TodoOfUser[] | undefined): unknown => todos?.map(({ id }) => id);

describe('Collection', () => {
  it('a collection reads as the list, identical for all its readers', () => {
    const controller = new Controller();
    controller.setResponse(getTodos, { user: 1 }, [{ id: 'a' }, { id: 'b' }]);
    const list = controller.getResponse(getTodos, { user: 1 }).data;
    expect(ids(list)).toEqual(['a', 'b']);
    expect(list?.[0]).toBe(controller.get(TodoOfUser, { id: 'a' }));
    expect(controller.get(Todos, { user: '1' })).toBe(list);
    expect(controller.get(new Collection([TodoOfUser]), { user: 1 })).toBe(list);
    expect(controller.getResponse(getTodos, { user: 2 }).data).toBeUndefined();
    controller.setResponse(getTodos, { user: 1 }, [{ id: 'a' }, { id: 'b' }]);
    expect(controller.getResponse(getTodos, { user: 1 }).data).toBe(list);
    controller.setResponse(getTodos, { user: 1 }, [{ id: 'b' }]);
    expect(ids(controller.get(Todos, { user: 1 }))).toEqual(['b']);
  });

  it('a list of an entity that a response wraps is identified by argsKey, on each page', () => {
    const ofUser = new Collection([TodoOfUser], {
      nestKey: (parent) => ({ user: parent['id'] }),
      argsKey: ({ user }) => ({ user }),
    });
    const schema = { items: ofUser, next: '' };
    const getPaged = new RestEndpoint({ path: '/users/:user/todos', schema, paginationField: 'cursor' });
    const controller = new Controller();
    controller.setResponse(getPaged, { user: '1' }, { items: [{ id: 'a' }], next: 'x' });
    controller.setResponse(getPaged, { user: '2' }, { items: [{ id: 'c' }], next: '' });
    controller.setResponse(getPaged.getPage, { user: '1', cursor: 'x' }, { items: [{ id: 'b' }], next: '' });
    expect(ids(controller.getResponse(getPaged, { user: '1' }).data?.items)).toEqual(['a', 'b']);
    expect(ids(controller.getResponse(getPaged, { user: '2' }).data?.items)).toEqual(['c']);
    expect(controller.get(ofUser, { user: '1' })).toHaveLength(2);
  });

  it.each([2, 40])('create adds to every stored list that the args name (%i members)', async (count) => {
    const controller = new Controller();
    const members = Array.from({ length: count }, (_, index) => ({ id: `t${index}`, user: '1' }));
    const all: Params[] = [{}, { user: 1 }, { user: 2 }, { user: 1, orderBy: 'title' }];
    for (const params of all) controller.setResponse(getTodos, params, members);
    const told = jest.fn();
    controller.watch(getTodos, { user: 2 }, told);
    const before = controller.get(Todos, { user: 1 });
    const made = await controller.fetch(changing(Todos.push), { user: 1 }, { id: 'new', title: 'new' });
    expect(made).toBe(controller.get(TodoOfUser, { id: 'new' }));
    const grown = [...members.map(({ id }) => id), 'new'];
    expect(all.map((params) => ids(controller.get(Todos, params)))).toEqual([
      grown,
      grown,
      grown.slice(0, -1),
      grown,
    ]);
    expect(controller.get(Todos, { user: 1 })?.[0]).toBe(before?.[0]);
    expect(told).not.toHaveBeenCalled();
    await controller.fetch(changing(Todos.push), {}, { id: 'of2', user: 2 });
    expect(ids(controller.get(Todos, { user: 2 }))).toEqual([...grown.slice(0, -1), 'of2']);
  });

  it('a collection adds at the front, adds several members, and adds none twice', async () => {
    const controller = new Controller();
    controller.setResponse(getTodos, {}, [{ id: 'a' }]);
    await controller.fetch(changing(Todos.unshift), {}, [{ id: 'b' }, { id: 'c' }]);
    await controller.fetch(changing(Todos.push), {}, [{ id: 'c', title: 'known' }, { id: 'd' }]);
    expect(ids(controller.get(Todos))).toEqual(['b', 'c', 'a', 'd']);
    expect(controller.get(TodoOfUser, { id: 'c' })?.title).toBe('known');
  });

  it('a collection removes members, and omits deleted ones', async () => {
    const controller = new Controller();
    controller.setResponse(getTodos, { user: 1 }, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    controller.setResponse(getTodos, { user: 2 }, [{ id: 'a' }]);
    await controller.fetch(changing(Todos.remove), { user: 1 }, { id: 'a', title: 'kept' });
    expect(ids(controller.get(Todos, { user: 1 }))).toEqual(['b', 'c']);
    expect(ids(controller.get(Todos, { user: 2 }))).toEqual(['a']);
    expect(controller.get(TodoOfUser, { id: 'a' })?.title).toBe('kept');
    const remove = new Endpoint(() => Promise.resolve({ id: 'b' }), {
      name: 'remove',
      schema: new Delete(TodoOfUser),
      sideEffect: true,
    });
    await controller.fetch(remove);
    expect(ids(controller.get(Todos, { user: 1 }))).toEqual(['c']);
  });

  it('move takes a member from its old list to its new one', async () => {
    const controller = new Controller();
    controller.setResponse(getTodos, { user: 1 }, [
      { id: 'a', user: 1 },
      { id: 'b', user: 1 },
    ]);
    controller.setResponse(getTodos, { user: 2 }, [{ id: 'c', user: 2 }]);
    controller.setResponse(getTodos, {}, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    await controller.fetch(changing(Todos.move), {}, { id: 'a', user: 2 });
    expect(ids(controller.get(Todos, { user: 1 }))).toEqual(['b']);
    expect(ids(controller.get(Todos, { user: 2 }))).toEqual(['c', 'a']);
    expect(ids(controller.get(Todos))).toEqual(['a', 'b', 'c']);
  });

  it('a collection shares its rows with one that is nested in an entity', async () => {
    const controller = new Controller();
    const getUser = new Endpoint(() => Promise.resolve(), { name: 'getUser', schema: UserWithTodos });
    controller.setResponse(getUser, { id: 1, todos: [{ id: 'a' }] });
    const user = controller.getResponse(getUser).data;
    expect(user?.todos).toBe(controller.get(Todos, { user: 1 }));
    await controller.fetch(changing(Todos.push), { user: 1 }, { id: 'b' });
    expect(ids(controller.getResponse(getUser).data?.todos)).toEqual(['a', 'b']);
    controller.set(UserWithTodos, { id: 1 }, (draft) => {
      draft.id = '1';
    });
    expect(ids(controller.get(UserWithTodos, { id: 1 })?.todos)).toEqual(['a', 'b']);
  });

  it('a collection can be a map, of a union, inside an object, and below a query', async () => {
    const controller = new Controller();
    const Map = new Collection(new Values(TodoOfUser));
    const getMap = reading(Map);
    controller.setResponse(getMap, {}, { a: { id: 'a' } });
    await controller.fetch(
      changing(Map.assign),
      {},
      JSON.parse('{ "__proto__": { "id": "p" }, "a": { "id": "b" } }') as object,
    );
    const map = controller.get(Map);
    expect(Object.entries(map ?? {}).map(([key, { id }]) => [key, id])).toEqual([
      ['a', 'b'],
      ['__proto__', 'p'],
    ]);
    await controller.fetch(changing(Map.remove), {}, { id: 'b' });
    expect(Object.keys(controller.get(Map) ?? {})).toEqual(['__proto__']);

    const Either = new Collection([new Union({ todo: TodoOfUser, user: UserWithTodos }, ({ type }) => type)]);
    const getPage = reading({ items: Either, next: '' });
    controller.setResponse(getPage, {}, { items: [{ id: 'a', type: 'todo' }], next: 'x' });
    const added = await controller.fetch(changing(Either.push), {}, { id: 'u', type: 'user' });
    expect(added).toBe(controller.get(UserWithTodos, { id: 'u' }));
    const page = controller.getResponse(getPage, {}).data;
    expect(page).toEqual({ items: [controller.get(TodoOfUser, { id: 'a' }), added], next: 'x' });

    controller.setResponse(getTodos, { user: 1 }, [{ id: 'a' }]);
    const size = new Query(Todos, (todos: readonly TodoOfUser[]) => todos.length);
    expect(controller.get(size, { user: 1 })).toBe(1);
  });

  it('a collection takes custom keys, filters and merges', async () => {
    const controller = new Controller();
    const Own = new Collection([TodoOfUser], {
      argsKey: ({ user, orderBy }) => ({ user, sort: orderBy }),
      nonFilterArgumentKeys: ['sort'],
    });
    const getOwn = reading(Own);
    controller.setResponse(getOwn, { user: 1, orderBy: 'x', page: 4 } as Params, [{ id: 'a' }]);
    expect(ids(controller.get(Own, { user: 1, orderBy: 'x' }))).toEqual(['a']);
    await controller.fetch(changing(Own.push), { user: 1 }, { id: 'b' });
    const sorted = Own.addWith(
      (members: readonly string[], added: readonly string[]) => [...added, ...members].sort(),
      () => (collection) => collection['sort'] === 'x',
    );
    await controller.fetch(changing(sorted), {}, { id: 'A' });
    expect(ids(controller.get(Own, { user: 1, orderBy: 'x' }))).toEqual(['A', 'a', 'b']);
  });

  it('a collection is stored in plain rows of a table named after its members', () => {
    const controller = new Controller();
    controller.setResponse(getTodos, { user: 1, orderBy: 'b' }, [{ id: 'a' }]);
    const row = controller.getState().tables['[Todo]']?.get('{"orderBy":"b","user":"1"}');
    expect(row?.value).toEqual({ members: ['a'] });
    const found: string[] = [];
    references(Todos, '{}', (entity, pk) => found.push(`${entity.key} ${pk}`));
    references(Todos.row.schema, row?.value, (entity, pk) => found.push(`${entity.key} ${pk}`));
    expect(found).toEqual(['[Todo] {}', 'Todo a']);
    class Unnamed extends Entity {
      id = '';
    }
    expect(hasOwnKey(Todos.row)).toBe(true);
    expect(hasOwnKey(new Collection([Unnamed]).row)).toBe(false);
  });

  it('a collection equals a plain model under any changes', async () => {
    const id = fc.integer({ min: 0, max: 60 }).map(String);
    const user = fc.constantFrom('1', '2', undefined);
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('push' as const), user, id }) },
      fc.record({ kind: fc.constant('unshift' as const), user, id }),
      fc.record({ kind: fc.constant('remove' as const), user, id }),
      fc.record({ kind: fc.constant('refetch' as const), user, ids: fc.uniqueArray(id, { maxLength: 45 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const controller = new Controller();
        const model = new Map<string | undefined, string[]>();
        for (const one of steps) {
          const params = one.user === undefined ? {} : { user: one.user };
          if (one.kind === 'refetch') {
            controller.setResponse(
              getTodos,
              params,
              one.ids.map((each) => ({ id: each })),
            );
            model.set(one.user, one.ids);
          } else {
            await controller.fetch(changing(Todos[one.kind]), params, { id: one.id });
            for (const [key, list] of model) {
              if (key !== undefined && key !== one.user) continue;
              const others = list.filter((each) => each !== one.id);
              if (one.kind === 'remove') model.set(key, others);
              else if (others.length === list.length)
                model.set(key, one.kind === 'push' ? [...list, one.id] : [one.id, ...list]);
            }
          }
          for (const [key, list] of model)
            expect(ids(controller.get(Todos, key === undefined ? {} : { user: key }))).toEqual(list);
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('shows the later of two pending reorderings, even if both began in the same millisecond', () => {
  class Step extends Entity {
    id = '';
    static override key = 'Step';
  }
  const steps = new Collection([Step]);
  const getSteps = new Endpoint(() => Promise.resolve([]), { name: 'getSteps', schema: steps });
  const reorder = new Endpoint((_params: object, _ids: readonly string[]) => new Promise(() => undefined), {
    name: 'reorder',
    schema: steps,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, _params: object, ids: readonly string[]) =>
      ids.map((id) => ({ id })),
  });
  const controller = new Controller({ now: () => 1_000 });
  controller.setResponse(getSteps, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  void controller.fetch(reorder, {}, ['b', 'a', 'c']);
  void controller.fetch(reorder, {}, ['c', 'b', 'a']);
  expect(controller.getResponse(getSteps).data?.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
