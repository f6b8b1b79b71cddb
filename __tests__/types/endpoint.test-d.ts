/* oxlint-disable typescript/no-unnecessary-type-assertion -- the types are what is tested */
/* oxlint-disable typescript/no-unsafe-call -- what must not compile is called */
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import { Endpoint } from '../../src/endpoint/Endpoint.ts';
import type { EndpointArgs, EndpointData, EndpointInterface } from '../../src/endpoint/EndpointInterface.ts';
import { hookifyResource } from '../../src/endpoint/rest/hookifyResource.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import type { Resource } from '../../src/endpoint/rest/resourceTypes.ts';
import type { RestEndpointOptions } from '../../src/endpoint/rest/RestEndpointOptions.ts';
import type { StandardSchema } from '../../src/util/standardSchema.ts';
import { Collection } from '../../src/schema/collection/Collection.ts';
import { Delete } from '../../src/schema/Delete.ts';
import { Entity } from '../../src/schema/entity/Entity.ts';
import { assertType, type Equal } from './equal.ts';
import { User } from '../support/entities.ts';

class RatedArticle extends Entity {
  id = 0;
  title = '';
  votes = 0;
  author = User.fromJS();
  tags: readonly string[] = [];
  createdAt = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, createdAt: Date };
  get shout(): string {
    return this.title.toUpperCase();
  }
}

type Value = string | number;

/** A function that any endpoint can be handed to. */
declare function take(endpoint: EndpointInterface): void;
declare function read<E extends EndpointInterface>(endpoint: E, ...args: EndpointArgs<E>): EndpointData<E>;
declare function suspense<E extends EndpointInterface>(
  endpoint: E,
  ...args: EndpointArgs<E> | readonly [null]
): EndpointData<E>;

export async function endpoints(): Promise<void> {
  const time = new Endpoint(({ zone }: { zone: string }) => Promise.resolve({ now: zone.length }), {
    name: 'time',
  });
  assertType<Equal<EndpointData<typeof time>, { now: number }>>();
  assertType<Equal<EndpointArgs<typeof time>, [{ zone: string }]>>();
  assertType<Equal<Awaited<ReturnType<typeof time>>, { now: number }>>();
  take(time);
  // @ts-expect-error a wrong name
  await time({ zoen: 'utc' });
  // @ts-expect-error a wrong name
  time.key({ zoen: 'utc' });

  const article = new Endpoint((id: number) => Promise.resolve({ id, title: 'x' }), { schema: RatedArticle });
  assertType<Equal<EndpointData<typeof article>, RatedArticle>>();
  take(article);

  const list = article.extend({ schema: [RatedArticle] });
  assertType<Equal<EndpointData<typeof list>, RatedArticle[]>>();
  assertType<Equal<EndpointArgs<typeof list>, [id: number]>>();

  const other = article.extend({ fetch: (slug: string) => Promise.resolve(slug) });
  assertType<Equal<EndpointArgs<typeof other>, [slug: string]>>();
  assertType<Equal<EndpointData<typeof other>, RatedArticle>>();

  article.extend({
    getOptimisticResponse(snapshot, id) {
      assertType<Equal<typeof id, number>>();
      const found = snapshot.get(RatedArticle, { id });
      if (found === undefined) throw snapshot.abort;
      return { id, title: found.shout };
    },
  });
  // @ts-expect-error a misspelled option
  article.extend({ dataExpiryLenght: 5 });
  // @ts-expect-error a misspelled option
  new Endpoint((id: number) => Promise.resolve(id), { dataExpiryLenght: 5 });
  // @ts-expect-error milliseconds are a number
  article.extend({ dataExpiryLength: '5' });
}

