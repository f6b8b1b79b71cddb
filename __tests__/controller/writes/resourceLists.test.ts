import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  Query,
  RestEndpoint,
  Union,
  type CollectionSchema,
  type RestEndpointOptions,
} from 'holdfast';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Held, settled } from '../../support/held.ts';

class TodoInGroup extends Entity {
  id = 0;
  title = '';
  group = '';
  static override key = 'Todo';
}
const urlPrefix = 'https://api.test';
const Todos = createResource({ urlPrefix, path: '/todos/:id', schema: TodoInGroup, paginationField: 'page' });
const Grouped = createResource({ urlPrefix, path: '/groups/:group/todos/:id', schema: TodoInGroup });

let nextId = 100;
const requests: string[] = [];
const answer = async (request: Request, more: object = {}) => {
  requests.push(`${request.method} ${request.url.slice(urlPrefix.length)}`);
  const body = (await request.json()) as object;
  return HttpResponse.json({ id: nextId++, ...more, ...body });
};
const page = (request: Request): number => Number(new URL(request.url).searchParams.get('page') ?? 1);
const server = setupServer(
  http.get(`${urlPrefix}/todos`, ({ request }) =>
    HttpResponse.json([{ id: page(request) * 10 }, { id: page(request) * 10 + 1 }]),
  ),
  http.get(`${urlPrefix}/feed`, ({ request }) =>
    HttpResponse.json({ items: [{ id: page(request) }], next: String(page(request) + 1) }),
  ),
  http.get(`${urlPrefix}/groups/:group/todos`, ({ params }) => HttpResponse.json([{ id: 1, ...params }])),
  http.post(`${urlPrefix}/todos`, ({ request }) => answer(request)),
  http.post(`${urlPrefix}/groups/:group/todos`, ({ request, params }) => answer(request, params)),
  http.patch(`${urlPrefix}/groups/:group/todos/:id`, ({ request, params }) =>
    answer(request, { group: params['group'], id: Number(params['id']) }),
  ),
);
beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  requests.length = 0;
  nextId = 100;
});
afterAll(() => {
  server.close();
});

const ids = (list: readonly TodoInGroup[] | undefined): unknown => list?.map(({ id }) => id);

