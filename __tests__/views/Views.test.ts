import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity, type Schema } from 'holdfast';
import { Summary, User } from '../support/entities.ts';

class ArticleWithMeta extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  reviewers: User[] = [];
  meta = { tags: [] as string[], views: 0 };
  static override key = 'Article';
  static override schema: Readonly<Record<string, Schema>> = { author: User, reviewers: [User] };
}

const getArticle = new Endpoint(async (_: { id: number }): Promise<unknown> => null, {
  name: 'getArticle',
  schema: ArticleWithMeta,
});
const getList = new Endpoint(async (): Promise<unknown> => null, {
  name: 'getList',
  schema: [ArticleWithMeta],
});
const getPage = new Endpoint(async (): Promise<unknown> => null, {
  name: 'getPage',
  schema: { results: [ArticleWithMeta], owner: User, next: '' },
});
const getSummaries = new Endpoint(async (): Promise<unknown> => null, {
  name: 'getSummaries',
  schema: [Summary],
});

const ann = { id: 'u1', name: 'Ann' };
const bob = { id: 'u2', name: 'Bob' };
const one = { id: 1, title: 'one', author: ann, reviewers: [bob, ann], meta: { tags: ['a'], views: 1 } };
const two = { id: 2, title: 'two', author: bob, reviewers: [], meta: { tags: [], views: 2 } };

/** A controller that has the articles in a list, a page, summaries and details. */
function filled(): Controller {
  const controller = new Controller();
  controller.setResponse(getList, [one, two]);
  controller.setResponse(getPage, { results: [two, one], owner: ann, next: 'p2' });
  controller.setResponse(getSummaries, [
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ]);
  controller.setResponse(getArticle, { id: 1 }, one);
  return controller;
}

describe('a list that is stored otherwise', () => {
  it('a list that is stored otherwise is the same list where its members are', () => {
    const controller = filled();
    const before = controller.getResponse(getList).data;
    controller.setResponse(getList, [one, 'absent', two]);
    expect(controller.getResponse(getList).data).toBe(before);
    controller.setResponse(getList, [two, one]);
    expect(controller.getResponse(getList).data).toEqual([before?.[1], before?.[0]]);
  });
});

describe('the same row read through the same class', () => {
  it('the same row read through the same class is one object wherever it is read', async () => {
    const controller = filled();
    const article = controller.get(ArticleWithMeta, { id: 1 });
    expect(article).toBeInstanceOf(ArticleWithMeta);
    expect(controller.getResponse(getArticle, { id: 1 }).data).toBe(article);
    expect(controller.getResponse(getList).data?.[0]).toBe(article);
    expect(controller.getResponse(getPage).data?.results[1]).toBe(article);
    const fetched = new Endpoint(async () => ({ items: [one] }), {
      name: 'other',
      schema: { items: [ArticleWithMeta] },
    });
    expect((await controller.fetch(fetched)).items[0]).toBe(article);
  });

  it('the same row read through the same class is one object wherever it is nested', () => {
    const controller = filled();
    const user = controller.get(User, { id: 'u1' });
    const list = controller.getResponse(getList).data;
    expect(list?.[0]?.author).toBe(user);
    expect(list?.[0]?.reviewers[1]).toBe(user);
    expect(controller.getResponse(getPage).data?.owner).toBe(user);
    expect(list?.[1]?.author).toBe(list?.[0]?.reviewers[0]);
  });

  it('the same row read through the same class is what a watcher is given', () => {
    const controller = filled();
    const seen: unknown[] = [];
    controller.watch(ArticleWithMeta, { id: 1 }, (article) => seen.push(article));
    controller.watch(getList, (list) => seen.push(list?.[0]));
    controller.set(ArticleWithMeta, { id: 1 }, { title: 'uno' });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(controller.get(ArticleWithMeta, { id: 1 }));
    expect(seen[1]).toBe(seen[0]);
  });

  it('the value that an accessor returns in place of a list is kept', () => {
    class Team extends Entity {
      id = '';
      name = '';
      static override key = 'Team';
      static override schema = { members: [User] };
      get members(): readonly string[] {
        return [this.name];
      }
    }
    const controller = new Controller();
    // @ts-expect-error the field has another type than its schema
    controller.set(Team, { id: 't' }, { name: 'one', members: [ann] });
    expect(controller.get(Team, { id: 't' })?.members).toEqual(['one']);
    // @ts-expect-error the class does not declare it
    controller.set(Team, { id: 't' }, { level: 2 });
    expect(controller.get(Team, { id: 't' })?.members).toEqual(['one']);
  });

  it('the same row read through the same class is another object for another class', () => {
    const controller = filled();
    const article = controller.get(ArticleWithMeta, { id: 1 });
    const summary = controller.get(Summary, { id: 1 });
    expect(summary).toBeInstanceOf(Summary);
    expect(summary).not.toBe(article);
    expect(controller.getResponse(getSummaries).data?.[0]).toBe(summary);
    expect(controller.get(Summary, { id: 1 })).toBe(summary);
  });

  it('the same row read through the same class is not shared between controllers', () => {
    const [first, second] = [filled(), filled()];
    expect(first.get(ArticleWithMeta, { id: 1 })).not.toBe(second.get(ArticleWithMeta, { id: 1 }));
    first.set(ArticleWithMeta, { id: 1 }, { title: 'first' });
    expect(second.get(ArticleWithMeta, { id: 1 })?.title).toBe('one');
  });
});

