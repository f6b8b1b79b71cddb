import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  hookifyResource,
  Query,
  RestEndpoint,
  unshift,
  type CollectionOptions,
  type CollectionSchema,
} from 'holdfast';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';

class FilteredArticle extends Entity {
  slug = '';
  title = '';
  tag = '';
  labels: string[] = [];
  size = '';
  static override key = 'Article';
  override pk() {
    return this.slug;
  }
}
const urlPrefix = 'https://api.test';
/** Only its type is used. */
const searchParams: { tag?: string } = {};
const shared = { urlPrefix, schema: FilteredArticle } as const;
const Articles = createResource({ ...shared, path: '/articles/:slug' });
const Drafts = createResource({ ...shared, path: '/drafts/:slug' });
const getFeed = Articles.getList.extend({ path: '/articles/feed' });

let made = 0;
const list = (...slugs: string[]) => slugs.map((slug) => ({ slug }));
const answer = async ({ request }: { request: Request }) => {
  const body = (await request.json()) as { article?: object };
  const created = { slug: `new${++made}`, ...(body.article ?? body) };
  return HttpResponse.json(body.article === undefined ? created : { article: created });
};
const server = setupServer(
  http.get('*/articles', () => HttpResponse.json(list('a'))),
  http.get('*/articles/feed', () => HttpResponse.json(list('f'))),
  http.get('*/drafts', () => HttpResponse.json(list('d'))),
  http.get('*/wrapped', () => HttpResponse.json({ articles: list('a'), articlesCount: 1 })),
  http.get('*/wrapped/feed', () => HttpResponse.json({ articles: list('f'), articlesCount: 1 })),
  http.get('*/home', () => HttpResponse.json({ newest: list('n'), best: list('b') })),
  http.post('*/articles', answer),
  http.post('*/drafts', answer),
  http.post('*/wrapped', answer),
  http.patch('*/articles/:slug', async ({ request, params }) =>
    HttpResponse.json({ ...params, ...((await request.json()) as object) }),
  ),
  http.delete('*/articles/:slug', () => new HttpResponse(null, { status: 204 })),
);
const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  made = 0;
  warn.mockClear();
});
afterAll(() => {
  server.close();
  warn.mockRestore();
});

const slugs = (articles: readonly FilteredArticle[] | undefined): unknown =>
  articles?.map(({ slug }) => slug);

