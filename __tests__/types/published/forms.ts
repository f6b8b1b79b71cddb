/* oxlint-disable no-unused-vars, typescript/no-explicit-any, typescript/no-unnecessary-type-assertion, typescript/no-unnecessary-type-parameters -- forms of code that apps have */
/** Forms of code whose types are inferred, or refused, with every TypeScript that Holdfast promises. */
import {
  All,
  Collection,
  createResource,
  Endpoint,
  Entity,
  Lazy,
  Query,
  RestEndpoint,
  Scalar,
  Union,
  type Controller,
  type EndpointData,
  type Resource,
  type ResourceOptions,
  type RestEndpointOptions,
  type Schema,
} from 'holdfast';
import { useQuery, useSuspense } from 'holdfast/react';

/** Whether two types are the same, not merely assignable to each other. */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for a type that is `true`. */

function assertType<T extends true>(): void {
  // The compiler does the work.
}

class User extends Entity {
  id = '';
  name = '';
}
class Article extends Entity {
  id = 0;
  type = 'article' as const;
  title = '';
}
class Video extends Entity {
  id = 0;
  type = 'video' as const;
  length = 0;
}

/** Data Client's form of a base class, whose options may be anything. */
class AnyEndpoint<O extends RestEndpointOptions = any> extends RestEndpoint<O> {
  override urlPrefix = 'https://api.example.com';

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'include' };
  }
}

export async function baseClasses(): Promise<void> {
  const get = new AnyEndpoint({
    path: '/articles/:id',
    schema: Article,
    process(value, params) {
      assertType<Equal<typeof value, unknown>>();
      return { ...(value as object), method: this.method };
    },
    getOptimisticResponse(snapshot, ...args) {
      assertType<Equal<ReturnType<typeof snapshot.get<typeof User>>, User | undefined>>();
      return args;
    },
    errorPolicy: (error) => (error.status === 404 ? 'hard' : 'soft'),
    searchToString: (params) => Object.keys(params).join(),
  });
  assertType<Equal<EndpointData<typeof get>, Article>>();
  await get({ id: 5 });
  // @ts-expect-error a wrong name
  await get({ di: 5 });
  const put = get.extend({ method: 'PUT', body: {} as { title: string } });
  await put({ id: 5 }, { title: '' });
  put.extend({
    getOptimisticResponse(_snapshot, { id }, { title }) {
      return { id, title };
    },
  });
  const Resource = createResource({ path: '/articles/:id', schema: Article, Endpoint: AnyEndpoint });
  await Resource.get({ id: 5 });
  const loose: RestEndpoint<any> = put;
  await loose({ anything: 1 });
}

/** A wrapper that adds what all resources of an app share. */
function myResource<O extends ResourceOptions>(options: O) {
  return createResource({ dataExpiryLength: 5, ...options, urlPrefix: 'https://api.example.com' } as O);
}
function myConstResource<const O extends ResourceOptions>(options: O) {
  return createResource({ ...options, urlPrefix: 'https://api.example.com' } as O).extend((base) => ({
    latest: base.getList.extend({ path: '/latest' }),
  }));
}
function myEndpoint<const O extends RestEndpointOptions>(options: O) {
  return new RestEndpoint({ ...options, urlPrefix: 'https://api.example.com' } as O);
}

export async function wrappers(): Promise<void> {
  const { get, getList, create } = myResource({ path: '/articles/:id', schema: Article });
  await get({ id: 5 });
  // @ts-expect-error a wrong name
  await get({ di: 5 });
  assertType<Equal<EndpointData<typeof get>, Article>>();
  assertType<Equal<EndpointData<typeof getList>, Article[]>>();
  await create({ title: '' });
  // @ts-expect-error a field that articles lack
  await create({ titel: '' });
  const constant = myConstResource({ path: '/groups/:group/articles/:id', schema: Article });
  await constant.get({ group: 1, id: 5 });
  // @ts-expect-error a parameter is missing
  await constant.get({ id: 5 });
  assertType<Equal<EndpointData<typeof constant.latest>, Article[]>>();
  const one = myEndpoint({ path: '/articles/:id', schema: Article });
  await one({ id: 5 });
  // @ts-expect-error a wrong name
  await one({ di: 5 });
}

