import { use } from 'react';
import { All, createResource, Endpoint, Entity, hookifyResource, Query, RestEndpoint } from 'holdfast';
import {
  useCache,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useLive,
  useLoading,
  useQuery,
  useSubscription,
  useSuspense,
} from 'holdfast/react';
import type { HookRow } from '../hooks.tsx';
import { Todo, TodoResource, URL_PREFIX } from '../models.ts';
import type { Routes, World } from '../table.ts';

const { get, getList } = TodoResource;
const ONE = { id: '1', title: 'One', userId: 'ann' };
const SERVER = {
  'GET /todos/1': ONE,
  'GET /todos/2': { id: '2', title: 'Two', userId: 'ann' },
  'GET /todos': [ONE],
  'GET /users/ann': { id: 'ann', name: 'Ann' },
};
const fail = (status: number) => () => Response.json({}, { status });
const quick = get.extend({ dataExpiryLength: 100, errorExpiryLength: 50 });
const strict = get.extend({ dataExpiryLength: 100, invalidIfStale: true });
const hard = get.extend({ errorPolicy: () => 'hard' });
const soft = get.extend({ errorPolicy: () => 'soft' });
const polled = get.extend({ pollFrequency: 20 });

class User extends Entity {
  id = '';
  name = '';
  static override key = 'HookUser';
}
const UserResource = createResource({ urlPrefix: URL_PREFIX, path: '/users/:id', schema: User });
const AuthedTodo = hookifyResource(TodoResource, () => ({ headers: { 'X-Token': 'secret' } }));
const countTodos = new Query(new All(Todo), (todos) => todos.length);
const getText = new Endpoint(async () => 'text', { name: 'hookText' });
const getPage = new RestEndpoint({
  urlPrefix: URL_PREFIX,
  path: '/page',
  schema: { items: [Todo], next: '' },
});

/** Time passes, and the server answers something else. */
const later =
  (ms: number, routes: Routes) =>
  (_: unknown, world: Pick<World, 'advance' | 'serve'>): void => {
    world.advance(ms);
    world.serve(routes);
  };

type Id = { readonly id: string } | null;
const useTitle = (id: Id) => (useSuspense(get, id as { id: string }) as Todo | undefined)?.title;
const useStates = (id: Id) => {
  const { data, loading, error } = useDLE(quick, id as { id: string });
  return [data?.title, loading, (error as { status?: number } | undefined)?.status];
};

