import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity, Values, type Schema } from 'holdfast';
import { User } from '../support/entities.ts';
import { failure } from '../support/failure.ts';
import { silently } from '../support/silently.ts';

class ArticleWithReviewers extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  reviewers: User[] = [];
  static override key = 'Article';
  static override schema = { author: User, reviewers: [User] };
}

const PROTOTYPES = [Object, Array, Function, Map, Entity, User, ArticleWithReviewers].map(
  ({ prototype }) => prototype as object,
);
const members = () => PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype));

let controller: Controller;
let before: ReturnType<typeof members>;

beforeEach(() => {
  controller = new Controller();
  before = members();
});

/** No response may add to a prototype. */
afterEach(() => {
  expect(members()).toEqual(before);
  expect({}).not.toHaveProperty('polluted');
});

/** A response as it arrives: out of JSON text, so that `__proto__` is an own field. */
const arriving = (value: unknown): unknown =>
  JSON.parse(typeof value === 'string' ? value : JSON.stringify(value));

const endpoint = <S extends Exclude<Schema, undefined>>(schema: S, response: unknown, name = 'getHostile') =>
  new Endpoint(() => Promise.resolve(response), { name, schema });

/** What a read of this response joins to. */
const read = <S extends Exclude<Schema, undefined>>(schema: S, response: unknown) =>
  controller.fetch(endpoint(schema, arriving(response)));

const pksOf = (table: string): readonly string[] =>
  [...(controller.getState().tables[table]?.entries() ?? [])].map(([pk]) => pk);

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '0',
  '-1',
  '1e3',
  'null',
  ' ',
  '🙂',
  '\u0000',
];

describe('names that mean something to JavaScript', () => {
  it.each(NAMES)('%j is an ordinary pk', async (id) => {
    const article = await read(ArticleWithReviewers, {
      id,
      title: 'own',
      author: { id, name: 'Ann' },
      reviewers: [{ id }, { id: 'other' }],
    });
    expect(article).toBeInstanceOf(ArticleWithReviewers);
    expect([article.id, article.title, article.pk()]).toEqual([id, 'own', id]);
    expect(article.author).toBe(article.reviewers[0]);
    expect(article.author?.name).toBe('Ann');
    expect(controller.get(ArticleWithReviewers, { id })).toBe(article);
    controller.set(User, { id }, { name: 'Eve' });
    expect(controller.get(ArticleWithReviewers, { id })?.reviewers[0]?.name).toBe('Eve');
    expect(controller.get(User, { id: 'other' })?.name).toBe('');
  });

  it.each(NAMES)('%j is an ordinary table', async (key) => {
    class Odd extends Entity {
      id = '';
      name = '';
    }
    Odd.key = key;
    const [first] = await read([Odd], [{ id: '1', name: 'one' }, { id: '__proto__' }]);
    expect(first?.name).toBe('one');
    expect(controller.get(Odd, { id: '1' })).toBe(first);
    expect(Object.keys(controller.getState().tables)).toEqual([key]);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });

  it.each(NAMES)('%j is an ordinary key of a result', async (name) => {
    const own = new Endpoint(() => Promise.resolve({ id: '1', title: name }), {
      name: 'named',
      schema: ArticleWithReviewers,
      key: () => name,
    });
    expect(controller.getResponse(own).data).toBeUndefined();
    const article = await controller.fetch(own);
    expect(controller.getResponse(own).data).toBe(article);
    controller.invalidate(own);
    expect(controller.getResponse(own).data).toBeUndefined();
  });

  it.each(NAMES)('%j is an ordinary member of a map', async (name) => {
    const map = await read(
      new Values(User),
      `{ ${JSON.stringify(name)}: { "id": "1" }, "b": { "id": "2" } }`,
    );
    expect(new Set(Object.keys(map))).toEqual(new Set([name, 'b']));
    expect(Object.getOwnPropertyDescriptor(map, name)?.value).toBe(controller.get(User, { id: '1' }));
  });

  it('a field __proto__ is data, and gives an instance neither members nor another class', async () => {
    const article = await read(
      ArticleWithReviewers,
      '{ "id": "1", "title": "own", "__proto__": { "polluted": true }, "author": { "id": "u", "__proto__": null } }',
    );
    expect(article).toBeInstanceOf(ArticleWithReviewers);
    expect(article.author).toBeInstanceOf(User);
    expect(article).not.toHaveProperty('polluted');
    expect(article.title).toBe('own');
  });

  it('a field __proto__ or constructor in nested plain data stays where it is', async () => {
    const { box } = await read(
      { user: User, box: '' },
      '{ "user": { "id": "1" }, "box": { "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } } } }',
    );
    expect(JSON.stringify(box)).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
  });

  it('a field named like a method or getter leaves the method, and everything that reads it, alone', async () => {
    class Post extends Entity {
      id = '';
      first = 'Ann';
      get shout() {
        return this.first.toUpperCase();
      }
      greet() {
        return `Hello ${this.first}`;
      }
      static override key = 'Post';
    }
    const response = {
      id: '1',
      pk: 'x',
      greet: 'x',
      shout: 'x',
      constructor: 'x',
      toString: 'x',
      valueOf: 5,
      then: 'x',
      toJSON: 'x',
    };
    const post = await silently(() => read(Post, response));
    expect([post.pk(), post.greet(), post.shout, post.constructor]).toEqual(['1', 'Hello Ann', 'ANN', Post]);
    expect(Object.prototype.toString.call(post)).toBe('[object Object]');
    expect(controller.get(Post, { id: '1' })).toBe(post);
  });
});

