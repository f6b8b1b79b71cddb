import { describe, expect, it, jest } from '@jest/globals';
import {
  Aggregate,
  All,
  ArraySchema,
  Collection,
  Delete,
  Entity,
  Lazy,
  Query,
  QueryEach,
  Select,
  Union,
  Values,
  type EntityValue,
  type Schema,
} from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import { deepFreeze } from './deepFreeze.ts';
import { User } from '../support/entities.ts';

class Label extends Entity {
  id = '';
  text = '';
}
class ArticleWithRelations extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  reviewer: User | null = null;
  labels: Label[] = [];
  createdAt = new Date(0);
  static override key = 'Article';
  static override schema: Readonly<Record<string, Schema>> = {
    author: User,
    reviewer: User,
    labels: [Label],
    createdAt: Date,
  };
}

/** What was found, as plain objects: table → pk → value. */
function tables(schema: Schema, input: unknown, args?: readonly unknown[]): unknown {
  const { entities } = normalize(schema, input, args);
  return Object.fromEntries(
    [...entities].map(([table, rows]) => [
      table,
      Object.fromEntries([...rows].map(([pk, { value }]) => [pk, value])),
    ]),
  );
}

/** The error that taking apart `input` throws. */
function failure(schema: Schema, input: unknown): unknown {
  try {
    normalize(schema, input, [], 'getArticle');
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw');
}

describe('normalize', () => {
  const ann = { id: 'u1', name: 'Ann' };
  const response = {
    id: 1,
    title: 'one',
    author: ann,
    reviewer: { id: 'u2', name: 'Bob' },
    labels: [
      { id: 'a', text: 'A' },
      { id: 'b', text: 'B' },
    ],
    createdAt: '2020-01-01T00:00:00Z',
  };

  it('normalize moves nested entities to their tables, and puts their pks in their place', () => {
    expect(normalize(ArticleWithRelations, response).result).toBe('1');
    expect(tables(ArticleWithRelations, response)).toEqual({
      Article: {
        1: {
          id: 1,
          title: 'one',
          author: 'u1',
          reviewer: 'u2',
          labels: ['a', 'b'],
          createdAt: '2020-01-01T00:00:00Z',
        },
      },
      User: { u1: ann, u2: { id: 'u2', name: 'Bob' } },
      Label: { a: { id: 'a', text: 'A' }, b: { id: 'b', text: 'B' } },
    });
  });

  it('normalize never changes the response', () => {
    const before = structuredClone(response);
    const input = deepFreeze(structuredClone(response));
    normalize({ data: [ArticleWithRelations], next: '' }, deepFreeze({ data: [input], next: 'x' }));
    normalize(ArticleWithRelations, input);
    expect(input).toEqual(before);
  });

  it('normalize stores no object of the response itself', () => {
    const input = structuredClone(response);
    const { entities } = normalize(ArticleWithRelations, input);
    expect(entities.get('Article')?.get('1')?.value).not.toBe(input);
    expect(entities.get('User')?.get('u1')?.value).not.toBe(input.author);
  });

  it('normalize leaves out what a response does not have', () => {
    expect(tables(ArticleWithRelations, { id: 1, title: 'one' })).toEqual({
      Article: { 1: { id: 1, title: 'one' } },
    });
  });

  it('normalize keeps nulls and undefined fields; a list leaves them out', () => {
    const input = { id: 1, author: null, reviewer: undefined, labels: null, createdAt: null };
    expect(tables(ArticleWithRelations, input)).toEqual({ Article: { 1: input } });
    expect(normalize([User], [null, ann, undefined]).result).toEqual(['u1']);
    expect(normalize({ user: User }, { user: null }).result).toEqual({ user: null });
  });

  it.each([null, undefined])('normalize accepts %p as a whole response', (input) => {
    for (const schema of [
      ArticleWithRelations,
      [ArticleWithRelations],
      { data: ArticleWithRelations },
      new Delete(ArticleWithRelations),
    ]) {
      expect(normalize(schema, input)).toEqual({ result: input, entities: new Map(), updates: [] });
    }
  });

  it('normalize treats strings and numbers as references by pk', () => {
    const input = { id: 1, author: 'u1', reviewer: 7, labels: ['a', 5, { id: 'b' }] };
    expect(tables(ArticleWithRelations, input)).toEqual({
      Article: { 1: { id: 1, author: 'u1', reviewer: '7', labels: ['a', '5', 'b'] } },
      Label: { b: { id: 'b' } },
    });
    expect(normalize([User], ['u1', 2]).result).toEqual(['u1', '2']);
    expect(normalize({ user: User }, { user: 3 }).result).toEqual({ user: '3' });
  });

  it('normalize treats 1 and "1" as one key', () => {
    expect(
      tables(
        [User],
        [
          { id: 1, name: 'Ann' },
          { id: '1', age: 3 },
        ],
      ),
    ).toEqual({
      User: { 1: { id: '1', name: 'Ann', age: 3 } },
    });
  });

  it('normalize merges several occurrences of one entity in a response', () => {
    const input = {
      id: 1,
      author: { id: 'u1', name: 'Ann' },
      reviewer: { id: 'u1', age: 3 },
    };
    expect(tables(ArticleWithRelations, input)).toMatchObject({
      User: { u1: { id: 'u1', name: 'Ann', age: 3 } },
    });
  });

  it('normalize handles plain objects, and keeps their other members', () => {
    const schema = { results: [User], owner: User, nextPage: '', total: 0, meta: { first: User, note: '' } };
    const input = deepFreeze({
      results: [ann],
      owner: { id: 'u2' },
      nextPage: 'p2',
      total: 1,
      meta: { first: ann, note: 'n', extra: { deep: true } },
      unknown: [1],
    });
    expect(normalize(schema, input).result).toEqual({
      results: ['u1'],
      owner: 'u2',
      nextPage: 'p2',
      total: 1,
      meta: { first: 'u1', note: 'n', extra: { deep: true } },
      unknown: [1],
    });
  });

  it('normalize handles lists of lists and of plain objects', () => {
    expect(normalize([[User]], [[ann], []]).result).toEqual([['u1'], []]);
    expect(normalize([{ user: User }], [{ user: ann, rank: 1 }]).result).toEqual([{ user: 'u1', rank: 1 }]);
  });

  it('normalize stores values of a converter as they arrived', () => {
    class Account extends Entity {
      id = '';
      balance: unknown = 0;
      since = new Date(0);
      static override schema = { balance: (value: string) => BigInt(value), since: Date };
    }
    const input = { id: 1, balance: '10', since: 5 };
    expect(tables(Account, input)).toEqual({ Account: { 1: input } });
  });

  it('normalize replaces cycles of a schema by pks', () => {
    class Person extends Entity {
      id = '';
      static override schema: Readonly<Record<string, Schema>> = {};
    }
    Person.schema = { friend: Person, friends: [Person] };
    const input = { id: 'a', friend: { id: 'b', friend: { id: 'a', friends: ['a', { id: 'b' }] } } };
    expect(tables(Person, input)).toEqual({
      Person: { a: { id: 'a', friend: 'b', friends: ['a', 'b'] }, b: { id: 'b', friend: 'a' } },
    });
  });

  it('normalize keeps hostile keys and pks as ordinary data', () => {
    class Hostile extends Entity {
      id = '';
      static override key = '__proto__';
    }
    const pks = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '🙂', ' ', 'null'];
    const { result, entities } = normalize(
      [Hostile],
      pks.map((id) => ({ id })),
    );
    expect(result).toEqual(pks);
    expect([...(entities.get('__proto__')?.keys() ?? [])]).toEqual(pks);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('normalize reads no field from the prototype chain of a response', () => {
    class Odd extends Entity {
      id = '';
      static override schema = { constructor: User, toString: User };
    }
    expect(tables(Odd, { id: 1 })).toEqual({ Odd: { 1: { id: 1 } } });
    expect(normalize({ constructor: User, valueOf: [User] }, {}).result).toEqual({});
  });

  it('normalize keeps an own field __proto__ of a response an own field', () => {
    const hostile: unknown = JSON.parse('{ "id": "1", "__proto__": { "isAdmin": true } }');
    const value = normalize(User, hostile).entities.get('User')?.get('1')?.value;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value).not.toHaveProperty('isAdmin');
  });
});

describe('process', () => {
  it('process receives the parent, the field and the args', () => {
    const seen: unknown[] = [];
    class Child extends Entity {
      id = '';
      static override process(
        input: object,
        parent: unknown,
        key?: string,
        args?: readonly unknown[],
      ): object {
        seen.push([(input as { id: unknown }).id, (parent as { id?: unknown }).id, key, args]); // every object below has an id
        return { ...input };
      }
    }
    class Parent extends Entity {
      id = '';
      static override schema = { only: Child, many: [Child], deep: { inner: Child, list: [[Child]] } };
    }
    const args = [{ page: 1 }];
    normalize(
      { id: '', top: Parent, children: [Child] },
      {
        id: 'plain',
        top: {
          id: 'p',
          only: { id: 'c1' },
          many: [{ id: 'c2' }],
          deep: { id: 'd', inner: { id: 'c3' }, list: [[{ id: 'c4' }]] },
        },
        children: [{ id: 'c5' }],
      },
      args,
    );
    expect(seen).toEqual([
      ['c1', 'p', 'only', args],
      ['c2', 'p', 'many', args],
      ['c3', 'd', 'inner', args],
      ['c4', 'd', 'list', args],
      ['c5', 'plain', 'children', args],
    ]);
  });

  it('process decides what is stored, the pk included', () => {
    class Renamed extends Entity {
      uid = '';
      override pk(): string {
        return this.uid;
      }
      static override process(input: { identifier: string }): object {
        return { uid: `x${input.identifier}`, via: 'process' };
      }
    }
    expect(tables([Renamed], [{ identifier: 'a', junk: 1 }])).toEqual({
      Renamed: { xa: { uid: 'xa', via: 'process' } },
    });
  });

  it('process sees the parent as processed, so that it may write the pk of the parent into the child', () => {
    class Comment extends Entity {
      id = '';
      article = '';
      static override process(input: object, parent: unknown): object {
        return { ...input, article: (parent as Thread).slug }; // only threads hold comments here
      }
    }
    class Thread extends Entity {
      slug = '';
      comments: Comment[] = [];
      override pk(): string {
        return this.slug;
      }
      static override schema = { comments: [Comment] };
      static override process(input: { title: string }): object {
        return { ...input, slug: input.title.toLowerCase() };
      }
    }
    const input = deepFreeze({ title: 'ONE', comments: [{ id: 'c1' }, { id: 'c2' }] });
    expect(tables(Thread, input)).toEqual({
      Thread: { one: { title: 'ONE', slug: 'one', comments: ['c1', 'c2'] } },
      Comment: { c1: { id: 'c1', article: 'one' }, c2: { id: 'c2', article: 'one' } },
    });
  });

  it.each([null, undefined, 'text', 5])('a process() that returns %p is an error', (returned) => {
    class Broken extends Entity {
      id = '';
      static override process(): unknown {
        return returned;
      }
    }
    expect(failure(Broken, { id: 1 })).toMatchObject({
      code: 'HF_PROCESS',
      message: expect.stringMatching(/Broken\.process\(\).*getArticle/),
    });
  });
});

describe('a response that is not of the shape of its schema', () => {
  it.each([
    [
      'a list where an entity is declared',
      ArticleWithRelations,
      [],
      'the response of getArticle',
      'Article',
      'a list of 0',
    ],
    [
      'a string where an entity is declared',
      ArticleWithRelations,
      '<html>',
      'the response of getArticle',
      'Article',
      '"<html>"',
    ],
    [
      'a number where an entity is declared',
      ArticleWithRelations,
      5,
      'the response of getArticle',
      'Article',
      'the number 5',
    ],
    [
      'an entity where a list is declared',
      [ArticleWithRelations],
      { id: 1 },
      'the response of getArticle',
      'a list',
      '{ id }',
    ],
    [
      'a string where a list is declared',
      [ArticleWithRelations],
      '<html>',
      'the response of getArticle',
      'a list',
      '"<html>"',
    ],
    [
      'a list where an object is declared',
      { data: [ArticleWithRelations] },
      [],
      'the response of getArticle',
      'data',
      'a list of 0',
    ],
    ['a string where an object is declared', { data: '' }, 'x', 'the response of getArticle', 'data', '"x"'],
    [
      'true for a nested entity',
      ArticleWithRelations,
      { id: 1, author: true },
      'author in',
      'User',
      'the boolean true',
    ],
    [
      'a list for a nested entity',
      ArticleWithRelations,
      { id: 1, author: [] },
      'author in',
      'User',
      'a list of 0',
    ],
    [
      'an object for a nested list',
      ArticleWithRelations,
      { id: 1, labels: {} },
      'labels in',
      'a list',
      'an object',
    ],
    [
      'a string where a collection is declared',
      new Collection([ArticleWithRelations]),
      '<html>',
      'the response of getArticle',
      'a list',
      '"<html>"',
    ],
    [
      'a string for a nested collection',
      { a: new Collection([ArticleWithRelations]) },
      { a: 'x' },
      'a in',
      'a list',
      '"x"',
    ],
    [
      'a list in a list',
      { a: [ArticleWithRelations] },
      { a: [{ id: 1 }, []] },
      'a[1] in',
      'Article',
      'a list of 0',
    ],
  ] as const)(
    'a response of another shape than its schema causes an error: %s',
    (_, schema, input, where, expected, arrived) => {
      const error = failure(schema, input);
      expect(error).toMatchObject({ code: 'HF_SHAPE' });
      const message = String(error);
      for (const part of ['getArticle', where, expected, arrived]) expect(message).toContain(part);
    },
  );

  it('the error shortens the response that it describes', () => {
    const error = failure(ArticleWithRelations, `<!doctype html>${'x'.repeat(100_000)}`);
    expect(String(error).length).toBeLessThan(400);
    expect(String(error)).toContain('<!doctype html>');
  });

  it.each([{}, { id: null }, { id: '' }, { id: NaN }, { id: 'undefined' }])(
    'an entity without pk causes an error: %p',
    (input) => {
      expect(failure(User, input)).toMatchObject({
        code: 'HF_PK_MISSING',
        message: expect.stringMatching(/the response of getArticle .*User/),
      });
      expect(
        failure({ data: [ArticleWithRelations] }, { data: [{ id: 1 }, { id: 2, author: input }] }),
      ).toMatchObject({
        code: 'HF_PK_MISSING',
        message: expect.stringMatching(/data\[1\]\.author in the response of getArticle .*User/),
      });
    },
  );

  it('the error names a class with neither id nor pk()', () => {
    class Nameless extends Entity {
      title = '';
    }
    expect(failure([Nameless], [{ title: 'x' }])).toMatchObject({ code: 'HF_PK_UNDEFINED' });
  });
});

describe('depth', () => {
  class Link extends Entity {
    id = '';
    static override schema: Readonly<Record<string, Schema>> = {};
  }
  Link.schema = { next: Link, list: [Link], box: { inner: Link } };

  function chain(length: number, wrap: (inner: object) => object): object {
    let link: object = { id: length - 1 };
    for (let id = length - 2; id >= 0; id--) link = { id, ...wrap(link) };
    return link;
  }

  it.each([
    ['fields', (next: object) => ({ next })],
    ['lists', (inner: object) => ({ list: [inner] })],
    ['plain objects', (inner: object) => ({ box: { inner } })],
  ])('a response may nest 1,000 entities through %s, and no more', (_, wrap) => {
    expect(normalize(Link, chain(1_000, wrap)).entities.get('Link')?.size).toBe(1_000);
    expect(failure(Link, chain(1_001, wrap))).toMatchObject({
      code: 'HF_TOO_DEEP',
      message: expect.stringContaining('getArticle'),
    });
  });

  it.each([
    ['lists', (inner: object) => ({ list: [inner] })],
    ['plain objects', (inner: object) => ({ box: { inner } })],
  ])('the depth limit does not depend on how much of the stack is left (%s)', (_, wrap) => {
    const response = chain(1_000, wrap);
    const below = <T>(frames: number, run: () => T): T => (frames === 0 ? run() : below(frames - 1, run));
    let fits = 1;
    try {
      for (; ; fits *= 1.1) below(Math.floor(fits), () => undefined);
    } catch {
      fits /= 1.1;
    }
    const found = below(Math.floor(fits * 0.8), () => normalize(Link, response).entities.get('Link'));
    expect(found?.size).toBe(1_000);
    expect(found?.get('999')?.value).toEqual({ id: 999 });
  });

  it('the error names the place of a problem far below', () => {
    const response = chain(100, (next) => ({ next })) as { next: { next: Record<string, unknown> } };
    let last: Record<string, unknown> = response;
    while (last['next'] !== undefined) last = last['next'] as Record<string, unknown>;
    last['list'] = 'none';
    const error = failure(Link, response);
    expect(error).toMatchObject({ code: 'HF_SHAPE' });
    expect(String(error)).toContain('next.next.next.next.next.next … .next.next.next.next.next.list in the');
  });

  it('the depth limit counts levels, not entities', () => {
    const wide = { id: 'root', list: Array.from({ length: 3_000 }, (_, id) => ({ id })) };
    expect(normalize(Link, wide).entities.get('Link')?.size).toBe(3_001);
  });

  it('a circular response is normalized, at whatever distance', () => {
    const input: Record<string, unknown> = { id: 1 };
    input['next'] = input;
    expect(tables(Link, input)).toEqual({ Link: { 1: { id: 1, next: '1' } } });
    const ring = chain(40, (next) => ({ next })) as { id: number; next?: object };
    let last: typeof ring = ring;
    while (last.next !== undefined) last = last.next as typeof ring;
    last.next = ring;
    const { result, entities } = normalize([Link], [ring]);
    expect(result).toEqual(['0']);
    expect(entities.get('Link')?.size).toBe(40);
    expect(entities.get('Link')?.get('39')?.value).toEqual({ id: 39, next: '0' });
  });

  it('a fully connected graph is normalized, and each object merged once', () => {
    let merged = 0;
    class Friend extends Entity {
      id = 0;
      static override key = 'Friend';
      static override schema: Record<string, Schema> = {};
      static override merge(existing: EntityValue, incoming: EntityValue) {
        merged += 1;
        return { ...existing, ...incoming };
      }
    }
    Friend.schema = { friends: [Friend] };
    const all = Array.from({ length: 20 }, (_, id) => ({ id, friends: [] as object[] }));
    for (const friend of all) friend.friends = all;
    const { entities } = normalize([Friend], all);
    expect(entities.get('Friend')?.size).toBe(20);
    expect(entities.get('Friend')?.get('7')?.value).toEqual({
      id: 7,
      friends: all.map(({ id }) => String(id)),
    });
    expect(merged).toBe(0);
  });
});

describe('a list schema with several members', () => {
  it('a list schema with several members logs a warning, because only the first is used', () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    class Cat extends Entity {
      id = '';
    }
    class Dog extends Entity {
      id = '';
    }
    const schema = [Cat, Dog];
    for (let time = 0; time < 2; time++) normalize(schema, [{ id: 'a' }], [], 'getPets');
    new Collection([Cat, Dog]);
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(/getPets.*new Union.*HF_LIST_SCHEMA/s)],
      [expect.stringMatching(/Collection.*HF_LIST_SCHEMA/s)],
    ]);
    warned.mockRestore();
  });
});