/** useSuspense, from its first render on. */
export const suspenseRows: readonly HookRow[] = [
  {
    title: 'useSuspense suspends, then shows the data',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    elsewhere: ['One'],
  },
  {
    title: 'useSuspense shows at once what is there',
    server: SERVER,
    calls: [(c) => c.fetch(get, { id: '1' })],
    useHook: useTitle,
    props: { id: '1' },
    shows: ['One'],
    elsewhere: ['One'],
  },
  {
    title: 'useSuspense is served from a list',
    server: SERVER,
    calls: [(c) => c.fetch(getList)],
    useHook: useTitle,
    props: { id: '1' },
    shows: ['One'],
    elsewhere: ['One'],
  },
  {
    title: 'useSuspense with null args shows nothing and fetches nothing',
    useHook: useTitle,
    props: null,
    shows: [undefined],
  },
  {
    title: 'useSuspense fetches when null becomes args',
    server: SERVER,
    useHook: useTitle,
    props: null,
    shows: [undefined],
    then: [[(_, s) => s.rerender({ id: '1' }), 'suspended', 'One']],
    elsewhere: ['One'],
  },
  {
    title: 'useSuspense fetches when its args change',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(_, s) => s.rerender({ id: '2' }), 'suspended', 'Two'],
      [(_, s) => s.rerender({ id: '1' }), 'One'],
    ],
    elsewhere: ['One'],
  },
  {
    title: 'useSuspense shows stale data and refreshes it',
    server: SERVER,
    calls: [(c) => c.fetch(quick, { id: '1' }), later(1_000, { 'GET /todos/1': { ...ONE, title: 'Uno' } })],
    useHook: () => useSuspense(quick, { id: '1' }).title,
    shows: ['One', 'Uno'],
  },
  {
    title: 'useSuspense with invalidIfStale suspends on stale data',
    server: SERVER,
    calls: [(c) => c.fetch(strict, { id: '1' }), later(1_000, { 'GET /todos/1': { ...ONE, title: 'Uno' } })],
    useHook: () => useSuspense(strict, { id: '1' }).title,
    shows: ['suspended', 'Uno'],
  },
  {
    title: 'useSuspense follows a mutation',
    server: { ...SERVER, 'PATCH /todos/1': { id: '1', title: 'Uno' } },
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [[(c) => c.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'Uno' }), 'Uno']],
    elsewhere: ['Uno'],
  },
  {
    title: 'useSuspense follows set',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [[(c) => c.set(Todo, { id: '1' }, { title: 'Uno' }), 'Uno']],
    elsewhere: ['Uno'],
  },
  {
    title: 'useSuspense suspends and fetches when it is invalidated',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(_, s) => s.serve({ 'GET /todos/1': { ...ONE, title: 'Uno' } })],
      [(c) => c.invalidate(get, { id: '1' }), 'suspended', 'Uno'],
    ],
    elsewhere: ['Uno'],
  },
  {
    title: 'useSuspense fetches again what was deleted',
    server: { ...SERVER, 'DELETE /todos/1': '' },
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(_, s) => s.serve({ 'GET /todos/1': fail(404) })],
      [(c) => c.fetch(TodoResource.delete, { id: '1' }), 'suspended', 'error 404'],
    ],
  },
  {
    title: 'useSuspense goes on showing what was made stale',
    differs: '`expireAll` of data on screen',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [[(_, s) => s.serve({ 'GET /todos/1': { ...ONE, title: 'Uno' } })], [(c) => c.expireAll(get)]],
  },
  {
    title: 'useSuspense shows what a forced fetch brings, without suspending',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(_, s) => s.serve({ 'GET /todos/1': { ...ONE, title: 'Uno' } })],
      [(c) => c.fetch(get, { id: '1' }), 'Uno'],
    ],
    elsewhere: ['Uno'],
  },
  {
    title: 'useSuspense throws when the request fails',
    server: { 'GET /todos/1': fail(404) },
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'error 404'],
  },
  {
    title: 'a boundary that is reset after the error expired fetches again',
    server: { 'GET /todos/1': fail(500) },
    useHook: () => useSuspense(quick, { id: '1' }).title,
    shows: ['suspended', 'error 500'],
    then: [[later(100, { 'GET /todos/1': ONE })], [(_, s) => s.reset(), 'suspended', 'One']],
    elsewhere: ['One'],
  },
  {
    title: 'a refresh that fails with 500 leaves the data on screen',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(c, s) => (s.serve({ 'GET /todos/1': fail(500) }), c.fetch(get, { id: '1' }).catch(() => undefined))],
    ],
    elsewhere: ['One'],
  },
  {
    title: 'a refresh that fails with 404 takes the data off the screen',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [
        (c, s) => (s.serve({ 'GET /todos/1': fail(404) }), c.fetch(get, { id: '1' }).catch(() => undefined)),
        'error 404',
      ],
    ],
  },
  {
    title: 'errorPolicy hard throws whatever the status',
    server: SERVER,
    useHook: () => useSuspense(hard, { id: '1' }).title,
    shows: ['suspended', 'One'],
    then: [
      [
        (c, s) => (s.serve({ 'GET /todos/1': fail(500) }), c.fetch(hard, { id: '1' }).catch(() => undefined)),
        'error 500',
      ],
    ],
  },
  {
    title: 'errorPolicy soft keeps the data whatever the status',
    server: SERVER,
    useHook: () => useSuspense(soft, { id: '1' }).title,
    shows: ['suspended', 'One'],
    then: [
      [(c, s) => (s.serve({ 'GET /todos/1': fail(404) }), c.fetch(soft, { id: '1' }).catch(() => undefined))],
    ],
    elsewhere: ['One'],
  },
  {
    title: 'a second useSuspense may need the first',
    server: SERVER,
    useHook: () => {
      const { userId } = useSuspense(get, { id: '1' });
      return useSuspense(UserResource.get, { id: userId }).name;
    },
    shows: ['suspended', 'Ann'],
    elsewhere: ['Ann'],
  },
  {
    title: 'useSuspense keeps the form of an object schema',
    server: { 'GET /page': { items: [ONE], next: '2' } },
    useHook: () => {
      const { items, next } = useSuspense(getPage);
      return [items.map(({ title }) => title), next];
    },
    shows: ['suspended', [['One'], '2']],
    elsewhere: [[['One'], '2']],
  },
  {
    title: 'useSuspense without a schema shows what the endpoint gives',
    useHook: () => useSuspense(getText),
    shows: ['suspended', 'text'],
    elsewhere: ['text'],
  },
  {
    title: 'useSuspense of a hooked resource sends what useInit gives',
    server: {
      'GET /todos/1': ({ headers }: { headers: Headers }) => ({ id: '1', title: headers.get('x-token') }),
    },
    useHook: () => useSuspense(AuthedTodo.useGet(), { id: '1' }).title,
    shows: ['suspended', 'secret'],
    elsewhere: ['secret'],
  },
  {
    title: 'a list on screen takes what is pushed',
    server: { ...SERVER, 'POST /todos': { id: '9', title: 'New' } },
    useHook: () => useSuspense(getList).map(({ title }) => title),
    shows: ['suspended', ['One']],
    then: [[(c) => c.fetch(getList.push, { title: 'New' }), ['One', 'New']]],
    elsewhere: [['One', 'New']],
  },
  {
    title: 'a list on screen leaves out what is deleted, without suspending',
    server: { ...SERVER, 'DELETE /todos/1': '' },
    useHook: () => useSuspense(getList).map(({ title }) => title),
    shows: ['suspended', ['One']],
    then: [[(c) => c.fetch(TodoResource.delete, { id: '1' }), []]],
    elsewhere: [[]],
  },
  {
    title: 'useSuspense fetches again after a reset',
    server: SERVER,
    useHook: useTitle,
    props: { id: '1' },
    shows: ['suspended', 'One'],
    then: [
      [(c, s) => (s.serve({ 'GET /todos/1': { ...ONE, title: 'Uno' } }), c.reset()), 'suspended', 'Uno'],
    ],
    elsewhere: ['Uno'],
  },
];