describe('lists identified by their path', () => {
  it('lists of two resources of one entity are kept apart', async () => {
    const controller = new Controller();
    await Promise.all([controller.fetch(Articles.getList), controller.fetch(Drafts.getList)]);
    await controller.fetch(Drafts.create, { title: 'new' });
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a']);
    expect(slugs(controller.getResponse(Drafts.getList).data)).toEqual(['d', 'new1']);
    expect(slugs(controller.get(Articles.getList.schema))).toEqual(['a']);
    expect(slugs(controller.get(Drafts.getList.schema, {}))).toEqual(['d', 'new1']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('lists of an endpoint and its extension with another path or prefix are kept apart', async () => {
    const controller = new Controller();
    const elsewhere = Articles.getList.extend({ urlPrefix: 'https://other.test' });
    server.use(http.get('https://other.test/articles', () => HttpResponse.json(list('o'))));
    await controller.fetch(Articles.getList);
    await controller.fetch(getFeed);
    await controller.fetch(elsewhere);
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a']);
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['f']);
    expect(slugs(controller.getResponse(elsewhere).data)).toEqual(['o']);
    controller.set(getFeed.schema, {}, list('g'));
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['g']);
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a']);
  });

  it('a list follows a prefix that changes while the app runs', async () => {
    let tenant = 'one';
    class TenantEndpoint<O extends ConstructorParameters<typeof RestEndpoint>[0]> extends RestEndpoint<O> {
      override get urlPrefix() {
        return `https://${tenant}.test`;
      }
    }
    const Tenant = createResource({
      path: '/articles/:slug',
      schema: FilteredArticle,
      Endpoint: TenantEndpoint,
    });
    const controller = new Controller();
    await controller.fetch(Tenant.getList);
    tenant = 'two';
    expect(controller.get(Tenant.getList.schema)).toBeUndefined();
    await controller.fetch(Tenant.getList);
    await controller.fetch(Tenant.create, { title: 'new' });
    expect(slugs(controller.getResponse(Tenant.getList).data)).toEqual(['a', 'new1']);
    tenant = 'one';
    expect(slugs(controller.getResponse(Tenant.getList).data)).toEqual(['a']);
  });

  it('a list is shared by everything that reads the same path, also of a resource created again', async () => {
    const controller = new Controller();
    const again = createResource({ ...shared, path: '/articles/:slug' });
    await controller.fetch(Articles.getList);
    const hooked = hookifyResource(Articles, () => ({ headers: { a: 'b' } })).useGetList();
    const slow = Articles.getList.extend({ dataExpiryLength: 5 });
    await controller.fetch(again.create, { title: 'new' });
    const read = controller.getResponse(Articles.getList).data;
    expect(slugs(read)).toEqual(['a', 'new1']);
    for (const same of [again.getList, hooked, slow]) expect(controller.getResponse(same).data).toBe(read);
    await controller.fetch(hooked.unshift, { title: 'first' });
    expect(slugs(controller.get(again.getList.schema))).toEqual(['new2', 'a', 'new1']);
  });

  it('two endpoints share a Collection that the app gives them, but not that of an extension', async () => {
    const controller = new Controller();
    const articles = new Collection([FilteredArticle]);
    const first = new RestEndpoint({ urlPrefix, path: '/articles', schema: articles });
    const second = new RestEndpoint({ urlPrefix, path: '/drafts', schema: articles });
    const third = second.extend({ path: '/articles/feed' });
    const other = new RestEndpoint({ urlPrefix, path: '/drafts', schema: new Collection([FilteredArticle]) });
    await controller.fetch(first);
    await controller.fetch(second);
    await controller.fetch(third);
    expect(slugs(controller.getResponse(first).data)).toEqual(['d']);
    expect(slugs(controller.get(articles))).toEqual(['d']);
    expect(slugs(controller.getResponse(third).data)).toEqual(['f']);
    expect(controller.get(other.schema)).toBeUndefined();
  });

  it('two lists in one response are kept apart', async () => {
    const controller = new Controller();
    const getHome = new RestEndpoint({
      urlPrefix,
      path: '/home',
      schema: { newest: new Collection([FilteredArticle]), best: new Collection([FilteredArticle]) },
    });
    const home = await controller.fetch(getHome);
    expect([slugs(home.newest), slugs(home.best)]).toEqual([['n'], ['b']]);
    await controller.fetch(getHome.push.extend({ path: '/articles' }), { title: 'new' });
    expect(slugs(controller.getResponse(getHome).data?.newest)).toEqual(['n', 'new1']);
    expect(slugs(controller.getResponse(getHome).data?.best)).toEqual(['b']);
  });

  it('lists of several paths are shared when `argsKey` returns the same args', async () => {
    const controller = new Controller();
    const byTag: CollectionOptions = { argsKey: ({ tag }) => ({ tag }) };
    const first = new RestEndpoint({
      urlPrefix,
      path: '/articles',
      schema: new Collection([FilteredArticle], byTag),
      searchParams,
    });
    const second = first.extend({ path: '/drafts', schema: new Collection([FilteredArticle], byTag) });
    await controller.fetch(first, { tag: 'x' });
    await controller.fetch(second, { tag: 'x' });
    expect(slugs(controller.getResponse(first, { tag: 'x' }).data)).toEqual(['d']);
    // What is made elsewhere joins them by their args; a list with none is connected to nothing.
    await controller.fetch(first, {});
    await controller.fetch(Articles.create, { tag: 'x' });
    expect(slugs(controller.getResponse(first, { tag: 'x' }).data)).toEqual(['d', 'new1']);
    expect(slugs(controller.getResponse(first, {}).data)).toEqual(['a']);
  });

  it('searches by POST that differ in their params or body are different lists, and a PUT of a list is not', () => {
    const controller = new Controller();
    const search = new RestEndpoint({
      ...shared,
      path: '/sections/:section/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { readonly text: string },
      schema: new Collection([FilteredArticle]),
    });
    const found = (section: string, text: string): unknown =>
      controller.getResponse(search, { section }, { text }).data?.map(({ slug }) => slug);
    controller.setResponse(search, { section: 's' }, { text: 'x' }, list('x'));
    controller.setResponse(search, { section: 's' }, { text: 'y' }, list('y'));
    controller.setResponse(search, { section: 't' }, { text: 'x' }, list('t'));
    expect([found('s', 'x'), found('s', 'y'), found('t', 'x')]).toEqual([['x'], ['y'], ['t']]);

    const replace = Articles.getList.extend({
      method: 'PUT',
      sideEffect: true,
      body: {} as { order: string },
    });
    controller.setResponse(Articles.getList, list('a', 'b'));
    controller.setResponse(replace, {}, { order: 'desc' }, list('b', 'a'));
    expect(controller.getResponse(Articles.getList).data?.map(({ slug }) => slug)).toEqual(['b', 'a']);
  });

  it('a deleted entity is removed from every list', async () => {
    const controller = new Controller();
    controller.setResponse(Articles.getList, list('x', 'y'));
    controller.setResponse(getFeed, list('x', 'z'));
    await controller.fetch(Articles.delete, { slug: 'x' });
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['y']);
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['z']);
  });

  it('derived endpoints change the list of the original path, whatever their own path is', async () => {
    const controller = new Controller();
    await controller.fetch(getFeed);
    await controller.fetch(Articles.getList);
    await controller.fetch(getFeed.push.extend({ path: '/articles' }), { title: 'pushed' });
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['f', 'new1']);
    await controller.fetch(getFeed.remove.extend({ path: '/articles/:slug' }), { slug: 'f' }, {});
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['new1']);
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a']);
  });
});

