import { All, Collection, Delete, Endpoint, Entity, Query, type Schema } from 'holdfast';
import { Article, FeedItem, Todo } from '../models.ts';
import type { Row } from '../table.ts';
import { User } from '../../support/entities.ts';

const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

const answers = <S extends Schema & {}>(name: string, schema: S) =>
  new Endpoint(async (..._args: readonly unknown[]): Promise<unknown> => null, { name, schema });
const getTodos = answers('getTodos', [Todo]);
const getUsers = answers('getUsers', [User]);

const TODOS = [
  { id: '1', title: 'Rest', userId: 'ann', done: true },
  { id: '2', title: 'Swim', userId: 'bob' },
  { id: '3', title: 'Dive', userId: 'ann' },
];
const load: Row['calls'][number] = (c) => c.setResponse(getTodos, TODOS);

const sorted = new Query(new All(Todo), (todos) => [...todos].sort((a, b) => a.title.localeCompare(b.title)));
const remaining = new Query(new All(Todo), (todos, { userId }: { userId?: string } = {}) =>
  todos.filter((todo) => !todo.done && (userId === undefined || todo.userId === userId)),
);
const count = new Query(new All(Todo), (todos) => todos.length);
function byUser(todos: readonly Todo[]): Record<string, Todo[]> {
  const groups: Record<string, Todo[]> = {};
  for (const todo of todos) (groups[todo.userId] ??= []).push(todo);
  return groups;
}
const groups = new Query(new All(Todo), (todos) => byUser(todos));
const titleOf = new Query(Todo, (todo) => todo.title.toUpperCase());
const countOfSorted = new Query(sorted, (todos) => todos.length);
const join = new Query({ todo: Todo, user: User }, ({ todo, user }) => `${todo.title} by ${user.name}`);
const kindOf = new Query(FeedItem, (item) => item.type);
const collection = new Collection([Todo], { argsKey: ({ userId }) => ({ userId }) });
const doneOf = new Query(collection, (todos) => todos.filter(({ done }) => done).length);
const getSorted = answers(
  'getSorted',
  new Query(new Collection([Todo]), (todos, { by = 'id' }: { by?: 'id' | 'title' } = {}) =>
    [...todos].sort((a, b) => (a[by] < b[by] ? -1 : 1)),
  ),
);
const inObject = answers('inObject', {
  open: new Query([Todo], (todos) => todos.filter(({ done }) => !done)),
  total: 0,
});
const nothing = new Query(new All(Todo), () => undefined);

class Author extends Entity {
  id = '';
  articles: readonly Article[] = [];
  static override key = 'Author';
  static override schema = {
    articles: new Query([Article], (all) => all.filter(({ title }) => title !== '')),
  };
}