export async function restEndpoints(): Promise<void> {
  const get = new RestEndpoint({ path: '/articles/:id', schema: RatedArticle });
  assertType<Equal<EndpointArgs<typeof get>, [params: { readonly id: Value }]>>();
  assertType<Equal<EndpointData<typeof get>, RatedArticle>>();
  const raw = await get({ id: 5 });
  assertType<Equal<typeof raw.createdAt, string>>();
  assertType<Equal<typeof raw.author.name, string>>();
  // @ts-expect-error what arrives has no methods
  raw.pk();
  // @ts-expect-error a wrong name
  await get({ di: 5 });
  // @ts-expect-error a parameter is missing
  await get();
  // @ts-expect-error a value that no path can have
  await get({ id: {} });
  // @ts-expect-error a name that the path lacks
  await get({ id: 5, page: 2 });
  take(get);

  const top = new RestEndpoint({ path: '/top', schema: [RatedArticle] });
  assertType<Equal<EndpointData<typeof top>, RatedArticle[]>>();
  await top();
  // @ts-expect-error no parameters
  await top({ q: 'x' });

  const page = new RestEndpoint({
    path: '/articles\\?page=:page',
    schema: { results: [RatedArticle], next: '', total: 0 },
  });
  assertType<Equal<EndpointArgs<typeof page>, [params: { readonly page: Value }]>>();
  assertType<
    Equal<
      EndpointData<typeof page>,
      { readonly results: RatedArticle[]; readonly next: string; readonly total: number }
    >
  >();

  const file = new RestEndpoint({ path: '/files/*path{.:ext}', content: 'blob' });
  assertType<
    Equal<
      EndpointArgs<typeof file>,
      [params: { readonly path: string | readonly Value[]; readonly ext?: Value | undefined }]
    >
  >();
  assertType<Equal<EndpointData<typeof file>, Blob>>();

  const search = new RestEndpoint({
    path: '/search',
    searchParams: {} as { q: string; page?: number },
    schema: [RatedArticle],
  });
  await search({ q: 'x' });
  // @ts-expect-error a parameter is missing
  await search({ page: 2 });

  const create = new RestEndpoint({ path: '/articles', body: {} as { title: string }, schema: RatedArticle });
  await create({ title: 'x' });
  await create({}, { title: 'x' });
  // @ts-expect-error a wrong body
  await create({ titel: 'x' });

  const vote = new RestEndpoint({
    path: '/articles/:id/vote',
    method: 'POST',
    body: undefined,
    schema: RatedArticle,
  });
  assertType<Equal<EndpointArgs<typeof vote>, [params: { readonly id: Value }]>>();

  const byExample = new RestEndpoint({
    path: '/articles',
    body: { title: '', rank: 0, isOpen: false, tags: ['a'] },
    searchParams: { page: 0 },
  });
  await byExample({ title: 'x', rank: 5, isOpen: true, tags: ['a'] });
  await byExample({ page: 3 }, { title: 'x', rank: 5, isOpen: true, tags: ['a'] });
  // @ts-expect-error a value of another kind
  await byExample({ title: 5, rank: 5, isOpen: true, tags: ['a'] });
  const Examples = createResource({ path: '/articles/:id', schema: RatedArticle, body: { title: '' } });
  await Examples.create({ title: 'x' });
  await Examples.partialUpdate({ id: 5 }, { title: 'x' });
  await Examples.partialUpdate({ id: 5 }, {});
  const chosen = new RestEndpoint({ path: '/a', searchParams: {} as { sort: '' | 'title'; any?: 0 | 1 } });
  await chosen({ sort: 'title', any: 1 });
  // @ts-expect-error not one of those that the type names
  await chosen({ sort: 'rank' });

  const add = new RestEndpoint({ path: '/todos{/:under}', body: {} as { title: string } });
  await add({ title: 'new' });
  await add({ under: 5 }, { title: 'new' });
  // @ts-expect-error parameters where the body should be
  await add({ under: 5 });
  // @ts-expect-error a name that the path lacks
  await add({ over: 5 }, { title: 'new' });

  const send = new RestEndpoint({ path: '/groups/:group', method: 'POST' });
  await send({ group: 1 });
  await send({ group: 1 }, new FormData());
  assertType<Equal<EndpointData<typeof send>, unknown>>();

  const mutation = new RestEndpoint({ path: '/groups/:group', sideEffect: true });
  await mutation({ group: 1 }, { title: 'x' });

  const processed = new RestEndpoint({ path: '/count', process: (value) => Number(value) });
  assertType<Equal<EndpointData<typeof processed>, number>>();

  const remove = new RestEndpoint({
    path: '/articles/:id',
    method: 'DELETE',
    schema: new Delete(RatedArticle),
  });
  assertType<Equal<EndpointData<typeof remove>, unknown>>();

  const renamed = get.extend({ path: '/posts/:slug' });
  await renamed({ slug: 'x' });
  // @ts-expect-error the path is another one
  await renamed({ id: 5 });
  assertType<Equal<EndpointData<typeof renamed>, RatedArticle>>();

  const same = get.extend({});
  await same({ id: 5 });
  assertType<Equal<EndpointData<typeof same>, RatedArticle>>();

  const put = get.extend({ method: 'PUT', body: {} as { title: string } });
  await put({ id: 5 }, { title: 'x' });
  // @ts-expect-error the body is missing
  await put({ id: 5 });

  put.extend({
    getOptimisticResponse(_snapshot, { id }, body) {
      return { id, title: body.title };
    },
  });
  // @ts-expect-error a misspelled option
  get.extend({ dataExpiryLenght: 5 });
  // @ts-expect-error a misspelled option
  new RestEndpoint({ path: '/articles/:id', dataExpiryLenght: 5 });
  // @ts-expect-error not a method
  get.extend({ fetchResponse: 5 });

  assertType<Equal<ReturnType<typeof read<typeof get>>, RatedArticle>>();
  read(get, { id: 5 });
  suspense(get, null);
  // @ts-expect-error a wrong name
  read(get, { di: 5 });
}

class ApiEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override readonly urlPrefix: string = 'https://api.example.com';

  override getHeaders(headers: Record<string, string>): HeadersInit {
    return { ...headers, 'Access-Token': 'x' };
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'include' };
  }
}

export async function subclasses(): Promise<void> {
  const get = new ApiEndpoint({ path: '/articles/:id', schema: RatedArticle });
  await get({ id: 5 });
  // @ts-expect-error a wrong name
  await get({ di: 5 });
  take(get);
  createResource({ path: '/articles/:id', schema: RatedArticle, Endpoint: ApiEndpoint });
}

const ArticleResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/articles/:id',
  schema: RatedArticle,
});
const MemberResource = createResource({
  path: '/groups/:group/members/:id',
  schema: User,
  searchParams: {} as { role?: string },
  body: {} as { name: string },
});

// @ts-expect-error a misspelled option
createResource({ path: '/articles/:id', schema: RatedArticle, dataExpiryLenght: 5 });

/** Options see the endpoint as `this`. */
export const Enveloped = createResource({
  path: '/articles/:id',
  schema: RatedArticle,
  process(value: { readonly data: unknown }) {
    return { from: this.name, data: value.data };
  },
  async getHeaders(headers) {
    return { ...headers, 'X-Method': this.method };
  },
});
export const WithThis = new RestEndpoint({
  path: '/articles/:id',
  searchToString(searchParams) {
    return `${this.method}=${Object.keys(searchParams).join()}`;
  },
  process(value) {
    return { value, name: this.name };
  },
});
assertType<Equal<EndpointData<typeof WithThis>, { value: unknown; name: string }>>();