describe('lists that create adds to', () => {
  it('create adds to lists of the entity that `appendTo` names, besides those of its own resource', async () => {
    const controller = new Controller();
    await controller.fetch(Articles.getList);
    await controller.fetch(getFeed);
    await controller.fetch(Drafts.getList);
    await controller.fetch(Articles.create, { title: 'plain' });
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['f']);
    const create = Articles.create.extend({ appendTo: [getFeed.unshift, Drafts.getList.schema] });
    await controller.fetch(create, { title: 'new' });
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a', 'new1', 'new2']);
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['new2', 'f']);
    expect(slugs(controller.getResponse(Drafts.getList).data)).toEqual(['d', 'new2']);
    const Publishing = createResource({ ...shared, path: '/drafts/:slug', appendTo: getFeed });
    await controller.fetch(Publishing.create, { title: 'new' });
    expect(slugs(controller.getResponse(getFeed).data)).toEqual(['new2', 'f', 'new3']);
    expect(() => Articles.create.extend({ appendTo: Articles.get })).toThrow('(HF_NO_COLLECTION)');
  });

  it('create finds the member in a wrapped response, and the args of a list in a wrapped body', async () => {
    const controller = new Controller();
    const schema = { articles: new Collection([FilteredArticle]), articlesCount: 0 };
    const Wrapped = createResource({
      ...shared,
      path: '/wrapped/:slug',
      searchParams,
    }).extend((base) => ({
      getList: base.getList.extend({ schema }),
      create: base.create.extend({ schema: { article: FilteredArticle }, body: {} }),
    }));
    const getWrappedFeed = Wrapped.getList.extend({ path: '/wrapped/feed' });
    const create = Wrapped.create.extend({ appendTo: getWrappedFeed });
    const shown = (
      endpoint: typeof Wrapped.getList | typeof getWrappedFeed,
      params: { tag?: string } = {},
    ): unknown => slugs(controller.getResponse(endpoint, params).data?.articles);
    await controller.fetch(Wrapped.getList);
    await controller.fetch(Wrapped.getList, { tag: 'x' });
    await controller.fetch(Wrapped.getList, { tag: 'y' });
    await controller.fetch(getWrappedFeed);
    const { article } = await controller.fetch(create, { article: { title: 'new', tag: 'x' } });
    expect(article.slug).toBe('new1');
    expect(shown(Wrapped.getList)).toEqual(['a', 'new1']);
    expect(shown(Wrapped.getList, { tag: 'x' })).toEqual(['a', 'new1']);
    expect(shown(Wrapped.getList, { tag: 'y' })).toEqual(['a']);
    expect(shown(getWrappedFeed)).toEqual(['f', 'new1']);
    expect(slugs(controller.get(Wrapped.getList.schema.articles, { tag: 'x' }))).toEqual(['a', 'new1']);
    const push = Wrapped.getList.push.extend({ schema: { article: schema.articles.unshift } });
    await controller.fetch(push, { article: { title: 'new', tag: 'y' } });
    expect(shown(Wrapped.getList, { tag: 'y' })).toEqual(['new2', 'a']);
    expect(shown(Wrapped.getList, { tag: 'x' })).toEqual(['a', 'new1']);
    expect(slugs(controller.get(new Query(schema.articles, (all) => all.slice(0, 1))))).toEqual(['new2']);
  });

  it('create follows `getList` when an extension changes the path of the resource', async () => {
    const controller = new Controller();
    const Feed = Articles.extend({ getList: { path: '/articles/feed' } });
    const Keyed = Articles.extend({
      getList: { schema: new Collection([FilteredArticle], { argsKey: () => ({}) }) },
    });
    await controller.fetch(Feed.getList);
    await controller.fetch(Keyed.getList);
    await controller.fetch(Articles.create, { title: 'plain' });
    await controller.fetch(Feed.create, { title: 'new' });
    await controller.fetch(Keyed.create, { title: 'new' });
    expect(slugs(controller.getResponse(Feed.getList).data)).toEqual(['f', 'new2']);
    expect(slugs(controller.getResponse(Keyed.getList).data)).toEqual(['a', 'new3']);
  });

  it('an endpoint derived from create follows `getList` as create does, also in the extension that changes it', async () => {
    const controller = new Controller();
    const Feed = Articles.extend((base) => ({
      getList: base.getList.extend({ path: '/articles/feed' }),
      createMany: base.create.extend({ schema: [FilteredArticle], body: [] as readonly { title: string }[] }),
    }));
    const Home = Feed.extend({ getList: { path: '/drafts' } });
    await controller.fetch(Feed.getList);
    await controller.fetch(Home.getList);
    for (const { createMany } of [Feed, Home]) {
      const created = list(`of ${createMany === Feed.createMany ? 'Feed' : 'Home'}`);
      server.use(http.post('*/articles', () => HttpResponse.json(created), { once: true }));
      await controller.fetch(createMany, [{ title: 'new' }]);
    }
    expect(slugs(controller.getResponse(Feed.getList).data)).toEqual(['f', 'of Feed']);
    expect(slugs(controller.getResponse(Home.getList).data)).toEqual(['d', 'of Home']);
  });

  it('create adds several items at once, and none of another entity', async () => {
    class Comment extends Entity {
      id = '';
      static override key = 'Comment';
    }
    const controller = new Controller();
    await controller.fetch(Articles.getList);
    server.use(http.post('*/articles', () => HttpResponse.json(list('p', 'q')), { once: true }));
    await controller.fetch(Articles.create.extend({ schema: [FilteredArticle] }), {});
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a', 'p', 'q']);
    server.use(http.post('*/articles', () => HttpResponse.json({ id: '1' }), { once: true }));
    await controller.fetch(Articles.create.extend({ schema: Comment }), {});
    expect(slugs(controller.getResponse(Articles.getList).data)).toEqual(['a', 'p', 'q']);
  });
});