describe('lists of a resource', () => {
  it('created items are added to the stored lists they belong in', async () => {
    const controller = new Controller();
    await controller.fetch(Todos.getList);
    await controller.fetch(Todos.getList, { group: 'a' });
    await controller.fetch(Todos.getList, { group: 'b' });
    const made = await controller.fetch(Todos.create, { title: 'new', group: 'a' });
    expect(made).toBeInstanceOf(TodoInGroup);
    expect(Todos.create.schema).toBe(TodoInGroup);
    expect(ids(controller.getResponse(Todos.getList).data)).toEqual([10, 11, 100]);
    expect(controller.getResponse(Todos.getList).data?.[2]).toBe(made);
    expect(ids(controller.getResponse(Todos.getList, { group: 'a' }).data)).toEqual([10, 11, 100]);
    expect(ids(controller.getResponse(Todos.getList, { group: 'b' }).data)).toEqual([10, 11]);
  });

  it.each([
    ['at once', true],
    ['with the response', false],
  ])(
    'items created by a request to another path are added to the lists of their resource, %s',
    async (_, optimistic) => {
      class Item extends Entity {
        id = '';
        text = '';
        isDone = false;
        static override key = 'Item';
      }
      class Echo<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
        override async fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
          return Promise.resolve(new Response(typeof body === 'string' ? body : '[]'));
        }
      }
      const { getList, create } = createResource({
        path: '/items/:id',
        schema: Item,
        optimistic,
        Endpoint: Echo,
      });
      const put = create.extend({ method: 'PUT', path: '/items/:id' });
      const importItem = create.extend({ path: '/items/import' });
      const controller = new Controller();
      const shown = () => controller.getResponse(getList).data?.map(({ id }) => id);
      await controller.fetch(getList);
      const putting = controller.fetch(put, { id: 'a' }, { id: 'a', text: 'one' });
      expect(shown()).toEqual(optimistic ? ['a'] : []);
      await putting;
      await controller.fetch(importItem, { id: 'b', text: 'two' });
      expect(shown()).toEqual(['a', 'b']);
    },
  );

  it('lists of a resource are distinguished by the parameters of the path', async () => {
    const controller = new Controller();
    for (const group of ['a', 'b']) await controller.fetch(Grouped.getList, { group });
    await controller.fetch(Grouped.create, { group: 'b' }, { title: 'new' });
    expect(ids(controller.getResponse(Grouped.getList, { group: 'a' }).data)).toEqual([1]);
    expect(ids(controller.getResponse(Grouped.getList, { group: 'b' }).data)).toEqual([1, 100]);
  });

  it('a param that only begins like one that sorts distinguishes lists, as any other does', () => {
    const controller = new Controller();
    const Lines = createResource({ path: '/orders/:orderId/lines/:id', schema: TodoInGroup });
    for (const orderId of ['1', '2']) controller.setResponse(Lines.getList, { orderId }, []);
    controller.setResponse(Lines.create, { orderId: '2' }, { title: 'new' }, { id: 100, title: 'new' });
    expect(ids(controller.getResponse(Lines.getList, { orderId: '1' }).data)).toEqual([]);
    expect(ids(controller.getResponse(Lines.getList, { orderId: '2' }).data)).toEqual([100]);
  });

  it.each([
    ['/sizes/:size', 'size'],
    ['/directions/:direction', 'direction'],
    ['/orders/:order/lines', 'order'],
    ['/pages/:page', 'page'],
    ['/files/*dir', 'dir'],
  ])(
    'a param in the path %s distinguishes lists, although it is named like one that sorts, limits or paginates',
    (pattern, name) => {
      const Things = createResource({ path: `${pattern}/:id`, schema: TodoInGroup });
      const list = Things.getList as unknown as typeof Grouped.getList; // for a param of any name
      const create = Things.create as unknown as typeof Grouped.create;
      const of = (text: string) => ({ [name]: text }) as unknown as { group: string };
      const controller = new Controller();
      for (const text of ['1', '2']) controller.setResponse(list, of(text), []);
      controller.setResponse(create, of('2'), { title: 'new' }, { id: 100, title: 'new' });
      expect(ids(controller.getResponse(list, of('1')).data)).toEqual([]);
      expect(ids(controller.getResponse(list, of('2')).data)).toEqual([100]);
    },
  );

  it('a param in the query of a path paginates: the first page takes created entities', () => {
    const controller = new Controller();
    const Pages = createResource({ path: '/todos/:id', schema: TodoInGroup });
    const getPage = Pages.getList.extend({ path: '/todos\\?page=:page' });
    const Paged = Pages.extend({ getList: { path: '/todos\\?page=:page' } });
    for (const page of ['1', '2']) controller.setResponse(Paged.getList, { page }, []);
    controller.setResponse(Paged.create, { title: 'new' }, { id: 100, title: 'new' });
    expect(ids(controller.getResponse(getPage, { page: '1' }).data)).toEqual([100]);
    expect(ids(controller.getResponse(getPage, { page: '2' }).data)).toEqual([]);
  });

  it.each([
    'order',
    'orderBy',
    'order_by',
    '$orderby',
    'ordering',
    'orderDirection',
    'order[title]',
    'sort',
    '_sort',
  ])('a list whose param %s sorts it takes created entities', (name) => {
    const controller = new Controller();
    const sorted: Record<string, string> = {};
    const Sorted = createResource({ path: '/todos/:id', schema: TodoInGroup, searchParams: sorted });
    controller.setResponse(Sorted.getList, { [name]: 'title' }, []);
    controller.setResponse(Sorted.create, { title: 'new' }, { id: 100, title: 'new' });
    expect(ids(controller.getResponse(Sorted.getList, { [name]: 'title' }).data)).toEqual([100]);
  });

  it('lists of a resource have endpoints that change them', async () => {
    const controller = new Controller();
    await controller.fetch(Todos.getList, { group: 'a' });
    const made = await controller.fetch(Todos.getList.push, { group: 'a' }, { title: 'last' });
    expect(made).toBeInstanceOf(TodoInGroup);
    await controller.fetch(Todos.getList.unshift, { group: 'a' }, { title: 'first' });
    expect(ids(controller.getResponse(Todos.getList, { group: 'a' }).data)).toEqual([101, 10, 11, 100]);
    expect(requests).toEqual(['POST /todos?group=a', 'POST /todos?group=a']);
    expect(Todos.getList.push.name).toBe('Todo.getList.push');
  });

  it('move uses a request to its own path to move a member', async () => {
    const controller = new Controller();
    for (const group of ['a', 'b']) await controller.fetch(Grouped.getList, { group });
    controller.set(TodoInGroup, { id: 1 }, { group: 'a' });
    await controller.fetch(Grouped.getList.push, { group: 'a' }, { title: 'moves' });
    await controller.fetch(Grouped.getList.move, { group: 'a', id: 100 }, { group: 'b' });
    expect(requests.at(-1)).toBe('PATCH /groups/a/todos/100');
    expect(ids(controller.getResponse(Grouped.getList, { group: 'a' }).data)).toEqual([1]);
    expect(ids(controller.getResponse(Grouped.getList, { group: 'b' }).data)).toEqual([1, 100]);
  });

  it.each([
    ['without an optimistic update', false],
    ['with an optimistic update', true],
  ])(
    'an item leaves its list if the server announces the move before it responds, %s',
    async (_how, optimistic) => {
      const controller = new Controller();
      const Board = createResource({
        urlPrefix,
        path: '/groups/:group/todos/:id',
        schema: TodoInGroup,
        optimistic,
      });
      for (const group of ['a', 'b']) controller.setResponse(Board.getList, { group }, []);
      controller.setResponse(Board.getList, { group: 'a' }, [{ id: 1, group: 'a' }]);
      const moving = controller.fetch(Board.getList.move, { group: 'a', id: 1 }, { group: 'b' });
      controller.set(TodoInGroup, { id: 1 }, { group: 'b' });
      if (optimistic) expect(ids(controller.getResponse(Board.getList, { group: 'a' }).data)).toEqual([]);
      await moving;
      expect(ids(controller.getResponse(Board.getList, { group: 'a' }).data)).toEqual([]);
      expect(ids(controller.getResponse(Board.getList, { group: 'b' }).data)).toEqual([1]);
    },
  );

  it('an item that is moved twice leaves the list in between, also if a read returns its last state before the response', async () => {
    const controller = new Controller();
    const held = new Held();
    const Board = createResource({ urlPrefix, path: '/todos/:id', schema: TodoInGroup, optimistic: true });
    const { getList } = Board;
    const move = getList.move.extend({ fetch: held.fetch });
    for (const group of ['a', 'b', 'c']) controller.setResponse(getList, { group }, []);
    controller.setResponse(getList, { group: 'a' }, [{ id: 1, group: 'a' }]);
    const [first, second] = ['b', 'c'].map((group) => controller.fetch(move, { id: 1 }, { group }));
    await settled();
    held.call(0).resolve({ id: 1, group: 'b' });
    await first;
    controller.setResponse(Board.get, { id: 1 }, { id: 1, group: 'c' });
    held.call(1).resolve({ id: 1, group: 'c' });
    await second;
    const lists = ['a', 'b', 'c'].map((group) => ids(controller.getResponse(getList, { group }).data));
    expect(lists).toEqual([[], [], [1]]);
  });

  it('pages extend a list, and do not join the request of another page', async () => {
    const controller = new Controller();
    await controller.fetch(Todos.getList, { group: 'a' });
    const [second, third] = await Promise.all([
      controller.fetch(Todos.getList.getPage, { group: 'a', page: 2 }),
      controller.fetch(Todos.getList.paginated('page'), { group: 'a', page: 3 }),
    ]);
    const list = controller.getResponse(Todos.getList, { group: 'a' }).data;
    expect(new Set(list?.map(({ id }) => id))).toEqual(new Set([10, 11, 20, 21, 30, 31]));
    expect([second.length, third.length].sort()).toEqual([4, 6]);
  });

  it('pages extend a list inside an object, whose other fields are those of the last page', async () => {
    const controller = new Controller();
    const getFeed = new RestEndpoint({
      urlPrefix,
      path: '/feed',
      schema: { items: new Collection([TodoInGroup]), next: '' },
      searchParams: {},
      paginationField: 'page',
    });
    await controller.fetch(getFeed);
    await controller.fetch(getFeed.getPage, { page: '2' });
    const data = controller.getResponse(getFeed).data;
    expect(ids(data?.items)).toEqual([1, 2]);
    expect(data?.next).toBe('3');
  });

  it('pages that the body of a POST names extend a list', async () => {
    const controller = new Controller();
    const sent: unknown[] = [];
    const search = new RestEndpoint({
      urlPrefix,
      path: '/groups/:group/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { text: string },
      schema: new Collection([TodoInGroup]),
      paginationField: 'page',
      fetchResponse: (_url, { body }) => {
        const asked = JSON.parse(body as string) as { page?: number }; // the endpoint sends JSON
        sent.push(asked);
        return Promise.resolve(Response.json([{ id: asked.page ?? 1 }]));
      },
    });
    await controller.fetch(search, { group: 'a' }, { text: 'x' });
    const whole = await controller.fetch(search.getPage, { group: 'a' }, { text: 'x', page: 2 });
    await controller.fetch(search.paginated('page'), { group: 'a' }, { text: 'x', page: 3 });
    expect(sent).toEqual([{ text: 'x' }, { text: 'x', page: 2 }, { text: 'x', page: 3 }]);
    expect(ids(whole)).toEqual([1, 2]);
    expect(ids(controller.getResponse(search, { group: 'a' }, { text: 'x' }).data)).toEqual([1, 2, 3]);
  });

  it('a failed page leaves its list unchanged, and a page cannot be read on its own', async () => {
    const controller = new Controller();
    const getFeed = new RestEndpoint({
      urlPrefix,
      path: '/feed',
      schema: { items: new Collection([TodoInGroup]), next: '' },
      searchParams: {},
      paginationField: 'page',
    });
    await controller.fetch(getFeed);
    const before = controller.getResponse(getFeed);
    server.use(http.get(`${urlPrefix}/absent`, () => new HttpResponse(null, { status: 404 })));
    const missing = getFeed.getPage.extend({ path: '/absent' });
    await expect(controller.fetch(missing, { page: '2' })).rejects.toMatchObject({ status: 404 });
    expect(controller.getResponse(getFeed)).toEqual(before);
    expect(controller.getState().results.size).toBe(1);
    expect(() => controller.fetchIfStale(getFeed.getPage, { page: '2' })).toThrow('(HF_NOT_QUERYABLE)');
  });

  it('pages extend a list that is read through a query', async () => {
    const controller = new Controller();
    const getFew = Todos.getList.extend({
      schema: new Query(Todos.getList.schema, (todos) => todos.filter(({ id }) => id !== 11)),
      paginationField: 'page',
    });
    expect(ids(await controller.fetch(getFew))).toEqual([10]);
    await controller.fetch(getFew.push, { title: 'new' });
    expect(ids(controller.getResponse(getFew).data)).toEqual([10, 100]);
    expect(ids(await controller.fetch(getFew.getPage, { page: 2 }))).toEqual([10, 100, 20, 21]);
  });

  it('a list may contain several entities, as may its resource', async () => {
    class Post extends Entity {
      id = '';
      type = 'post' as const;
      text = '';
      static override key = 'Post';
    }
    class Video extends Entity {
      id = '';
      type = 'video' as const;
      length = 0;
      static override key = 'Video';
    }
    const Items = createResource({
      urlPrefix,
      path: '/items/:id',
      schema: new Union({ post: Post, video: Video }, 'type'),
    });
    server.use(
      http.get(`${urlPrefix}/items`, () =>
        HttpResponse.json([
          { id: '1', type: 'post' },
          { id: '2', type: 'video' },
        ]),
      ),
      http.get(`${urlPrefix}/items/2`, () => HttpResponse.json({ id: '2', type: 'video', length: 9 })),
      http.post(`${urlPrefix}/items`, async ({ request }) =>
        HttpResponse.json({ id: '3', ...((await request.json()) as object) }),
      ),
      http.delete(`${urlPrefix}/items/2`, () => new HttpResponse(null, { status: 204 })),
    );
    const controller = new Controller();
    expect(Items.get.name).toBe('Post|Video.get');
    const [post, video] = await controller.fetch(Items.getList);
    expect([post, video]).toEqual([expect.any(Post), expect.any(Video)]);
    const detail = await controller.fetch(Items.get, { id: '2' });
    expect(detail.type === 'video' && detail.length).toBe(9);
    await controller.fetch(Items.create, { type: 'post', text: 'new' });
    expect(controller.getResponse(Items.getList).data).toEqual([post, detail, expect.any(Post)]);
    await expect(controller.fetch(Items.delete, { id: '2' })).resolves.toEqual({ id: '2' });
    expect(controller.getResponse(Items.getList).data).toEqual([post, expect.any(Post)]);
    expect(controller.getResponse(Items.get, { id: '2' }).data).toBeUndefined();
  });

  it('lists can be read as plain arrays, and an error reports a list without a collection', async () => {
    const controller = new Controller();
    const plain = Todos.getList.extend({ schema: [TodoInGroup] });
    expect(ids(await controller.fetch(plain))).toEqual([10, 11]);
    expect(controller.getResponse(Todos.getList).data).toBeUndefined();
    expect(() => plain.push).toThrow('(HF_NO_COLLECTION)');
  });

  it('a resource takes a custom Collection and args that do not filter', async () => {
    const controller = new Controller();
    class Newest<S extends CollectionSchema> extends Collection<S> {}
    const Own = createResource({
      urlPrefix,
      path: '/todos/:id',
      schema: TodoInGroup,
      Collection: Newest,
      nonFilterArgumentKeys: /^page$/,
    });
    expect(Own.getList.schema).toBeInstanceOf(Newest);
    await controller.fetch(Own.getList, { page: 2 });
    await controller.fetch(Own.create, { title: 'new' });
    expect(ids(controller.getResponse(Own.getList, { page: 2 }).data)).toEqual([20, 21, 100]);
  });

  it.each(['g', 'y', 'gy'])(
    'a list pattern with the flags %s is matched from the start each time',
    async (flags) => {
      const controller = new Controller();
      const Own = createResource({
        urlPrefix,
        path: '/todos/:id',
        schema: TodoInGroup,
        nonFilterArgumentKeys: new RegExp('page|view', flags),
      });
      const args = { page: 2, view: 'compact' };
      await controller.fetch(Own.getList, args);
      await controller.fetch(Own.create, { title: 'new' });
      await controller.fetch(Own.create, { title: 'newer' });
      expect(ids(controller.getResponse(Own.getList, args).data)).toEqual([20, 21, 100, 101]);
    },
  );
});