describe('what was read', () => {
  it('a repeated read returns the same objects, results and lists included', () => {
    const controller = filled();
    const list = controller.getResponse(getList).data;
    const page = controller.getResponse(getPage).data;
    expect(controller.getResponse(getList).data).toBe(list);
    expect(controller.getResponse(getPage).data).toBe(page);
    expect(controller.getResponse(getPage).data?.results).toBe(page?.results);
  });

  it('an equal response keeps the objects that were read', () => {
    const controller = filled();
    const before = [
      controller.getResponse(getList).data,
      controller.getResponse(getPage).data,
      controller.getResponse(getSummaries).data,
      controller.getResponse(getArticle, { id: 1 }).data,
      controller.get(User, { id: 'u1' }),
    ];
    let told = 0;
    controller.watch(getList, () => (told += 1));
    controller.setResponse(getList, structuredClone([one, two]));
    controller.setResponse(getPage, structuredClone({ results: [two, one], owner: ann, next: 'p2' }));
    controller.setResponse(getArticle, { id: 1 }, structuredClone(one));
    controller.set(User, { id: 'u1' }, { name: 'Ann' });
    const after = [
      controller.getResponse(getList).data,
      controller.getResponse(getPage).data,
      controller.getResponse(getSummaries).data,
      controller.getResponse(getArticle, { id: 1 }).data,
      controller.get(User, { id: 'u1' }),
    ];
    after.forEach((value, index) => expect(value).toBe(before[index]));
    expect(told).toBe(0);
  });

  it('an equal row and result from a restore or another tab keep the objects that were read', () => {
    const controller = filled();
    const article = controller.get(ArticleWithMeta, { id: 1 });
    const list = controller.getResponse(getList).data;
    const meta = {
      requestedAt: 0,
      receivedAt: 0,
      expiresAt: Infinity,
      order: Number.MAX_SAFE_INTEGER,
      answered: 0,
    };
    const row = { value: { ...one, author: 'u1', reviewers: ['u2', 'u1'] }, meta };
    const key = getList.key();
    const shape = controller.getState().results.get(key)?.shape;
    controller.apply(
      {
        rows: [['Article', '1', structuredClone(row)]],
        results: [[key, { value: ['1', '2'], meta, ...(shape === undefined ? {} : { shape }) }]],
      },
      { origin: 'tabs' },
    );
    expect(controller.get(ArticleWithMeta, { id: 1 })).toBe(article);
    expect(controller.getResponse(getList).data).toBe(list);
    expect(controller.getResponse(getList).expiresAt).toBe(Infinity);
  });
});