export async function resources(): Promise<void> {
  assertType<Equal<EndpointData<typeof ArticleResource.get>, RatedArticle>>();
  assertType<Equal<EndpointData<typeof ArticleResource.getList>, RatedArticle[]>>();
  assertType<Equal<EndpointData<typeof ArticleResource.create>, RatedArticle>>();
  assertType<Equal<typeof ArticleResource.get.path, '/articles/:id'>>();
  assertType<Equal<typeof ArticleResource.getList.path, '/articles'>>();
  take(ArticleResource.create);
  read(ArticleResource.create, { title: 'x' });
  read(ArticleResource.create, {}, { title: 'x' });
  await ArticleResource.get({ id: 5 });
  // @ts-expect-error a wrong name
  await ArticleResource.get({ slug: 'x' });
  await ArticleResource.getList();
  await ArticleResource.getList({ q: 'x', tags: ['a', 'b'], done: true });
  await ArticleResource.create({ title: 'x', author: 'ann' });
  await ArticleResource.create({}, { title: 'x', createdAt: new Date() });
  // @ts-expect-error a field that articles lack
  await ArticleResource.create({ titel: 'x' });
  await ArticleResource.update({ id: 5 }, { title: 'x' });
  // @ts-expect-error a wrong type
  await ArticleResource.update({ id: 5 }, { title: 5 });
  await ArticleResource.partialUpdate({ id: 5 }, { votes: 1 });
  const deleted = await ArticleResource.delete({ id: 5 });
  assertType<Equal<typeof deleted.id, string | number>>();

  await MemberResource.getList({ group: 1, role: 'admin' });
  // @ts-expect-error a parameter is missing
  await MemberResource.getList({ role: 'admin' });
  // @ts-expect-error not a query parameter
  await MemberResource.getList({ group: 1, rule: 'admin' });
  await MemberResource.create({ group: 1 }, { name: 'x' });
  // @ts-expect-error the body is missing
  await MemberResource.create({ group: 1 });
  await MemberResource.partialUpdate({ group: 1, id: 2 }, {});
}

class ArticleSummary extends Entity {
  id = 0;
  title = '';
  static override key = 'Article';
}

export async function extended(): Promise<void> {
  const Summaries = ArticleResource.extend('getList', { schema: [ArticleSummary] });
  assertType<Equal<EndpointData<typeof Summaries.getList>, ArticleSummary[]>>();
  assertType<Equal<EndpointData<typeof Summaries.get>, RatedArticle>>();
  await Summaries.getList({ q: 'x' });

  const Published = Summaries.extend('publish', {
    path: '/articles/:id/publish',
    method: 'POST',
    body: undefined,
  });
  await Published.publish({ id: 5 });
  assertType<Equal<EndpointData<typeof Published.publish>, RatedArticle>>();
  assertType<Equal<EndpointData<typeof Published.getList>, ArticleSummary[]>>();

  const Several = ArticleResource.extend({
    getList: { schema: { results: [RatedArticle] } },
    get: { dataExpiryLength: 5 },
  });
  assertType<Equal<EndpointData<typeof Several.getList>, { readonly results: RatedArticle[] }>>();
  assertType<Equal<EndpointData<typeof Several.get>, RatedArticle>>();
  // @ts-expect-error no such endpoint
  ArticleResource.extend({ getLisst: { schema: [RatedArticle] } });

  const Made = ArticleResource.extend((base) => ({
    search: base.getList.extend({ path: '/search', searchParams: {} as { q: string } }),
  }));
  assertType<Equal<EndpointData<typeof Made.search>, RatedArticle[]>>();
  await Made.search({ q: 'x' });
  await Made.get({ id: 5 });

  Published.extend('partialUpdate', {
    getOptimisticResponse(snapshot, { id }, body) {
      const article = snapshot.get(RatedArticle, { id });
      return { id, votes: article?.votes ?? 0, ...body };
    },
  });

  // Where a single argument may be the body, functions may have any number of parameters.
  const { create } = ArticleResource;
  const counted = create.extend({ process: (value) => ({ id: Number(value), title: '' }) });
  assertType<Equal<Awaited<ReturnType<typeof counted>>, { id: number; title: string }>>();
  assertType<Equal<EndpointData<typeof counted>, RatedArticle>>();
  read(counted, { title: 'x' });
  read(counted, {}, { title: 'x' });
  // @ts-expect-error a field that articles lack
  read(counted, { titel: 'x' });
  const pushed = create.extend({
    schema: ArticleResource.getList.schema.unshift,
    process(value, ..._args) {
      return value as RatedArticle;
    },
  });
  read(pushed, { title: 'x' });
  read(pushed, {}, { title: 'x' });
  create.extend({ getOptimisticResponse: () => ({ id: 1 }) });
  create.extend({ getOptimisticResponse: (snapshot) => snapshot.get(RatedArticle, { id: 1 }) });
  create.extend({
    getOptimisticResponse(_snapshot, paramsOrBody, body) {
      return { ...paramsOrBody, title: body?.title };
    },
  });
  create.extend({ key: (body) => JSON.stringify(body) });
  create.extend({ update: (value) => ({ all: (old: readonly unknown[]) => [...old, value] }) });
  create.extend({ fetch: async (body) => await Promise.resolve(body) });
  read(create.extend({ fetch: async () => await Promise.resolve({}) }), { title: 'x' });
  ArticleResource.extend('create', { process: (value) => value });
  ArticleResource.extend({ create: { getOptimisticResponse: (_snapshot, body) => body } });
  MemberResource.create.extend({ process: (value) => value });
  MemberResource.create.extend({
    getOptimisticResponse: (_snapshot, { group }, { name }) => ({ group, name }),
  });

  const Hooks = hookifyResource(Published, () => ({ headers: { 'Access-Token': 'x' } }));
  assertType<Equal<ReturnType<typeof Hooks.useGet>, typeof Published.get>>();
  assertType<Equal<ReturnType<typeof Hooks.usePublish>, typeof Published.publish>>();
  // @ts-expect-error extend is not an endpoint
  Hooks.useExtend();
}

