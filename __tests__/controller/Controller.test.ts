import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Endpoint, Entity } from 'holdfast';
import { User } from '../support/entities.ts';

class ArticleWithGetter extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  tags: string[] = [];
  createdAt = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, createdAt: Date };

  get shout(): string {
    return this.title.toUpperCase();
  }
}

const articles = [
  { id: 1, title: 'one', author: { id: 'u1', name: 'Ann' }, tags: ['a'], createdAt: '2020-01-01T00:00:00Z' },
  { id: 2, title: 'two', author: { id: 'u1', name: 'Ann' }, tags: [], createdAt: '2021-01-01T00:00:00Z' },
];
const getList = new Endpoint(async () => structuredClone(articles), {
  name: 'getList',
  schema: [ArticleWithGetter],
});
const get = new Endpoint(async ({ id }: { id: number }) => structuredClone(articles[id - 1]), {
  name: 'get',
  schema: ArticleWithGetter,
});
const update = new Endpoint(
  async ({ id }: { id: number }, body: object) => ({ ...structuredClone(articles[id - 1]), ...body }),
  {
    name: 'update',
    schema: ArticleWithGetter,
    sideEffect: true,
  },
);
const remove = new Endpoint(async ({ id }: { id: number }) => ({ id }), {
  name: 'remove',
  schema: new Delete(ArticleWithGetter),
  sideEffect: true,
});

describe('Controller', () => {
  it('the controller returns the same object for an entity wherever it is read', async () => {
    const controller = new Controller();
    const list = await controller.fetch(getList);
    const one = await controller.fetch(get, { id: 1 });
    expect(list[0]).toBe(one);
    expect(controller.get(ArticleWithGetter, { id: '1' })).toBe(one);
    expect(one).toBeInstanceOf(ArticleWithGetter);
    expect(one.shout).toBe('ONE');
    expect(one.createdAt).toEqual(new Date('2020-01-01T00:00:00Z'));
    expect(list[0]?.author).toBe(list[1]?.author);
    expect(controller.getResponse(getList).data).toBe(list);
  });

  it('a write changes only the values that contain what it writes', async () => {
    const controller = new Controller();
    const list = await controller.fetch(getList);
    const seen: unknown[] = [];
    const stop = controller.watch(getList, (data) => seen.push(data));
    await controller.fetch(update, { id: 1 }, { title: 'uno' });
    expect(seen).toHaveLength(1);
    const next = controller.getResponse(getList).data;
    expect(next).toBe(seen[0]);
    expect(next?.[0]?.title).toBe('uno');
    expect(next?.[1]).toBe(list[1]);
    await controller.fetch(getList);
    expect(controller.getResponse(getList).data?.[0]?.title).toBe('one');
    expect(controller.getResponse(getList).data?.[0]?.author).toBe(list[0]?.author);
    stop();
  });

  it('deleted entities are removed from lists, and reads of them are missing', async () => {
    const controller = new Controller();
    await controller.fetch(getList);
    await controller.fetch(get, { id: 1 });
    await controller.fetch(remove, { id: 1 });
    expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual([2]);
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
  });

  it('set writes entities by value and by recipe', async () => {
    const controller = new Controller();
    await controller.fetch(getList);
    controller.set(ArticleWithGetter, { id: 1 }, { title: 'eins' });
    expect(controller.get(ArticleWithGetter, { id: 1 })?.title).toBe('eins');
    controller.set(ArticleWithGetter, { id: 1 }, (draft) => {
      draft.title = 'ein';
      draft.author = User.fromJS({ id: 'u2', name: 'Bob' });
    });
    expect(controller.get(ArticleWithGetter, { id: 1 })?.author.name).toBe('Bob');
    expect(controller.get(ArticleWithGetter, { id: 1 })?.author).toBe(controller.get(User, { id: 'u2' }));
    expect(controller.get(ArticleWithGetter, { id: 1 })?.tags).toEqual(['a']);
  });

  it('a key may be any string, and nothing else', async () => {
    const controller = new Controller();
    const keyed = (key: unknown) =>
      new Endpoint(() => Promise.resolve(`of ${String(key)}`), { name: 'keyed', key: () => key as string });
    for (const key of ['', '__proto__', 'constructor', 'toString', '👩‍🚀']) {
      await controller.fetch(keyed(key));
      expect(controller.getResponse(keyed(key)).data).toBe(`of ${key}`);
    }
    expect(controller.getState().results.size).toBe(5);
    for (const key of [undefined, 1, null])
      await expect(controller.fetch(keyed(key))).rejects.toMatchObject({ code: 'HF_ENDPOINT_NAME' });
  });

  it('a detail is served from a row that a list response contained', async () => {
    const controller = new Controller();
    await controller.fetch(getList);
    expect(controller.getResponse(get, { id: 2 }).data?.title).toBe('two');
  });

  it('getResponse returns when the newest response arrived', async () => {
    let now = 5_000;
    const controller = new Controller({ now: () => now });
    expect(controller.getResponse(getList).receivedAt).toBe(0);
    await controller.fetch(getList);
    expect(controller.getResponse(getList).receivedAt).toBe(5_000);
    now = 9_000;
    await controller.fetch(getList);
    expect(controller.getResponse(getList).receivedAt).toBe(9_000);
  });

  it('methods of the controller work when detached, also those of a subclass', async () => {
    class Counting extends Controller {
      fetched = 0;
      override fetch: Controller['fetch'] = (endpoint, ...args) => {
        this.fetched += 1;
        return super.fetch(endpoint, ...args);
      };
      override getState(): ReturnType<Controller['getState']> {
        this.fetched *= 10;
        return super.getState();
      }
    }
    const controller = new Counting();
    const { fetch, get: read, set, invalidate, getResponse, getState } = controller;
    const article = await fetch(get, { id: 1 });
    expect(read(ArticleWithGetter, { id: 1 })).toBe(article);
    set(ArticleWithGetter, { id: 1 }, { title: 'other' });
    expect(getResponse(get, { id: 1 }).data?.title).toBe('other');
    invalidate(get, { id: 1 });
    expect(getResponse(get, { id: 1 }).data).toBeUndefined();
    expect(getState().tables['Article']?.size).toBe(1);
    expect(controller.fetched).toBe(10);
  });

  it('reset empties the store and drops requests in flight', async () => {
    const controller = new Controller();
    await controller.fetch(getList);
    const late = controller.fetch(get, { id: 1 });
    await controller.reset();
    await expect(late).rejects.toMatchObject({ code: 'HF_RESET' });
    expect(controller.get(ArticleWithGetter, { id: 1 })).toBeUndefined();
  });
});