describe('controller.set with a change of a list', () => {
  it('controller.set adds, moves and removes members without a request, also in lists that a query reads', () => {
    const controller = new Controller();
    const { schema } = Articles.getList;
    for (const params of [{}, { tag: 'x' }, { tag: 'y' }])
      controller.setResponse(Articles.getList, params, []);
    controller.setResponse(getFeed, []);
    const read = (): unknown[] =>
      [{}, { tag: 'x' }, { tag: 'y' }].map((params) => slugs(controller.get(schema, params)));
    controller.set(schema.push, { tag: 'x' }, { slug: 'a' });
    controller.set(schema.unshift, [{ slug: 'b' }, { slug: 'c', tag: 'y' }]);
    expect(read()).toEqual([['b', 'c', 'a'], ['a'], ['c']]);
    controller.set(schema.push, { slug: 'd', tag: 'x' });
    controller.set(schema.move, { slug: 'd', tag: 'y' });
    expect(read()).toEqual([['b', 'c', 'a', 'd'], ['a'], ['c', 'd']]);
    controller.set(schema.remove, { slug: 'b' });
    expect(slugs(controller.get(new Query(schema, (all) => all.slice(1))))).toEqual(['a', 'd']);
    expect(slugs(controller.getResponse(getFeed).data)).toEqual([]);
  });
});