// The output of a Standard Schema is the result type, unless `process` has another.
declare const shape: StandardSchema<{ readonly id: string; readonly votes: number }>;
const getChecked = new RestEndpoint({ path: '/articles/:id', response: shape });
assertType<Equal<EndpointData<typeof getChecked>, { readonly id: string; readonly votes: number }>>();
const getCheckedArticle = new RestEndpoint({ path: '/articles/:id', schema: RatedArticle, response: shape });
assertType<Equal<EndpointData<typeof getCheckedArticle>, RatedArticle>>();
assertType<
  Equal<Awaited<ReturnType<typeof getCheckedArticle>>, { readonly id: string; readonly votes: number }>
>();
const getVotes = getChecked.extend({ process: () => 7 });
assertType<Equal<EndpointData<typeof getVotes>, number>>();
// @ts-expect-error -- it is not a schema
new RestEndpoint({ path: '/articles/:id', response: { id: '' } });

// `any` and `unknown` say that there is a body, or query parameters: `any` is assignable to undefined, too.
declare const anything: any; // oxlint-disable-line typescript/no-explicit-any -- as apps without types for their API write it
/** Functions among the options of an extension get the arguments that result from it. */
export async function extendedFunctions(): Promise<void> {
  const { get } = ArticleResource;
  const rename = ArticleResource.extend('rename', {
    path: '/articles/:id/title',
    method: 'POST',
    body: {} as { title: string },
    getOptimisticResponse: (_snapshot, { id }, { title }) => ({ id, title: title.trim() }),
  }).rename;
  await rename({ id: 5 }, { title: 'new' });
  const byName = get.extend({
    path: '/articles/named/:name',
    process(value: RatedArticle, params) {
      assertType<Equal<typeof params, { readonly name: Value }>>();
      return value;
    },
    key: ({ name }) => `named ${name}`,
  });
  await byName({ name: 'kelp' });
  const vote = get.extend({
    method: 'POST',
    searchParams: {} as { by: string },
    getOptimisticResponse(_snapshot, params, body) {
      assertType<Equal<typeof params, { readonly id: Value; by: string }>>();
      assertType<Equal<typeof body, unknown>>();
      return params;
    },
  });
  await vote({ id: 5, by: 'ann' });
  const kept = get.extend({
    url(params) {
      assertType<Equal<typeof params, Readonly<Record<string, unknown>> | undefined>>();
      return '';
    },
    testKey: (key) => key.startsWith('GET'),
    update(_value, { id }) {
      assertType<Equal<typeof id, Value>>();
      return {};
    },
  });
  await kept({ id: 5 });
  // @ts-expect-error the path has no such parameter
  get.extend({ path: '/articles/named/:name', key: ({ id }) => `named ${id}` });
  // @ts-expect-error an unknown option
  get.extend({ path: '/articles/named/:name', dataExpiry: 5 });
}