describe('a change', () => {
  it('a change of a row gives a new identity to its entity and the values that contain it, and to no others', () => {
    const controller = filled();
    const list = controller.getResponse(getList).data!;
    const page = controller.getResponse(getPage).data!;
    const summaries = controller.getResponse(getSummaries).data!;
    // @ts-expect-error the class does not declare it
    controller.set(ArticleWithMeta, { id: 1 }, { likes: 5 });
    const after = controller.getResponse(getList).data!;
    expect(after).not.toBe(list);
    expect(after[0]).not.toBe(list[0]);
    expect(after[0]).toHaveProperty('likes', 5);
    expect(after[1]).toBe(list[1]);
    expect(after[0]?.author).toBe(list[0]?.author);
    expect(after[0]?.meta).toBe(list[0]?.meta);
    expect(controller.getResponse(getPage).data).not.toBe(page);
    expect(controller.getResponse(getPage).data?.owner).toBe(page.owner);
    // A summary reads the same row.
    expect(controller.getResponse(getSummaries).data?.[0]).not.toBe(summaries[0]);
    expect(controller.getResponse(getSummaries).data?.[1]).toBe(summaries[1]);
  });

  it('a change of a nested row reaches all values that contain it, and only those', () => {
    const controller = filled();
    const solo = new Endpoint(async (): Promise<unknown> => null, {
      name: 'solo',
      schema: [ArticleWithMeta],
    });
    controller.setResponse(solo, [{ id: 3, title: 'three', author: { id: 'u3', name: 'Cid' } }]);
    const others = controller.getResponse(solo).data;
    const list = controller.getResponse(getList).data!;
    let told = 0;
    controller.watch(solo, () => (told += 1));
    controller.set(User, { id: 'u2' }, { name: 'Bea' });
    const after = controller.getResponse(getList).data!;
    expect(after[0]?.reviewers[0]?.name).toBe('Bea');
    expect(after[1]?.author.name).toBe('Bea');
    expect(after[0]).not.toBe(list[0]);
    expect(after[1]).not.toBe(list[1]);
    expect(after[0]?.author).toBe(list[0]?.author);
    expect(controller.getResponse(solo).data).toBe(others);
    expect(told).toBe(0);
  });

  it('a change of a field keeps the lists and nested values of the other fields', () => {
    const controller = filled();
    const before = controller.get(ArticleWithMeta, { id: 1 })!;
    controller.set(ArticleWithMeta, { id: 1 }, { title: 'uno' });
    const after = controller.get(ArticleWithMeta, { id: 1 })!;
    expect(after.title).toBe('uno');
    expect(after.reviewers).toBe(before.reviewers);
    expect(after.meta).toBe(before.meta);
    expect(after.author).toBe(before.author);
  });

  it('a change of a part of a stored value keeps the other parts', () => {
    const controller = filled();
    const before = controller.get(ArticleWithMeta, { id: 1 })!;
    controller.set(ArticleWithMeta, { id: 1 }, { meta: { tags: ['a'], views: 7 } });
    const after = controller.get(ArticleWithMeta, { id: 1 })!;
    expect(after.meta).toEqual({ tags: ['a'], views: 7 });
    expect(after.meta.tags).toBe(before.meta.tags);
  });

  it('a change of the order of a list keeps the entities', () => {
    const controller = filled();
    const list = controller.getResponse(getList).data!;
    controller.setResponse(getList, [two, one]);
    const after = controller.getResponse(getList).data!;
    expect(after[0]).toBe(list[1]);
    expect(after[1]).toBe(list[0]);
    expect(after).not.toBe(list);
  });

  it('a change leaves values that were read before unchanged', () => {
    const controller = filled();
    const list = controller.getResponse(getList).data!;
    controller.set(ArticleWithMeta, { id: 1 }, { title: 'uno' });
    controller.getResponse(getList);
    expect(list[0]?.title).toBe('one');
  });

  it('a change that is reverted restores the previous values', () => {
    const controller = filled();
    controller.set(ArticleWithMeta, { id: 1 }, { title: 'uno' });
    controller.set(ArticleWithMeta, { id: 1 }, { title: 'one' });
    expect(controller.getResponse(getList).data?.[0]?.title).toBe('one');
  });
});