class Member extends Entity {
  group = '';
  user = '';
  role = '';
  override pk() {
    return `${this.group} ${this.user}`;
  }
  static override readonly indexes = ['role'];
}
class Product extends Entity {
  id = '';
  price = 0;
  static override schema = {
    price: new Scalar({ lens: () => 'EUR', key: 'currency' }),
    related: new Lazy([Article]),
  };
}

export function queryArgs(controller: Controller): void {
  useQuery(User, { id: '1' });
  useQuery(User, { id: 1 });
  useQuery(User, { name: 'ann' });
  useQuery(Article, { id: '1' });
  useQuery(User, '1');
  useQuery(Article, 1);
  useQuery(User, { id: undefined });
  useQuery(User, null);
  useQuery(User, undefined);
  useQuery(Member, { group: '1', user: 2 });
  useQuery(Product, { id: '1', currency: 'EUR' });
  controller.get(User, { id: '1' });
  // @ts-expect-error which user?
  useQuery(User);
  // @ts-expect-error users have no such field
  useQuery(User, { nope: 1 });
  // @ts-expect-error users have no such field
  useQuery(User, { id: '1', nope: 1 });
  // @ts-expect-error not what an id may be
  useQuery(User, { id: {} });
  // @ts-expect-error which user?
  controller.get(User);
  // @ts-expect-error users have no such field
  controller.get(User, { nope: 1 });
  // @ts-expect-error users have no such field
  controller.watch(User, { nope: 1 }, () => undefined);
  controller.watch(User, { id: '1' }, (user) => {
    assertType<Equal<typeof user, User | undefined>>();
  });

  controller.watch(new All(User), (users) => {
    assertType<Equal<typeof users, User[] | undefined>>();
  });
  const old = new Query(new All(User), (users, { by }: { by: string }) =>
    users.filter(({ id }) => id !== by),
  );
  controller.watch(old, { by: 'ann' }, (users) => {
    assertType<Equal<typeof users, User[] | undefined>>();
  });
  controller.watch(new Union({ user: User }, 'name'), { id: '1' }, (user) => {
    assertType<Equal<typeof user, User | undefined>>();
  });
  const anything: unknown = {};
  controller.get(new All(User), anything);

  const shouted = new Query(User, (user) => user.name.toUpperCase());
  const name = useQuery(shouted, { id: '1' });
  assertType<Equal<typeof name, string | undefined>>();
  // @ts-expect-error which user?
  useQuery(shouted);
  // @ts-expect-error users have no such field
  useQuery(shouted, { nope: 1 });
  const lettered = new Query(User, (user, { letter }: { letter: string }) => user.name.includes(letter));
  useQuery(lettered, { letter: 'a', id: '1' });
  const count = new Query(new All(User), (users) => users.length);
  useQuery(count);
  useQuery(new All(User));
  useQuery(new Collection([User]), { by: 'ann' });
  useQuery(new Collection([User]));
  useQuery(new Union({ article: Article, video: Video }, 'type'), { type: 'article', id: 1 });

  // A schema that is only known as such takes any args.
  const any = <S extends Schema>(schema: S): unknown => controller.get<Schema>(schema, { id: 1 });
  void any;
  const entity: typeof Entity = User;
  controller.get(entity, { id: 1 });
}

export function unions(): void {
  new Union({ article: Article, video: Video }, 'type');
  new Union({ article: Article, video: Video }, (value) => value.type);
  new Union({ article: Article, video: Video }, (value: Article | Video) => value.type);
  new Union({ article: Article, video: Video }, (value: { type: string }) => value.type);
  new Union({ article: Article, video: Video }, (value) => ('length' in value ? 'video' : 'article'));
  new Union({ article: Article, video: Video }, ({ id, title }) => (id > 5 ? title : 'video'));
  // @ts-expect-error no member has such a field
  new Union({ article: Article, video: Video }, 'noSuchField');
  // What the server sends need not be a field of a class.
  new Union({ article: Article, video: Video }, (value) => value['kind']);
}

export const WithThis = new Endpoint(
  function (this: { readonly name: string }, { id }: { id: string }) {
    return Promise.resolve({ id, name: this.name });
  },
  { name: 'withThis' },
);
export const WithInferredThis = new Endpoint(
  function ({ id }: { id: string }) {
    const { name } = this;
    assertType<Equal<typeof name, string>>();
    return Promise.resolve({ id, name, expiry: this.dataExpiryLength });
  },
  { name: 'withThis', dataExpiryLength: 5 },
);
assertType<
  Equal<EndpointData<typeof WithInferredThis>, { id: string; name: string; expiry: number | undefined }>