export async function untyped(): Promise<void> {
  const update = new RestEndpoint({ path: '/articles/:id', schema: RatedArticle, body: anything });
  await update({ id: 5 }, { title: 'x' });
  update.extend({ getOptimisticResponse: (_snapshot, { id }, body) => ({ id, title: body }) });
  const search = new RestEndpoint({ path: '/articles/:group', searchParams: anything });
  await search({ group: 'a', by: 'ann' });
  const Untyped = createResource({ path: '/articles/:id', schema: RatedArticle, body: anything });
  await Untyped.create({ article: { title: 'x' } });
  await Untyped.partialUpdate({ id: 5 }, { article: { title: 'x' } });
  // If only a string is known of the path, a declared body may still be the single argument.
  const find = new RestEndpoint({ path: '/search' as string, body: { words: '' } });
  await find({ words: 'x' });
  await find({ group: 'a' }, { words: 'x' });
  // @ts-expect-error the body is missing
  await find();
}

class CountingEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  count = 0;
}
const counting = new CountingEndpoint({ path: '/articles/:id' }).extend({ schema: RatedArticle });
// The members of a subclass remain, however often it is extended.
assertType<Equal<typeof counting.count, number>>();
const countingAgain = counting.extend({ path: '/drafts/:draft' });
assertType<Equal<typeof countingAgain.count, number>>();
assertType<Equal<EndpointArgs<typeof countingAgain>, [params: { readonly draft: Value }]>>();
// @ts-expect-error it has no others
assertType<Equal<typeof counting.total, number>>();
const CountingResource = createResource({
  path: '/articles/:id',
  schema: RatedArticle,
  Endpoint: CountingEndpoint,
});
const Recounting = CountingResource.extend('get', { dataExpiryLength: 5 })
  .extend('publish', { path: '/articles/:id/publish', method: 'POST', body: undefined })
  .extend({ getList: { pollFrequency: 5 } })
  .extend((base) => ({ top: base.getList.extend({ path: '/top' }) }));
const { get: countingGet, publish: countingPublish, getList: countingList, top: countingTop } = Recounting;
for (const { count } of [countingGet, countingPublish, countingList, countingTop])
  assertType<Equal<typeof count, number>>();
assertType<Equal<EndpointArgs<typeof countingGet>, [params: { readonly id: Value }]>>();
assertType<Equal<EndpointData<typeof countingList>, RatedArticle[]>>();
assertType<Equal<typeof CountingResource.create.count, number>>();

// @ts-expect-error a function of the resource returns endpoints
ArticleResource.extend(() => ({ total: 5 }));

// oxlint-disable-next-line typescript/no-explicit-any -- the type that is tested
const ofAnyType = {} as { links: any };
const beside = new RestEndpoint({
  path: '/articles',
  schema: { articles: new Collection([RatedArticle]), ...ofAnyType },
});
// A member of any type contains no collection; the types would be infinite if it did.
assertType<Equal<EndpointData<typeof beside.push>, RatedArticle>>();

/** Helpers of apps take any resource. */
function pathsOf(resources: readonly Resource[]): string[] {
  return resources.map(({ getList }) => getList.path);
}
pathsOf([ArticleResource, MemberResource, CountingResource, Recounting]);
// @ts-expect-error not a resource
pathsOf([ArticleResource.get]);

/** Helpers of apps also take any endpoint over HTTP, by the name of the class alone. */
async function pathOf(endpoint: RestEndpoint): Promise<string> {
  const value = await endpoint({ id: 1 });
  assertType<Equal<typeof value, unknown>>();
  take(endpoint);
  return endpoint.path;
}
const { get, getList, create, update, delete: remove } = ArticleResource;
for (const endpoint of [get, getList, getList.push, create, update, remove, CountingResource.get])
  await pathOf(endpoint);
await pathOf(new RestEndpoint({ path: '/articles/:id', process: (value: string) => value.length }));
// @ts-expect-error not an endpoint over HTTP
await pathOf(new Endpoint((id: number) => Promise.resolve(id)));