/** Queries: over each kind of schema, with and without args. */
export const queryRows: readonly Row[] = [
  {
    title: 'a Query sorts every entity of a class',
    calls: [load],
    read: (c) => c.get(sorted),
    shows: ids,
    expected: ['3', '1', '2'],
  },
  {
    title: 'a Query filters',
    calls: [load],
    read: (c) => c.get(remaining),
    shows: ids,
    expected: ['2', '3'],
  },
  {
    title: 'a Query gets the args of its read',
    calls: [load],
    read: (c) => c.get(remaining, { userId: 'ann' }),
    shows: ids,
    expected: ['3'],
  },
  {
    title: 'reads of a Query with other args do not disturb each other',
    calls: [load],
    read: (c) => [{ userId: 'ann' }, { userId: 'bob' }, {}].map((args) => c.get(remaining, args)?.length),
    expected: [1, 1, 2],
  },
  { title: 'a Query counts', calls: [load], read: (c) => c.get(count), expected: 3 },
  {
    title: 'a Query follows what is added, changed and deleted',
    calls: [
      load,
      (c) => c.setResponse(answers('one', Todo), { id: '4', title: 'Wade', userId: 'ann' }),
      (c) => c.set(Todo, { id: '2' }, { done: true }),
      (c) => c.setResponse(deletion, { id: '3' }),
    ],
    read: (c) => [c.get(count), ids(c.get(remaining) ?? [])],
    expected: [3, ['4']],
  },
  {
    title: 'a Query groups',
    calls: [load],
    read: (c) => c.get(groups),
    shows: (by: Record<string, readonly Todo[]>) => Object.entries(by).map(([key, list]) => [key, ids(list)]),
    expected: [
      ['ann', ['1', '3']],
      ['bob', ['2']],
    ],
  },
  {
    title: 'a Query may be over one entity',
    calls: [load],
    read: (c) => c.get(titleOf, { id: '2' }),
    expected: 'SWIM',
  },
  {
    title: 'a Query over an entity that is not stored is undefined',
    calls: [load],
    read: (c) => c.get(titleOf, { id: '9' }),
    expected: undefined,
  },
  { title: 'a Query may be over a Query', calls: [load], read: (c) => c.get(countOfSorted), expected: 3 },
  {
    title: 'a Query joins several entities by the same args',
    calls: [load, (c) => c.setResponse(getUsers, [{ id: '2', name: 'Bob' }])],
    read: (c) => c.get(join, { id: '2' }),
    expected: 'Swim by Bob',
  },
  {
    title: 'a Query over an object of which a part is missing is undefined',
    differs: 'A `Query` over an object with a missing part',
    calls: [load],
    read: (c) => c.get(join, { id: '2' }),
    expected: undefined,
  },
  {
    title: 'a Query over an object of a list and a plain member is undefined',
    differs: 'An object of lists and plain members, without a response',
    calls: [load],
    read: (c) => c.get(new Query({ todos: new All(Todo), total: 0 }, ({ todos }) => todos.length)),
    expected: undefined,
  },
  {
    title: 'a Query over an object of lists is served from rows',
    calls: [load],
    read: (c) => c.get(new Query({ todos: new All(Todo) }, ({ todos }) => todos.length)),
    expected: 3,
  },
  {
    title: 'a Query may be over a union',
    calls: [(c) => c.setResponse(answers('feed', [FeedItem]), [{ id: '1', type: 'post' }])],
    read: (c) => c.get(kindOf, { type: 'post', id: '1' }),
    expected: 'post',
  },
  {
    title: 'a Query may be over a Collection of some args',
    calls: [(c) => c.setResponse(answers('of', collection), { userId: 'ann' }, [TODOS[0], TODOS[2]])],
    read: (c) => [c.get(doneOf, { userId: 'ann' }), c.get(doneOf, { userId: 'bob' })],
    expected: [1, undefined],
  },
  {
    title: 'a Query over a class of which nothing has arrived is undefined',
    calls: [],
    read: (c) => c.get(count),
    expected: undefined,
  },
  {
    title: 'a Query over a class all of which was deleted gets an empty list',
    calls: [(c) => c.setResponse(getTodos, [TODOS[0]]), (c) => c.setResponse(deletion, { id: '1' })],
    read: (c) => c.get(count),
    expected: 0,
  },
  {
    title: 'a Query as the schema of an endpoint gets the args of the call',
    calls: [(c) => c.setResponse(getSorted, { by: 'title' }, TODOS)],
    read: (c) => c.getResponse(getSorted, { by: 'title' }).data,
    shows: ids,
    expected: ['3', '1', '2'],
  },
  {
    title: 'a Query in an object is applied to its member',
    calls: [(c) => c.setResponse(inObject, { open: TODOS, total: 3 })],
    read: (c) => c.getResponse(inObject).data,
    shows: ({ open, total }: { open: readonly Todo[]; total: number }) => [ids(open), total],
    expected: [['2', '3'], 3],
  },
  {
    title: 'a Query in the field of an entity is applied to its relation',
    calls: [
      (c) =>
        c.setResponse(answers('author', Author), {
          id: 'a',
          articles: [
            { id: '1', title: 'Kelp', author: { id: 'u' } },
            { id: '2', title: '', author: 'u' },
          ],
        }),
    ],
    read: (c) => c.get(Author, { id: 'a' })?.articles,
    shows: ids,
    expected: ['1'],
  },
  { title: 'a Query may give undefined', calls: [load], read: (c) => c.get(nothing), expected: undefined },
  {
    title: 'All gives the entities of a class, whoever brought them',
    calls: [load, (c) => c.setResponse(answers('nested', { todo: Todo }), { todo: { id: '9' } })],
    read: (c) => c.get(all),
    shows: ids,
    expected: ['1', '2', '3', '9'],
  },
  {
    title: 'the args of an entity find it by its pk',
    calls: [load],
    read: (c) => [c.get(Todo, { id: '1' })?.title, c.get(Todo, '1')?.title, c.get(Todo, { id: 1 })?.title],
    expected: ['Rest', 'Rest', 'Rest'],
  },
  {
    title: 'args that name nothing find no entity',
    calls: [load],
    read: (c) => c.get(Todo, { title: 'Rest' }),
    expected: undefined,
  },
  {
    title: 'a Query gives the same object while its data is the same',
    calls: [
      load,
      (c) => (before = c.get(sorted)),
      (c) => c.setResponse(answers('other', User), { id: 'x', name: 'Other' }),
    ],
    read: (c) => c.get(sorted) === before,
    expected: true,
    here: 'requests',
  },
];
let before: unknown;
const all = new All(Todo);
const deletion = new Endpoint(async (): Promise<unknown> => null, {
  name: 'delete',
  sideEffect: true,
  schema: new Delete(Todo),
});