describe('numbers and strings', () => {
  it('1 and "1" are one pk; "01", "1.0" and "1e0" are others', async () => {
    const users = await read(
      [User],
      [{ id: 1, name: 'one' }, { id: '1' }, { id: '01' }, { id: '1.0' }, { id: '1e0' }],
    );
    expect(users[0]).toBe(users[1]);
    expect(new Set(users).size).toBe(4);
  });

  it('0, -0 and "0" are one pk, and not a missing one', async () => {
    const users = await read([User], [{ id: 0, name: 'zero' }, { id: -0 }, { id: '0' }]);
    expect(new Set(users).size).toBe(1);
    expect(controller.get(User, { id: 0 })?.name).toBe('zero');
  });

  it('large integers keep their digits as strings', async () => {
    const [first, second] = await read([User], [{ id: '9007199254740992' }, { id: '9007199254740993' }]);
    expect(first).not.toBe(second);
  });
});

describe('what is very large', () => {
  it('a text of 1 MB is a field and a pk like any other', async () => {
    const long = 'x'.repeat(1_000_000);
    const article = await read(ArticleWithReviewers, { id: long, title: long, author: { id: `${long}y` } });
    expect(article.title).toHaveLength(1_000_000);
    expect(controller.get(ArticleWithReviewers, { id: long })).toBe(article);
    expect(controller.get(User, { id: `${long}y` })).toBe(article.author);
  });

  it('an error about a text of 1 MB is short', async () => {
    const long = 'x'.repeat(1_000_000);
    for (const response of [long, [long], { id: '1', author: [long] }, { title: long }]) {
      const error = await failure(controller.fetch(endpoint(ArticleWithReviewers, response)));
      expect(String(error).length).toBeLessThan(600);
    }
  });

  it('a list of 100,000 entities is complete, and reads as the same list after an equal response', async () => {
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}` }));
    const get = endpoint([User], items);
    const users = await controller.fetch(get);
    expect(users).toHaveLength(100_000);
    expect(users[99_999]?.name).toBe('n99999');
    expect(controller.get(User, { id: 54_321 })).toBe(users[54_321]);
    expect(await controller.fetch(get)).toBe(users);
  });

  it('a list that names one entity 100,000 times holds one object', async () => {
    const users = await read([User], Array(100_000).fill({ id: '1', name: 'Ann' }));
    expect(users).toHaveLength(100_000);
    expect(new Set(users).size).toBe(1);
  });
});

describe('what is very deep', () => {
  class Link extends Entity {
    id = '';
    next: Link | undefined = undefined;
    data: unknown = undefined;
    static override key = 'Link';
    static override schema: Readonly<Record<string, Schema>> = {};
  }
  Link.schema = { next: Link };

  const nest = (levels: number, wrap: (inner: unknown, level: number) => unknown, innermost: unknown) => {
    let value = innermost;
    for (let level = levels; level > 0; level--) value = wrap(value, level);
    return value;
  };

  it('10,000 nested entities cause one short error, and none of them is stored', async () => {
    controller.set(Link, { id: 'kept' }, { id: 'kept' });
    const response = nest(10_000, (next, level) => ({ id: level, next }), null);
    const error = await failure(controller.fetch(endpoint(Link, response)));
    expect(error).toMatchObject({ code: 'HF_TOO_DEEP', message: expect.stringContaining('getHostile') });
    expect(String(error).length).toBeLessThan(600);
    expect(pksOf('Link')).toEqual(['kept']);
  });

  it.each([
    ['objects', (inner: unknown) => ({ inner })],
    ['lists', (inner: unknown) => [inner]],
  ])('%s that no schema names may nest 1,000 levels inside a field', async (_what, wrap) => {
    const data = nest(1_000, wrap, 'innermost');
    const link = await controller.fetch(endpoint(Link, { id: '1', data }));
    let found = link.data;
    let levels = 0;
    for (; typeof found === 'object' && found !== null; levels++) found = Object.values(found)[0];
    expect([levels, found]).toEqual([1_000, 'innermost']);
    expect(await controller.fetch(endpoint(Link, { id: '1', data }))).toBe(link);
  });

  it.each([
    ['objects', (inner: unknown) => ({ inner })],
    ['lists', (inner: unknown) => [inner]],
  ])(
    '%s nested 10,000 or 1,000,000 levels cause one error, and nothing is stored or lost',
    async (_what, wrap) => {
      const kept = await controller.fetch(endpoint(Link, { id: 'kept', data: 1 }));
      for (const levels of [10_000, 1_000_000]) {
        const data = nest(levels, wrap, 'innermost');
        const response = [{ id: 'before' }, { id: 'kept', data }, { id: 'after' }];
        const error = await failure(controller.fetch(endpoint([Link], response)));
        expect(error).toMatchObject({ code: 'HF_TOO_DEEP' });
        expect(controller.get(Link, { id: 'kept' })).toBe(kept);
        expect(pksOf('Link')).toEqual(['kept']);
      }
    },
  );

  it('5,000 entities that arrive side by side and link to each other are denormalized, and again after a change', async () => {
    const links = Array.from({ length: 5_000 }, (_, id) => ({ id, next: id + 1 === 5_000 ? null : id + 1 }));
    const list = await controller.fetch(endpoint([Link], links));
    expect(list).toHaveLength(5_000);
    let last = list[0];
    for (let count = 1; last?.next; count++) {
      last = last.next;
      expect(last === list[count]).toBe(true);
    }
    controller.set(Link, { id: 4_999 }, { data: 'end' });
    let end = controller.get(Link, { id: 0 });
    while (end?.next) end = end.next;
    expect(end?.data).toBe('end');
  });
});

describe('what is not there, or is there twice', () => {
  it('null means an absent entity in a field and as a whole response, and a list omits it', async () => {
    const article = await read(ArticleWithReviewers, {
      id: '1',
      author: null,
      reviewers: [null, { id: 'u' }, null],
    });
    expect(article.author).toBeNull();
    expect(article.reviewers).toEqual([User.fromJS({ id: 'u' })]);
    expect(await read([ArticleWithReviewers], [null])).toEqual([]);
    expect(await read(ArticleWithReviewers, null)).toBeNull();
    expect(await read({ best: ArticleWithReviewers }, { best: null })).toEqual({ best: null });
  });

  it('an entity without pk causes one error, and nothing of its response is stored', async () => {
    const kept = await read([ArticleWithReviewers], [{ id: '1', title: 'kept' }]);
    const response = [{ id: '1', title: 'lost' }, { id: '2' }, { title: 'no id' }];
    const error = await failure(controller.fetch(endpoint([ArticleWithReviewers], response, 'getOthers')));
    expect(error).toMatchObject({
      code: 'HF_PK_MISSING',
      message: expect.stringMatching(/\[2\] in the response of getOthers.*\{ title \}.*Article/),
    });
    expect(controller.get(ArticleWithReviewers, { id: '1' })).toBe(kept[0]);
    expect(controller.get(ArticleWithReviewers, { id: '2' })).toBeUndefined();
  });

  it('one pk several times in a response is one entity with the fields of every occurrence', async () => {
    const [first, second, third] = await read(
      [ArticleWithReviewers],
      [
        { id: '1', title: 'first', author: { id: 'u', name: 'Ann' } },
        { id: '1', reviewers: [{ id: 'u', name: 'Anna' }] },
        { id: '1', title: 'third' },
      ],
    );
    expect([second, third]).toEqual([first, first]);
    expect(second === first && third === first).toBe(true);
    expect([first?.title, first?.author?.name]).toEqual(['third', 'Anna']);
    expect(first?.reviewers[0]).toBe(first?.author);
  });

  it('one pk in two tables is two entities', async () => {
    const { user, article } = await read(
      { user: User, article: ArticleWithReviewers },
      { user: { id: '1', name: 'Ann' }, article: { id: '1', title: 'One' } },
    );
    expect(user).toEqual(User.fromJS({ id: '1', name: 'Ann' }));
    expect(article).toEqual(ArticleWithReviewers.fromJS({ id: '1', title: 'One' }));
  });

  it('a pk that changes between responses makes another entity, and leaves the old one as it was', async () => {
    let id = 'old';
    const get = new Endpoint(
      () => Promise.resolve({ id, title: `title of ${id}`, author: { id: `by ${id}` } }),
      {
        name: 'getCurrent',
        schema: ArticleWithReviewers,
      },
    );
    const old = await controller.fetch(get);
    id = 'new';
    const next = await controller.fetch(get);
    expect([next.id, next.title, next.author?.id]).toEqual(['new', 'title of new', 'by new']);
    expect(controller.getResponse(get).data).toBe(next);
    expect(controller.get(ArticleWithReviewers, { id: 'old' })).toBe(old);
  });

  it('a nested pk that changes points to the other entity', async () => {
    const get = (author: unknown) => read(ArticleWithReviewers, { id: '1', author });
    const before = await get({ id: 'a', name: 'Ann' });
    const after = await get({ id: 'b', name: 'Bob' });
    expect([before.author?.name, after.author?.name]).toEqual(['Ann', 'Bob']);
    expect(controller.get(User, { id: 'a' })).toBe(before.author);
  });

  it('fields that no class declares, and undefined ones, are kept as they came', async () => {
    const article = await controller.fetch(
      endpoint(ArticleWithReviewers, { id: '1', title: undefined, extra: { deep: [1, null, undefined] } }),
    );
    expect(article).toHaveProperty('extra', { deep: [1, null, undefined] });
    expect(Object.hasOwn(article, 'title')).toBe(true);
  });
});

describe('another shape than the schema', () => {
  const good = { id: '1', title: 'Kept', author: { id: 'u', name: 'Ann' }, reviewers: [{ id: 'u' }] };

  it.each([
    ['a list for an entity', ArticleWithReviewers, [good]],
    ['an entity for a list', [ArticleWithReviewers], good],
    ['an object for a nested list', ArticleWithReviewers, { ...good, reviewers: { 0: { id: 'u' } } }],
    ['a list for a nested entity', ArticleWithReviewers, { ...good, author: [{ id: 'u' }] }],
    ['a list in a nested list', ArticleWithReviewers, { ...good, reviewers: [[{ id: 'u' }]] }],
    ['a text for a list', [ArticleWithReviewers], 'Not Found'],
    ['a text for an entity', ArticleWithReviewers, '<!doctype html>'],
    ['true for an entity', ArticleWithReviewers, true],
    ['a number for an object of fields', { best: ArticleWithReviewers }, 404],
    ['a list for an object of fields', { best: ArticleWithReviewers }, [good]],
    ['a list for a map', new Values(ArticleWithReviewers), [good]],
  ] as const)(
    '%s causes one error, and stored data stays',
    async (_what, schema: Exclude<Schema, undefined>, response) => {
      const kept = await read(ArticleWithReviewers, good);
      const error = await failure(controller.fetch(endpoint(schema, response, 'getOther')));
      expect(error).toMatchObject({
        code: 'HF_SHAPE',
        message: expect.stringMatching(/^\[holdfast\] .*getOther should be .*arrived; .*\(HF_SHAPE\)$/),
      });
      expect(controller.get(ArticleWithReviewers, { id: '1' })).toBe(kept);
      expect(controller.get(User, { id: 'u' })).toBe(kept.author);
    },
  );
});