it('a field whose default is an entity, but which the schema lacks, is warned about once', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  class Author extends Entity {
    id = '';
  }
  class Post extends Entity {
    id = '';
    author = Author.fromJS();
    editor = Author.fromJS();
    static override schema = { auhtor: Author, editor: Author };
  }
  const post = { id: 'p', author: { id: 'a' }, editor: { id: 'b' } };
  normalize(Post, post);
  normalize(Post, post);
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(
        /Post\.author is an entity by default.*only auhtor, editor; add \{ author: Author \} \(HF_SCHEMA_FIELD\)/,
      ),
    ],
  ]);
  warned.mockRestore();
});

describe('a schema that is undefined, as in a circular import', () => {
  const error = (what: RegExp): unknown =>
    expect.objectContaining({
      code: 'HF_SCHEMA_UNDEFINED',
      message: expect.stringMatching(new RegExp(`${what.source}.*circular imports`)),
    });

  it('a field of an entity whose schema is undefined is an error until it is assigned', () => {
    class Author extends Entity {
      id = '';
    }
    class Post extends Entity {
      id = '';
      author = Author.fromJS();
      static override schema: Record<string, Schema> = { author: undefined };
    }
    const post = { id: 'p', author: { id: 'a' } };
    expect(() => normalize(Post, post)).toThrow(error(/schema\.author of Post is undefined/));
    Post.schema = { author: null };
    expect(() => normalize(Post, post)).not.toThrow();
    Post.schema = { author: Author };
    expect(normalize(Post, post).entities.get('Author')?.size).toBe(1);
  });

  it('a list whose schema is undefined is an error', () => {
    expect(() => normalize([undefined], [{ id: 'p' }], [], 'getPosts')).toThrow(
      error(/getPosts, the schema of a list/),
    );
    expect(() => new Collection([undefined])).toThrow(error(/members of a Collection/));
  });

  it('a member of an object whose schema is undefined is an error', () => {
    const respond = (): unknown => normalize({ data: undefined }, { data: { id: 'p' } }, [], 'getPost');
    expect(respond).toThrow(error(/endpoint schema of getPost, data is undefined/));
  });

  // As a module of an import cycle gets it.
  const absent = undefined as unknown as typeof User;

  it.each([
    ['Values', () => new Values(absent)],
    ['Lazy', () => new Lazy(absent)],
    ['All', () => new All(absent)],
    ['Query', () => new Query(absent, (user) => user)],
    ['QueryEach', () => new QueryEach(absent as unknown as (typeof User)[], (user) => user)],
    ['Select', () => new Select(absent)],
    ['Aggregate', () => new Aggregate(absent, { count: true } as never)],
    ['Delete', () => new Delete(absent)],
    ['ArraySchema', () => new ArraySchema(absent)],
    ['Collection', () => new Collection(absent as unknown as (typeof User)[])],
    ['Union', () => new Union({ user: absent }, () => 'user')],
  ])('%s throws where it is created with a schema that is undefined', (_name, create) => {
    expect(create).toThrow(error(/ is undefined/));
  });
});