/** The other hooks. */
export const hookRows: readonly HookRow[] = [
  {
    title: 'useDLE is loading, then has data',
    server: SERVER,
    useHook: useStates,
    props: { id: '1' },
    shows: [
      [undefined, true, undefined],
      ['One', false, undefined],
    ],
    elsewhere: [['One', false, undefined]],
  },
  {
    title: 'useDLE has the error',
    server: { 'GET /todos/1': fail(404) },
    useHook: useStates,
    props: { id: '1' },
    shows: [
      [undefined, true, undefined],
      [undefined, false, 404],
    ],
  },
  {
    title: 'useDLE with null args neither loads nor fails',
    useHook: useStates,
    props: null,
    shows: [[undefined, false, undefined]],
  },
  {
    title: 'useDLE is loading again when it is invalidated',
    server: SERVER,
    useHook: useStates,
    props: { id: '1' },
    shows: [
      [undefined, true, undefined],
      ['One', false, undefined],
    ],
    then: [
      [(c) => c.invalidate(quick, { id: '1' }), [undefined, true, undefined], ['One', false, undefined]],
    ],
    elsewhere: [['One', false, undefined]],
  },
  {
    title: 'useDLE shows stale data, and is not loading',
    server: SERVER,
    calls: [(c) => c.fetch(quick, { id: '1' }), later(1_000, { 'GET /todos/1': { ...ONE, title: 'Uno' } })],
    useHook: useStates,
    props: { id: '1' },
    shows: [
      ['One', false, undefined],
      ['Uno', false, undefined],
    ],
  },
  {
    title: 'useDLE keeps the data when a refresh fails with 500',
    server: SERVER,
    useHook: useStates,
    props: { id: '1' },
    shows: [
      [undefined, true, undefined],
      ['One', false, undefined],
    ],
    then: [
      [
        (c, s) => (
          s.serve({ 'GET /todos/1': fail(500) }),
          c.fetch(quick, { id: '1' }).catch(() => undefined)
        ),
      ],
    ],
  },
  {
    title: 'useCache shows nothing, and fetches nothing',
    useHook: () => useCache(get, { id: '1' })?.title,
    shows: [undefined],
  },
  {
    title: 'useCache shows what others fetch',
    server: SERVER,
    useHook: () => useCache(get, { id: '1' })?.title,
    shows: [undefined],
    then: [
      [(c) => c.fetch(get, { id: '1' }), 'One'],
      [(c) => c.invalidate(get, { id: '1' }), undefined],
    ],
    elsewhere: [undefined],
  },
  {
    title: 'useCache shows nothing once a refresh was rejected',
    differs: '`useCache` and `getResponse` after a refresh failed with 4xx',
    server: SERVER,
    useHook: () => useCache(get, { id: '1' })?.title,
    shows: [undefined],
    then: [
      [(c) => c.fetch(get, { id: '1' }), 'One'],
      [
        (c, s) => (s.serve({ 'GET /todos/1': fail(403) }), c.fetch(get, { id: '1' }).catch(() => undefined)),
        undefined,
      ],
    ],
  },
  {
    title: 'useCache with null args shows nothing',
    useHook: () => useCache(get, null)?.title,
    shows: [undefined],
  },
  {
    title: 'useQuery shows an entity as soon as something brings it',
    server: SERVER,
    useHook: () => useQuery(Todo, { id: '1' })?.title,
    shows: [undefined],
    then: [
      [(c) => c.fetch(getList), 'One'],
      [(c) => c.set(Todo, { id: '1' }, { title: 'Uno' }), 'Uno'],
      [(c) => c.setResponse(TodoResource.delete, { id: '1' }, { id: '1' }), undefined],
    ],
    elsewhere: [undefined],
  },
  {
    title: 'useQuery of a Query follows its data',
    server: SERVER,
    useHook: () => useQuery(countTodos),
    shows: [undefined],
    then: [
      [(c) => c.fetch(getList), 1],
      [(c) => c.fetch(get, { id: '2' }), 2],
    ],
    elsewhere: [2],
  },
  {
    title: 'useQuery of a Collection shows a list that was fetched',
    server: SERVER,
    calls: [(c) => c.fetch(getList)],
    useHook: () => useQuery(getList.schema, {})?.map(({ title }) => title),
    shows: [['One']],
    elsewhere: [['One']],
  },
  {
    title: 'useFetch fetches, and use() gives the data',
    server: SERVER,
    useHook: () => use(useFetch(get, { id: '1' })).title,
    shows: ['suspended', 'One'],
    elsewhere: ['One'],
  },
  {
    title: 'use() of useFetch shows stale data while it is refreshed',
    differs: '`use(useFetch(…))` of stale data',
    server: SERVER,
    calls: [(c) => c.fetch(quick, { id: '1' }), later(1_000, { 'GET /todos/1': { ...ONE, title: 'Uno' } })],
    useHook: () => use(useFetch(quick, { id: '1' })).title,
    shows: ['One', 'Uno'],
  },
  {
    title: 'useFetch with null args gives nothing to wait for',
    useHook: () => useFetch(get, null) === undefined,
    shows: [true],
  },
  {
    title: 'useFetch of several reads asks for them side by side',
    server: SERVER,
    useHook: () => {
      const [one, two] = [useFetch(get, { id: '1' }), useFetch(get, { id: '2' })];
      return [use(one).title, use(two).title];
    },
    shows: ['suspended', ['One', 'Two']],
    elsewhere: [['One', 'Two']],
  },
  {
    title: 'useFetch and useCache share a request',
    server: SERVER,
    useHook: () => {
      void useFetch(get, { id: '1' });
      return useCache(get, { id: '1' })?.title;
    },
    shows: [undefined, 'One'],
    elsewhere: ['One'],
  },
  {
    title: 'useError has the error of a read that others make',
    server: { 'GET /todos/1': fail(404) },
    useHook: () => (useError(get, { id: '1' }) as { status?: number } | undefined)?.status,
    shows: [undefined],
    then: [[(c) => c.fetch(get, { id: '1' }).catch(() => undefined), 404]],
  },
  {
    title: 'useLoading is true while its function runs',
    useHook: () => {
      const [run, loading, error] = useLoading((job: Promise<string>) => job);
      start = run;
      return [loading, error?.message];
    },
    shows: [[false, undefined]],
    then: [
      [() => begin(), [true, undefined]],
      [() => job.resolve('done'), [false, undefined]],
    ],
  },
  {
    title: 'useLoading has what its function rejects with',
    useHook: () => {
      const [run, loading, error] = useLoading((job: Promise<string>) => job);
      start = run;
      return [loading, error?.message];
    },
    shows: [[false, undefined]],
    then: [
      [() => begin(), [true, undefined]],
      [() => job.reject(new Error('no')), [false, 'no']],
    ],
  },
  {
    title: 'useController is the controller of the provider',
    useHook: () => typeof useController().fetch,
    shows: ['function'],
  },
  {
    title: 'useDebounce follows its value after the delay',
    useHook: (value: string) => useDebounce(value, 10)[0],
    props: 'a',
    shows: ['a'],
    then: [[(_, s) => s.rerender('b'), 'b']],
  },
  {
    title: 'useLive fetches, then polls',
    calls: [(_, w) => w.serve({ 'GET /todos/1': counting() })],
    useHook: () => useLive(polled, { id: '1' }).title,
    shows: ['suspended', '1'],
    then: [
      [(_, s) => s.advance(20), '2'],
      [(_, s) => s.advance(20), '3'],
    ],
    elsewhere: ['3'],
  },
  {
    title: 'a poll that is rejected is an error of what it polls',
    differs: 'A poll that fails with 4xx',
    calls: [(_, w) => w.serve({ 'GET /todos/1': counting() })],
    useHook: () => useLive(polled, { id: '1' }).title,
    shows: ['suspended', '1'],
    then: [[later(20, { 'GET /todos/1': fail(403) }), 'error 403']],
  },
  {
    title: 'useSubscription polls for others',
    differs: 'The first poll of what was never fetched',
    calls: [(_, w) => w.serve({ 'GET /todos/1': counting() })],
    useHook: () => {
      useSubscription(polled, { id: '1' });
      return useCache(polled, { id: '1' })?.title;
    },
    shows: [undefined],
    then: [
      [(_, s) => s.advance(20), '1'],
      [(_, s) => s.advance(20), '2'],
    ],
    elsewhere: ['2'],
  },
];

/** What `useLoading` runs. */
let start: (job: Promise<string>) => unknown;
let job: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void };
function begin(): void {
  const promise = new Promise<string>((resolve, reject) => (job = { resolve, reject }));
  start(promise);
}

/** A route that counts its requests. */
function counting() {
  let count = 0;
  return () => ({ id: '1', title: String((count += 1)) });
}
