import 'fake-indexeddb/auto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, Endpoint, Entity } from 'holdfast';
import { indexedDB, type IndexedDBOptions } from 'holdfast/indexeddb';
import { User } from '../support/entities.ts';

class DatedArticle extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  createdAt = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, createdAt: Date };
}

const articles = [
  { id: 1, title: 'one 🦀', author: { id: 'u1', name: 'Ann' }, createdAt: '2020-01-01T00:00:00.000Z' },
  { id: 2, title: 'two', author: { id: 'u1', name: 'Ann' }, createdAt: '2021-01-01T00:00:00.000Z' },
];

let server: Server;
let requests: string[];
let base: string;
const controllers: Controller[] = [];

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const [, , id] = (request.url ?? '').split('/');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(id === undefined ? articles : articles[Number(id) - 1]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await Promise.all(controllers.splice(0).map((controller) => controller.stop()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function json(path: string): Promise<unknown> {
  const response = await fetch(base + path);
  return response.json();
}
const getList = new Endpoint(async () => (await json('/articles')) as typeof articles, {
  name: 'getList',
  schema: [DatedArticle],
  dataExpiryLength: Infinity,
});
const get = new Endpoint(async ({ id }: { id: number }) => (await json(`/articles/${id}`)) as object, {
  name: 'get',
  schema: DatedArticle,
  dataExpiryLength: Infinity,
});

async function open(options: Partial<IndexedDBOptions> = {}): Promise<Controller> {
  const controller = new Controller({
    plugins: [
      indexedDB({
        name: 'app',
        onError: (error) => {
          throw error;
        },
        ...options,
      }),
    ],
  });
  controllers.push(controller);
  await controller.ready;
  return controller;
}

describe.each(['progressive', 'lazy'] as const)('a restart with %s restore', (restore) => {
  it('stored data is read from disk without any request', async () => {
    const first = await open({ restore });
    const list = await first.fetch(getList);
    await first.flush();
    await first.stop();
    expect(requests).toEqual(['/articles']);

    const second = await open({ restore });
    const again = await second.fetchIfStale(getList);
    expect(requests).toEqual(['/articles']);
    expect(again).toEqual(list);
    expect(again[0]).toBeInstanceOf(DatedArticle);
    expect(again[0]?.title).toBe('one 🦀');
    expect(again[0]?.createdAt).toEqual(new Date('2020-01-01T00:00:00.000Z'));
    expect(again[0]?.author).toBe(again[1]?.author);
    expect(second.getResponse(getList).expiresAt).toBe(Infinity);
  });

  it('data missing on disk is requested after a restart', async () => {
    const first = await open({ restore });
    await first.fetch(getList);
    await first.stop();

    const second = await open({ restore });
    await second.fetchIfStale(get, { id: 1 });
    expect(requests).toEqual(['/articles']); // served from the row that the list brought
    await second.fetch(get, { id: 2 });
    expect(requests).toEqual(['/articles', '/articles/2']);
  });

  it('a restored row that is equal keeps its objects', async () => {
    const first = await open({ restore });
    await first.fetch(get, { id: 1 });
    await first.stop();

    const second = await open({ restore: 'lazy' });
    const fetched = await second.fetch(getList);
    const [before] = fetched;
    await second.fetchIfStale(get, { id: 1 });
    expect(requests).toEqual(['/articles/1', '/articles']);
    expect(second.getResponse(getList).data?.[0]).toBe(before);
    expect(second.get(DatedArticle, { id: 1 })).toBe(before);
  });
});

describe('names with a meaning in JavaScript or with none', () => {
  it.each(['__proto__', 'constructor', 'toString', '🦀', ' ', 'a/b?c#d'])(
    '%j is an ordinary pk after a restart',
    async (id) => {
      const note = new Endpoint(async ({ id }: { id: string }) => Promise.resolve({ id, title: 'kept' }), {
        name: 'note',
        schema: DatedArticle,
        dataExpiryLength: Infinity,
      });
      const first = await open();
      await first.fetch(note, { id });
      await first.stop();

      const second = await open();
      const again = await second.fetchIfStale(note, { id });
      expect(again.title).toBe('kept');
      expect(second.get(DatedArticle, { id })).toBe(again);
    },
  );
});

describe('progressive restore', () => {
  it('progressive restore loads everything into memory without reads', async () => {
    const first = await open();
    await first.fetch(getList);
    await first.stop();

    const second = await open();
    await second.restored;
    expect(second.getResponse(getList).data).toHaveLength(2);
    expect(second.get(User, { id: 'u1' })?.name).toBe('Ann');
    expect(requests).toEqual(['/articles']);
  });
});