describe('one key, two schemas', () => {
  const asUser = getList.extend({ schema: [User] });

  it('two schemas with one key keep both values while nothing changes', () => {
    const controller = filled();
    const summaries = getList.extend({ schema: [Summary] });
    const list = controller.getResponse(getList).data;
    const short = controller.getResponse(summaries).data;
    expect(short?.[0]).toBeInstanceOf(Summary);
    expect(controller.getResponse(getList).data).toBe(list);
    expect(controller.getResponse(summaries).data).toBe(short);
  });

  it('data stored in another shape reads as missing', () => {
    const controller = filled();
    expect(controller.getResponse(asUser).data).toBeUndefined();
    expect(controller.getResponse(getList.extend({ schema: ArticleWithMeta })).data).toBeUndefined();
    expect(
      controller.getResponse(getList.extend({ schema: { results: [ArticleWithMeta] } })).data,
    ).toBeUndefined();
    expect(controller.getResponse(getList.extend({ schema: undefined })).data).toBeUndefined();
    const raw = new Endpoint(async (): Promise<unknown> => null, { name: 'raw' });
    controller.setResponse(raw, [one]);
    expect(controller.getResponse(raw.extend({ schema: [ArticleWithMeta] })).data).toBeUndefined();
    expect(controller.getResponse(raw).data).toEqual([one]);
  });
});

describe('in development', () => {
  it('every denormalized value is frozen in development', async () => {
    const controller = filled();
    const page = controller.getResponse(getPage).data!;
    const article = page.results[0]!;
    for (const value of [
      page,
      page.results,
      article,
      article.author,
      article.reviewers,
      article.meta,
      article.meta.tags,
    ]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
    expect(() => {
      article.title = 'changed';
    }).toThrow(TypeError);
    const raw = new Endpoint(async () => ({ deep: { list: [1] } }), { name: 'raw' });
    await controller.fetch(raw);
    expect(Object.isFrozen(controller.getResponse(raw).data?.deep.list)).toBe(true);
  });

  it('responses are not frozen in development', async () => {
    const response = [structuredClone(one)];
    const controller = new Controller();
    await controller.fetch(new Endpoint(async () => response, { name: 'own', schema: [ArticleWithMeta] }));
    expect(Object.isFrozen(response)).toBe(false);
    expect(Object.isFrozen(response[0]?.meta.tags)).toBe(false);
    expect(response).toEqual([one]);
  });
});

describe('instances that are read', () => {
  it('instances have the members of their class over the stored data', () => {
    class Fancy extends Entity {
      id = '';
      title = '';
      static override key = 'Fancy';
      get shout(): string {
        return `${this.title}!`;
      }
      static override schema = { at: Date, amount: (value: string) => BigInt(value) };
      at = new Date(0);
      amount = 0n;
      missing = 'default';
    }
    const controller = new Controller();
    const get = new Endpoint(async (): Promise<unknown> => null, { name: 'fancy', schema: Fancy });
    controller.setResponse(get, { id: 1, title: 'one', shout: 'data', at: '2020-01-01', amount: '12' });
    const fancy = controller.getResponse(get).data!;
    expect(fancy.shout).toBe('one!');
    expect(fancy.at).toEqual(new Date('2020-01-01'));
    expect(fancy.amount).toBe(12n);
    expect(fancy.missing).toBe('default');
    expect(fancy.pk()).toBe(1);
    expect(Object.keys(fancy).sort()).toEqual(['amount', 'at', 'id', 'missing', 'title']);
  });
});