>();

const ArticleResource = createResource({
  path: '/groups/:group/articles/:id',
  schema: Article,
  searchParams: {} as { by?: string },
  paginationField: 'cursor',
});

export async function pages(): Promise<void> {
  const { getList } = ArticleResource;
  const paged = getList.paginated('cursor').extend({ dataExpiryLength: 5 });
  await paged({ group: 1, cursor: 2 });
  await paged({ group: 1, cursor: 2, by: 'ann' });
  // @ts-expect-error the group is missing
  await paged({ cursor: 2 });
  // @ts-expect-error no such parameter
  await paged({ group: 1, kursor: 2 });
  assertType<Equal<EndpointData<typeof paged>, Article[]>>();
  // @ts-expect-error the cursor is missing
  await paged({ group: 1 });
  const next = getList.getPage.extend({ dataExpiryLength: 5 });
  await next({ group: 1, cursor: 2 });
  // @ts-expect-error the cursor is missing
  await next({ group: 1 });

  const search = new RestEndpoint({
    path: '/search/:group',
    method: 'POST',
    body: {} as { q: string },
    schema: new Collection([Article]),
    paginationField: 'cursor',
  });
  await search({ group: 1 }, { q: 'x' });
  await search.getPage({ group: 1 }, { q: 'x', cursor: 2 });
  // @ts-expect-error the cursor is missing
  await search.getPage({ group: 1 }, { q: 'x' });
  // @ts-expect-error it is in the body
  await search.getPage({ group: 1, cursor: 2 }, { q: 'x' });
  await search.paginated('after')({ group: 1 }, { q: 'x', after: 2 });
}

export async function changes(): Promise<void> {
  const { get, getList } = ArticleResource;
  await getList.push({ group: 1 }, { title: 'new' });
  await getList.push({ group: 1 }, [{ title: 'new' }, { title: 'newer' }]);
  // @ts-expect-error a misspelled field
  await getList.push({ group: 1 }, { titel: 'new' });
  const rename = get.extend({
    path: '/articles/:id/title',
    method: 'POST',
    body: {} as { title: string },
    getOptimisticResponse: (_snapshot, { id }, { title }) => ({ id, title: title.trim() }),
  });
  await rename({ id: 5 }, { title: 'new' });
}

export function Screen(): string {
  const { get, create } = ArticleResource;
  // @ts-expect-error a mutation cannot be read
  useSuspense(create, { group: 1 }, { title: 'new' });
  return useSuspense(get, { group: 1, id: 5 }).title;
}

export function writes(controller: Controller): void {
  controller.set(User, { id: '1' }, { name: 'Ann' });
  controller.set(User, { id: '1' }, (draft) => {
    draft.name = 'Ann';
  });
  controller.set([User], [{ id: '1', name: 'Ann' }]);
  const { schema } = ArticleResource.getList;
  controller.set(schema, { group: 1 }, (present) => [...(present ?? []), { id: 5, title: 'new' }]);
  controller.set(schema.push, { group: 1 }, { title: 'new' });
  // @ts-expect-error a misspelled field
  controller.set(User, { id: '1' }, { nmae: 'Ann' });
  // @ts-expect-error args that identify no user
  controller.set(User, { idd: '1' }, { name: 'Ann' });
  // @ts-expect-error a misspelled field
  controller.set([User], [{ id: '1', nmae: 'Ann' }]);
}

const logIn = new Endpoint(({ name }: { name: string }) => Promise.resolve({ name }), {
  name: 'logIn',
  sideEffect: true,
});
export function Sent(): void {
  // @ts-expect-error a mutation cannot be read
  useSuspense(logIn, { name: 'Ann' });
}

class CountingEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  count = 0;
}
const Counting = createResource({ path: '/articles/:id', schema: Article, Endpoint: CountingEndpoint });
assertType<Equal<typeof Counting.getList.count, number>>();
/** A helper that takes any resource. */
const countOf = (resources: readonly Resource[]): number => resources.length;
countOf([ArticleResource, Counting, Counting.extend('get', { dataExpiryLength: 5 })]);