describe('args that are no filters', () => {
  const given: readonly Record<string, string | number>[] = [
    { limit: 10 },
    { per_page: 10, page: 1 },
    { startAt: 0, maxResults: 50 },
    { start_cursor: '', page_size: 100 },
    { maxRecords: 100 },
    { pageSize: 5, offset: 0 },
    { 'page[number]': 0, 'page[size]': 5, 'fields[articles]': 'title' },
    { cursor: '', first: 10 },
    { sort: 'title', direction: 'desc' },
    { sort_by: 'title', sortOrder: 'asc' },
    { ordering: '-title' },
    { _page: 1, _limit: 10, _sort: 'title', _order: 'asc' },
    { $top: 10, $skip: 0, $orderby: 'title' },
    { include: 'author', expand: 'tags' },
    { 'pagination[page]': 1, 'pagination[pageSize]': 25, 'pagination[withCount]': 'true' },
    { 'pagination[start]': 0, 'pagination[limit]': 25 },
    { join: 'author' },
    { _start: 0, _end: 10, _sort: 'title', _order: 'asc' },
  ];
  it.each(given)('lists with non-filter args take up created items: %j', async (params) => {
    const controller = new Controller();
    await controller.fetch(Articles.getList, params);
    await controller.fetch(Articles.create, { title: 'new' });
    expect(slugs(controller.getResponse(Articles.getList, params).data)).toEqual(['a', 'new1']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('create does not change later pages, and uses an arg as a filter when the entity has a field of that name', async () => {
    const controller = new Controller();
    const kept: readonly Record<string, string | number>[] = [
      { page: 2 },
      { 'pagination[page]': 2 },
      { offset: 10, limit: 10 },
      { cursor: 'abc' },
      { _start: 10, _end: 20 },
      { start: '2026-01-01', end: '2026-02-01' },
      { size: 'XL' },
      { tag: 'x', limit: 10 },
    ];
    for (const params of kept) await controller.fetch(Articles.getList, params);
    await controller.fetch(Articles.create, { title: 'new', size: 'M' });
    for (const params of kept)
      expect(slugs(controller.getResponse(Articles.getList, params).data)).toEqual(['a']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('create logs no warning if only the list of another parent is stored', async () => {
    const controller = new Controller();
    const Sold = createResource({ ...shared, path: '/shops/:shop/articles/:slug' });
    await controller.fetch(Sold.getList, { shop: 'north' });
    await controller.fetch(Sold.create, { shop: 'south' }, { title: 'new' });
    expect(slugs(controller.getResponse(Sold.getList, { shop: 'north' }).data)).toEqual(['a']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('create warns if an arg that the entity lacks keeps the item out of a list', async () => {
    const controller = new Controller();
    await controller.fetch(Articles.getList, { view: 'compact', limit: 3 });
    await controller.fetch(Articles.create, { title: 'new' });
    await controller.fetch(Articles.create, { title: 'new' });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.lastCall?.[0]).toMatch(
      /\{"limit":"3","view":"compact"\} has `view`.*\(HF_LIST_UNMATCHED\)/,
    );
    const Compact = createResource({
      ...shared,
      path: '/articles/:slug',
      nonFilterArgumentKeys: ['view'],
    });
    await controller.fetch(Compact.create, { title: 'new' });
    expect(slugs(controller.getResponse(Articles.getList, { view: 'compact', limit: 3 }).data)).toEqual([
      'a',
      'new3',
    ]);
  });
});

describe('a field that is a list', () => {
  it('an item belongs in lists of each value of a field that is a list', async () => {
    const controller = new Controller();
    const all: readonly Record<string, string | readonly string[]>[] = [
      { labels: 'bug' },
      { labels: ['bug'] },
      { labels: ['ui', 'bug'] },
      { labels: ['bug', 'api'] },
      { labels: 'api' },
      { tag: ['x', 'y'] },
      { tag: ['y'] },
      { labels: [] },
    ];
    for (const params of all) controller.setResponse(Articles.getList, params, []);
    await controller.fetch(Articles.getList.push, { title: 'new', labels: ['bug', 'ui'], tag: 'x' });
    expect(all.map((params) => controller.getResponse(Articles.getList, params).data?.length)).toEqual([
      1, 1, 1, 0, 0, 1, 0, 1,
    ]);
  });

  it('a list field may come from a form', async () => {
    const controller = new Controller();
    controller.setResponse(Articles.getList, { labels: 'ui', tag: 'x' }, []);
    server.use(http.post('*/articles', () => HttpResponse.json({ slug: 'form' })));
    const form = new FormData();
    for (const [name, value] of [
      ['labels', 'bug'],
      ['labels', 'ui'],
      ['tag', 'x'],
    ] as const)
      form.append(name, value);
    const push = Articles.getList.push.extend({ body: {} as FormData });
    await controller.fetch(push, form);
    expect(controller.getResponse(Articles.getList, { labels: 'ui', tag: 'x' }).data).toHaveLength(1);
    server.resetHandlers();
  });
});

describe('a subclass of Collection', () => {
  it('a subclass of Collection decides by its methods which args filter', async () => {
    class Sorted<S extends CollectionSchema> extends Collection<S> {
      override nonFilterArgumentKeys(name: string, value?: string) {
        return name === 'view' || super.nonFilterArgumentKeys(name, value);
      }
    }
    const controller = new Controller();
    const Own = createResource({ ...shared, path: '/articles/:slug', Collection: Sorted });
    await controller.fetch(Own.getList, { view: 'compact', limit: 1 });
    await controller.fetch(Own.getList, { view: 'compact', tag: 'x' });
    await controller.fetch(Own.create, { title: 'new' });
    const read = (params: object): unknown =>
      slugs(controller.getResponse(Own.getList, params as { tag?: string }).data);
    expect(read({ view: 'compact', limit: 1 })).toEqual(['a', 'new1']);
    expect(read({ view: 'compact', tag: 'x' })).toEqual(['a']);
  });

  it('a subclass of Collection decides by its methods which lists an item belongs in, also at another path', async () => {
    class Caseless<S extends CollectionSchema> extends Collection<S> {
      readonly seen: string[] = [];
      override createCollectionFilter(params: Readonly<Record<string, unknown>>) {
        return (list: Readonly<Record<string, string>>) => {
          this.seen.push(Object.keys(list).join());
          return list['tag']?.toLowerCase() === String(params['tag']).toLowerCase();
        };
      }
    }
    const controller = new Controller();
    const Own = createResource({ ...shared, path: '/articles/:slug', Collection: Caseless });
    const feed = Own.getList.extend({ path: '/articles/feed' });
    expect(feed.schema).toBeInstanceOf(Caseless);
    await controller.fetch(Own.getList, { tag: 'X' });
    await controller.fetch(feed, { tag: 'X' });
    await controller.fetch(Own.create.extend({ appendTo: feed }), { tag: 'x' });
    expect(slugs(controller.getResponse(Own.getList, { tag: 'X' }).data)).toEqual(['a', 'new1']);
    expect(slugs(controller.getResponse(feed, { tag: 'X' }).data)).toEqual(['f', 'new1']);
    expect((feed.schema as unknown as Caseless<CollectionSchema>).seen).toContain('tag');
  });

  it('`moveWith(unshift)` moves members to the beginning, also at another path', async () => {
    class Inbox<S extends CollectionSchema> extends Collection<S> {
      constructor(schema: S, options?: CollectionOptions) {
        super(schema, options);
        this.move = this.moveWith(unshift);
      }
    }
    const controller = new Controller();
    const Own = createResource({ ...shared, path: '/articles/:slug', Collection: Inbox });
    const feed = Own.getList.extend({ path: '/articles/feed' });
    for (const endpoint of [Own.getList, feed]) {
      controller.setResponse(endpoint, { tag: 'x' }, [{ slug: 'm', tag: 'x' }]);
      controller.setResponse(endpoint, { tag: 'y' }, list('b'));
    }
    await controller.fetch(feed.move, { slug: 'm' }, { tag: 'y' });
    const read = (tag: string): unknown[] =>
      [Own.getList, feed].map((endpoint) => slugs(controller.getResponse(endpoint, { tag }).data));
    expect(read('x')).toEqual([['m'], []]);
    expect(read('y')).toEqual([['b'], ['m', 'b']]);
  });
});

describe('a prefix with a path', () => {
  it.each([
    ['https://api.test/articles', 'https://api.test/articles'],
    ['https://api.test/articles/', 'https://api.test/articles/'],
    ['https://api.test', 'https://api.test/'],
    ['/articles', '/articles'],
    ['', '/'],
  ])('a prefix with a path lists `/:id` at %s as %s', (prefix, url) => {
    const { getList } = createResource({ urlPrefix: prefix, path: '/:id', schema: FilteredArticle });
    expect(getList.path).toBe('/');
    expect(getList.url()).toBe(url);
    expect(getList.url({ tag: 'x' })).toBe(`${url}?tag=x`);
    expect(getList.testKey(getList.key({ tag: 'x' }))).toBe(true);
  });
});
