import { describe, expect, it } from '@jest/globals';
import {
  All,
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  ExpiryStatus,
  Values,
  type Commit,
} from 'holdfast';
import { Held, settled, StatusError } from '../../support/held.ts';
import { User } from '../../support/entities.ts';

class ArticleWithTags extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  tags: string[] = [];
  static override key = 'Article';
  static override schema = { author: User };
}

interface Params {
  readonly id: number;
}

const get = new Endpoint(async ({ id }: Params): Promise<unknown> => ({ id, title: 'fetched' }), {
  name: 'get',
  schema: ArticleWithTags,
});
const getList = new Endpoint(async (): Promise<unknown> => [], {
  name: 'getList',
  schema: [ArticleWithTags],
});
const remove = new Endpoint(async ({ id }: Params) => ({ id }), {
  name: 'remove',
  schema: new Delete(ArticleWithTags),
  sideEffect: true,
});
const one = { id: 1, title: 'one', author: { id: 'u', name: 'Ann' }, tags: ['a'] };

function filled(options: ConstructorParameters<typeof Controller>[0] = {}): Controller {
  const controller = new Controller(options);
  controller.setResponse(getList, [one, { id: 2, title: 'two' }]);
  return controller;
}

function rowOf(controller: Controller, table: string, pk: string): unknown {
  return controller.getState().tables[table]?.get(pk)?.value;
}

describe('set with fields', () => {
  it('set merges fields into the entity at once', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, { title: 'uno' });
    expect(controller.get(ArticleWithTags, { id: 1 })).toMatchObject({ id: 1, title: 'uno', tags: ['a'] });
    expect(controller.getResponse(getList).data?.[0]?.title).toBe('uno');
  });

  it('set takes the pk itself for args', () => {
    const controller = filled();
    controller.set(ArticleWithTags, 1, { title: 'by number' });
    expect(controller.get(ArticleWithTags, '1')?.title).toBe('by number');
  });

  it('set creates a missing row, with the fields that the args contain', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 7 }, { title: 'seven' });
    expect(controller.get(ArticleWithTags, { id: 7 })).toMatchObject({ id: 7, title: 'seven' });
    controller.set(ArticleWithTags, 8, { title: 'eight' });
    expect(controller.get(ArticleWithTags, 8)).toMatchObject({ id: 8, title: 'eight' });
  });

  it('set normalizes nested entities', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, { author: { id: 'b', name: 'Bob' } });
    expect(rowOf(controller, 'Article', '1')).toMatchObject({ author: 'b' });
    expect(controller.get(ArticleWithTags, { id: 1 })?.author).toBe(controller.get(User, { id: 'b' }));
  });

  it('set restores a deleted entity', async () => {
    const controller = filled();
    await controller.fetch(remove, { id: 1 });
    expect(controller.get(ArticleWithTags, { id: 1 })).toBeUndefined();
    controller.set(ArticleWithTags, { id: 1 }, { id: '1', title: 'again' });
    expect(controller.get(ArticleWithTags, { id: 1 })).toMatchObject({ title: 'again', tags: [] });
  });

  it('set writes an entity that was read, so that it undoes a change and a deletion', () => {
    const controller = new Controller();
    const author = { id: 'u', name: 'Ann' };
    controller.set(ArticleWithTags, { id: '1' }, { id: '1', title: 'before', author });
    const before = controller.get(ArticleWithTags, { id: '1' })!;
    controller.set(ArticleWithTags, { id: '1' }, { title: 'after' });
    controller.set(ArticleWithTags, { id: '1' }, before);
    expect(controller.get(ArticleWithTags, { id: '1' })).toEqual(before);
    controller.setResponse(remove, { id: 1 }, { id: 1 });
    controller.set(ArticleWithTags, { id: '1' }, before);
    expect(controller.get(ArticleWithTags, { id: '1' })).toEqual(before);

    const other = new Controller();
    other.set(ArticleWithTags, { id: '1' }, before);
    expect(other.get(ArticleWithTags, { id: '1' })?.title).toBe('before');
  });

  it('set copies its value: changing it later changes nothing', () => {
    const controller = filled();
    const fields = { tags: ['x'] };
    controller.set(ArticleWithTags, { id: 1 }, fields);
    fields.tags.push('y');
    expect(controller.get(ArticleWithTags, { id: 1 })?.tags).toEqual(['x']);
  });

  it.each([[{}], [{ title: 'one' }], [null], [undefined], ['']])(
    'set refuses args that name nothing: %j',
    (args) => {
      expect(() => filled().set(ArticleWithTags, args, { title: 'x' })).toThrow(
        expect.objectContaining({ code: 'HF_NOT_QUERYABLE', message: expect.stringContaining('Article') }),
      );
    },
  );

  it('set refuses fields that name another entity than the args', () => {
    const controller = filled();
    expect(() => controller.set(ArticleWithTags, { id: 1 }, { id: '2', title: 'x' })).toThrow(
      expect.objectContaining({ code: 'HF_NOT_QUERYABLE' }),
    );
    expect(controller.get(ArticleWithTags, { id: 2 })?.title).toBe('two');
  });
});

describe('set with a recipe', () => {
  it('a recipe receives the stored row as a draft', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, (draft) => {
      expect(draft.author).toBe('u');
      draft.title = 'uno';
      draft.tags?.push('b');
    });
    expect(controller.get(ArticleWithTags, { id: 1 })).toMatchObject({ title: 'uno', tags: ['a', 'b'] });
    expect(controller.get(ArticleWithTags, { id: 1 })?.author?.name).toBe('Ann');
  });

  it('a recipe may return a new row, which replaces the old one', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, () => ({ id: '1', title: 'new' }));
    expect(rowOf(controller, 'Article', '1')).toEqual({ id: '1', title: 'new' });
  });

  it('a recipe may delete a field', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, (draft) => {
      delete draft.tags;
    });
    expect(rowOf(controller, 'Article', '1')).toEqual({ id: 1, title: 'one', author: 'u' });
  });

  it('set normalizes an entity that a recipe assigned', () => {
    const controller = filled();
    controller.set(ArticleWithTags, { id: 1 }, (draft) => {
      draft.author = User.fromJS({ id: 'c', name: 'Cid' });
    });
    expect(controller.get(User, { id: 'c' })?.name).toBe('Cid');
    expect(controller.get(ArticleWithTags, { id: 1 })?.author?.name).toBe('Cid');
  });

  it('a recipe that changes nothing writes nothing', () => {
    const controller = filled();
    const state = controller.getState();
    const article = controller.get(ArticleWithTags, { id: 1 });
    controller.set(ArticleWithTags, { id: 1 }, () => undefined);
    controller.set(ArticleWithTags, { id: 1 }, (draft) => {
      draft.title = 'one';
    });
    expect(controller.getState()).toBe(state);
    expect(controller.get(ArticleWithTags, { id: 1 })).toBe(article);
  });

  it('a recipe that throws changes nothing', () => {
    const controller = filled();
    expect(() =>
      controller.set(ArticleWithTags, { id: 1 }, (draft) => {
        draft.title = 'lost';
        throw new Error('Refused');
      }),
    ).toThrow('Refused');
    expect(controller.get(ArticleWithTags, { id: 1 })?.title).toBe('one');
  });

  it.each([5, 'text', [[]]])('a recipe may not return what is no row: %j', (returned) => {
    const controller = filled();
    // A user of plain JavaScript may well return the wrong thing.
    const recipe = (() => returned) as unknown as () => undefined;
    expect(() => controller.set(ArticleWithTags, { id: 1 }, recipe)).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
    expect(controller.get(ArticleWithTags, { id: 1 })?.title).toBe('one');
  });

  it('neither a value nor what a recipe returns may be a promise, which would replace the row', () => {
    class Settings extends Entity {
      theme = 'light';
      static override key = 'Settings';
      override pk() {
        return 'mine';
      }
    }
    const controller = new Controller();
    controller.set(Settings, {}, { theme: 'dark' });
    // As JavaScript passes them: an async recipe, and a value without `await`.
    const recipe = (async () => Promise.resolve()) as unknown as () => undefined;
    const value = Promise.resolve({ theme: 'none' }) as object;
    expect(() => controller.set(Settings, {}, recipe)).toThrow('the recipe returned a promise');
    expect(() => controller.set(Settings, {}, value)).toThrow('it was given a promise');
    expect(controller.get(Settings, {})?.theme).toBe('dark');
  });

  it('a recipe may not change the pk of the entity', () => {
    const controller = filled();
    const change = () =>
      controller.set(ArticleWithTags, { id: 1 }, (draft) => {
        draft.id = '2';
      });
    expect(change).toThrow(expect.objectContaining({ code: 'HF_NOT_QUERYABLE' }));
    expect(controller.getResponse(getList).data?.map(({ title }) => title)).toEqual(['one', 'two']);
  });

  it('set with a recipe refuses an entity that is not stored, or was deleted', async () => {
    const controller = filled();
    await controller.fetch(remove, { id: 1 });
    for (const id of [1, 99]) {
      expect(() => controller.set(ArticleWithTags, { id }, () => undefined)).toThrow(
        expect.objectContaining({ code: 'HF_ROW_MISSING', message: expect.stringContaining(`"${id}"`) }),
      );
    }
  });
});

describe('set of a collection', () => {
  const Articles = new Collection([ArticleWithTags]);
  const getArticles = new Endpoint((_: { tag: string }): Promise<unknown> => Promise.resolve([]), {
    name: 'getArticles',
    schema: Articles,
  });
  const titles = (controller: Controller, tag: string) =>
    controller.getResponse(getArticles, { tag }).data?.map(({ title }) => title);

  it('set of a collection replaces its members for all readers', () => {
    const controller = filled();
    controller.set(Articles, { tag: 'a' }, [
      { id: '1', title: 'uno' },
      { id: '3', title: 'three' },
    ]);
    expect(titles(controller, 'a')).toEqual(['uno', 'three']);
    expect(titles(controller, 'b')).toBeUndefined();
    expect(controller.get(Articles, { tag: 'a' })?.[0]).toBe(controller.get(ArticleWithTags, { id: 1 }));
    expect(controller.getResponse(getList).data?.[0]?.title).toBe('uno');
  });

  it('set of a collection takes a function of the present members', () => {
    const controller = filled();
    controller.set(Articles, { tag: 'a' }, (present) => [...(present ?? []), { id: '5', title: 'five' }]);
    controller.set(Articles, { tag: 'a' }, (present) => [{ id: '4', title: 'four' }, ...(present ?? [])]);
    expect(titles(controller, 'a')).toEqual(['four', 'five']);
  });

  it('set of a collection is refused when the args name nothing', () => {
    const controller = filled();
    const refused = expect.objectContaining({ code: 'HF_NOT_QUERYABLE' });
    // @ts-expect-error: only entities and collections can be set
    expect(() => controller.set(new All(ArticleWithTags), [{ id: 9 }])).toThrow(refused);
    const nested = new Collection([ArticleWithTags], { nestKey: (parent) => parent });
    expect(() => controller.set(nested, { id: 1 }, [{ id: '9' }])).toThrow(refused);
    // @ts-expect-error: an endpoint is set by setResponse
    expect(() => controller.set(get, { id: 1 }, { id: 1 })).toThrow(refused);
    expect(controller.get(ArticleWithTags, { id: 9 })).toBeUndefined();
  });
});

describe('an endpoint in place of a schema', () => {
  it('an endpoint in place of a schema is refused by types, and in development', () => {
    const controller = filled();
    // @ts-expect-error: an endpoint is read by getResponse
    expect(() => controller.get(get, { id: 1 })).toThrow(
      expect.objectContaining({ code: 'HF_NOT_QUERYABLE' }),
    );
    // @ts-expect-error: the endpoint has no such args
    controller.watch(get, { ident: 1 }, () => undefined)();
  });
});

describe('setResponse', () => {
  it('setResponse writes like a network response', () => {
    const controller = new Controller({ now: () => 1_000 });
    controller.setResponse(get, { id: 5 }, { id: 5, title: 'five' });
    expect(controller.getResponse(get, { id: 5 })).toMatchObject({
      data: { id: 5, title: 'five' },
      expiryStatus: ExpiryStatus.Valid,
      expiresAt: 61_000,
    });
    expect(controller.fetchIfStale(get, { id: 5 })).toBe(controller.get(ArticleWithTags, { id: 5 }));
  });

  it('setResponse of a mutation changes rows only', () => {
    const controller = filled();
    controller.setResponse(remove, { id: 1 }, { id: 1 });
    expect(controller.get(ArticleWithTags, { id: 1 })).toBeUndefined();
    expect([...controller.getState().results.entries()]).toHaveLength(1);
  });

  it('setResponse refuses a response of another shape', () => {
    const controller = filled();
    expect(() => controller.setResponse(getList, { not: 'a list' })).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE', message: expect.stringContaining('getList') }),
    );
    expect(controller.getResponse(getList).data).toHaveLength(2);
  });
});

describe('invalidate', () => {
  it('an invalidated read shows nothing until it is fetched again', async () => {
    const controller = filled();
    controller.invalidate(getList);
    expect(controller.getResponse(getList)).toMatchObject({
      data: undefined,
      expiryStatus: ExpiryStatus.Invalid,
    });
    expect(controller.view(getList, []).shouldLoad).toBe(true);
    // The entities are none of its business.
    expect(controller.get(ArticleWithTags, { id: 1 })?.title).toBe('one');
    await controller.fetch(getList);
    expect(controller.getResponse(getList).data).toEqual([]);
  });

  it('invalidate notifies watchers', () => {
    const controller = filled();
    const seen: unknown[] = [];
    controller.watch(getList, (list) => seen.push(list));
    controller.invalidate(getList);
    expect(seen).toEqual([undefined]);
  });

  it('invalidate affects a read that is served from rows, and one that was never requested', () => {
    const controller = filled();
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
    controller.invalidate(get, { id: 1 });
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
    controller.invalidate(get, { id: 2 });
    expect(controller.getResponse(get, { id: 2 }).data).toBeUndefined();
  });

  it('a request in flight during an invalidation is outdated, and a new read fetches again', async () => {
    const held = new Held();
    const slow = new Endpoint(() => held.fetch(), { name: 'slow', schema: [ArticleWithTags] });
    const controller = new Controller();
    const early = controller.fetch(slow);
    await settled();
    controller.invalidate(slow);
    const late = controller.fetch(slow);
    await settled();
    expect(held.calls).toHaveLength(2);
    held.call(0).resolve([{ id: 1, title: 'early' }]);
    expect((await early).map(({ title }) => title)).toEqual(['early']);
    expect(controller.getResponse(slow).data).toBeUndefined();
    held.call(1).resolve([{ id: 2, title: 'late' }]);
    await late;
    expect(controller.getResponse(slow).data?.map(({ title }) => title)).toEqual(['late']);
  });

  it('invalidate with null args does nothing', () => {
    const controller = filled();
    const state = controller.getState();
    controller.invalidate(get, null);
    expect(controller.getState()).toBe(state);
  });
});

describe('invalidateAll and expireAll', () => {
  const other = new Endpoint(async (): Promise<unknown> => 1, { name: 'getListOther' });
  const everything = { testKey: () => true };

  it('invalidateAll and expireAll affect the results whose keys pass the test', () => {
    const controller = filled();
    controller.setResponse(other, 1);
    controller.setResponse(get, { id: 1 }, one);
    controller.invalidateAll(getList);
    expect(controller.getResponse(getList).data).toBeUndefined();
    expect(controller.getResponse(other).data).toBe(1);
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
    controller.invalidateAll(everything);
    expect(controller.getResponse(other).data).toBeUndefined();
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
  });

  it('expireAll makes results stale, and invalidateAll makes them invalid', () => {
    const controller = filled();
    const list = controller.getResponse(getList).data;
    controller.expireAll(getList);
    expect(controller.getResponse(getList)).toMatchObject({ expiryStatus: ExpiryStatus.Valid, expiresAt: 0 });
    expect(controller.getResponse(getList).data).toBe(list);
    expect(controller.view(getList, []).shouldLoad).toBe(true);
    controller.invalidateAll(getList);
    expect(controller.getResponse(getList)).toMatchObject({ expiryStatus: ExpiryStatus.Invalid });
  });

  it('invalidateAll outdates a request in flight, and expireAll does not', async () => {
    const held = new Held();
    const slow = new Endpoint(() => held.fetch(), { name: 'slow' });
    const controller = new Controller();
    controller.setResponse(slow, 0);
    const expired = controller.fetch(slow);
    await settled();
    controller.expireAll(slow);
    held.call(0).resolve(1);
    await expired;
    expect(controller.getResponse(slow).data).toBe(1);
    const invalidated = controller.fetch(slow);
    await settled();
    controller.invalidateAll(slow);
    held.call(1).resolve(2);
    await invalidated;
    expect(controller.getResponse(slow).data).toBeUndefined();
  });

  it('expireAll leaves the first request of a mounted read alone, whether it succeeds or fails', async () => {
    const held = new Held();
    const slow = new Endpoint((id: number) => held.fetch(id), { name: 'slow' });
    const controller = new Controller();
    for (const id of [1, 2]) {
      controller.watch(slow, id, () => undefined);
      controller.fetch(slow, id).catch(() => undefined);
    }
    await settled();
    controller.expireAll(slow);
    held.call(0).resolve('read');
    held.call(1).reject(new StatusError(404));
    await settled();
    expect(controller.getResponse(slow, 1).data).toBe('read');
    expect(controller.getError(slow, 2)).toBeInstanceOf(StatusError);
  });

  it('invalidate also affects a first request: a later read does not join it', async () => {
    const held = new Held();
    const slow = new Endpoint(() => held.fetch(), { name: 'slow', schema: ArticleWithTags });
    const controller = new Controller();
    const before = controller.fetch(slow);
    await settled();
    controller.invalidateAll(slow);
    const after = controller.fetch(slow);
    await settled();
    held.call(1).resolve({ ...one, title: 'new' });
    expect((await after).title).toBe('new');
    held.call(0).resolve({ ...one, title: 'old' });
    expect((await before).title).toBe('new');
    expect(held.calls).toHaveLength(2);
  });

  it('invalidateAll and expireAll affect a watched read that is served from rows', () => {
    const controller = filled();
    const seen: unknown[] = [];
    controller.watch(get, { id: 1 }, (article) => seen.push(article));
    controller.expireAll(get);
    expect(controller.view(get, [{ id: 1 }]).shouldLoad).toBe(true);
    expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('one');
    controller.invalidateAll(get);
    expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
    expect(seen).toEqual([undefined]);
  });

  it.each(['expireAll', 'invalidateAll'] as const)(
    '%s makes reads stale that rows answer and nobody has read yet, until the rows are received again',
    (change) => {
      const controller = filled();
      controller[change](get);
      expect(controller.getResponse(get, { id: 1 })).toMatchObject({ data: { title: 'one' }, expiresAt: 0 });
      expect(controller.view(get, [{ id: 1 }]).shouldLoad).toBe(true);
      expect(controller.view(getList, []).shouldLoad).toBe(false);
      controller.setResponse(getList, [one]);
      expect(controller.view(get, [{ id: 1 }]).shouldLoad).toBe(false);
    },
  );

  it('invalidateAll and expireAll clear an error, so that the read is requested again', () => {
    const controller = filled();
    controller.setError(other, new Error('Down'));
    controller.expireAll(other);
    expect(controller.view(other, []).error).toBeUndefined();
    expect(controller.view(other, []).shouldLoad).toBe(true);
  });
});

describe('batch', () => {
  it('a batch makes one commit and one notification, and is readable while it runs', () => {
    const commits: Commit[] = [];
    const controller = filled({ plugins: [{ name: 'log', commit: (commit) => void commits.push(commit) }] });
    commits.length = 0;
    const seen: unknown[] = [];
    controller.watch(getList, (list) => seen.push(list?.map(({ title }) => title)));
    const returned = controller.batch(() => {
      controller.set(ArticleWithTags, { id: 1 }, { title: 'uno' });
      expect(controller.get(ArticleWithTags, { id: 1 })?.title).toBe('uno');
      controller.set(ArticleWithTags, { id: 2 }, { title: 'due' });
      expect(controller.getResponse(getList).data?.map(({ title }) => title)).toEqual(['uno', 'due']);
      controller.set(ArticleWithTags, { id: 1 }, { title: 'eins' });
      return 'value';
    });
    expect(returned).toBe('value');
    expect(seen).toEqual([['eins', 'due']]);
    expect(commits.map(({ action }) => action.type)).toEqual(['batch']);
  });

  it('a batch that throws keeps its earlier writes and notifies of them', () => {
    const controller = filled();
    let told = 0;
    controller.watch(ArticleWithTags, { id: 1 }, () => (told += 1));
    expect(() =>
      controller.batch(() => {
        controller.set(ArticleWithTags, { id: 1 }, { title: 'uno' });
        throw new Error('Refused');
      }),
    ).toThrow('Refused');
    expect(controller.get(ArticleWithTags, { id: 1 })?.title).toBe('uno');
    expect(told).toBe(1);
  });
});

describe('reads without a read', () => {
  it('reads with null args have no data and fetch nothing', () => {
    // Keys are made of the args, which null does not have.
    const strict = get.extend({ key: ({ id }: Params) => `strict ${id}` });
    const controller = filled();
    expect(controller.getResponse(strict, null)).toMatchObject({ data: undefined, refreshing: false });
    expect(controller.getError(strict, null)).toBeUndefined();
    controller.invalidate(strict, null);
  });
});

describe('set() of a stored row with the args that name it', () => {
  class Member extends Entity {
    id = '';
    teamId = '';
    static override key = 'MemberOfTeam';
    static override process(input: object, parent: unknown) {
      return { ...input, teamId: (parent as { readonly id?: unknown }).id };
    }
  }
  class Job extends Entity {
    id = '';
    static override key = 'JobOfTeam';
  }
  class Team extends Entity {
    id = '';
    slug = '';
    lead = Member.fromJS();
    jobs: readonly Job[] = [];
    static override key = 'TeamWithNested';
    static override indexes = ['slug'] as const;
    static override schema = {
      lead: Member,
      jobs: new Collection([Job], { nestKey: ({ id }: { readonly id?: string }) => ({ team: id }) }),
    };
  }
  const teams = (): Controller => {
    const controller = new Controller();
    controller.set(
      [Team],
      [
        { id: '1', slug: 'red', jobs: [] },
        { id: '2', slug: 'blue', jobs: [] },
      ],
    );
    return controller;
  };

  it.each([
    ['the pk', [{ id: '1' }], [{ id: '2' }]],
    ['the pk alone', ['1'], ['2']],
    ['a number', [{ id: 1 }], [{ id: 2 }]],
    ['an index', [{ slug: 'red' }], [{ slug: 'blue' }]],
  ] as const)(
    'what a value contains is processed with the pk of its row, which is named by %s',
    (_, one, two) => {
      const controller = teams();
      controller.set(Team, ...(one as [never]), { lead: { id: 'a' }, jobs: [Job.fromJS({ id: 'j1' })] });
      controller.set(Team, ...(two as [never]), { lead: { id: 'b' }, jobs: [Job.fromJS({ id: 'j2' })] });
      expect(controller.get(Member, { id: 'a' })?.teamId).toBe('1');
      expect(controller.get(Member, { id: 'b' })?.teamId).toBe('2');
      expect(controller.get(Team, { id: '1' })).toMatchObject({ id: '1', slug: 'red', jobs: [{ id: 'j1' }] });
      expect(controller.get(Team, { id: '2' })).toMatchObject({
        id: '2',
        slug: 'blue',
        jobs: [{ id: 'j2' }],
      });
    },
  );
});

describe('values that are no fields', () => {
  const map = new Values(ArticleWithTags);
  const values: [string, () => unknown][] = [
    ['a promise', () => Promise.resolve({})],
    ['a Map', () => new Map([['a', { id: 2 }]])],
  ];

  it.each(values)('%s empties neither a map nor an object of schemas', (_, value) => {
    const shape = expect.objectContaining({ code: 'HF_SHAPE' });
    const controller = new Controller();
    const collection = new Collection(map);
    const getAll = new Endpoint(() => Promise.resolve({}), { name: 'getAll', schema: { data: map } });
    controller.set(collection, { by: 'a' }, { a: { id: '1' } });
    controller.setResponse(getAll, { data: { a: { id: 1 } } });
    expect(() => controller.set(collection, { by: 'a' }, value() as never)).toThrow(shape);
    expect(() => controller.setResponse(getAll, value() as never)).toThrow(shape);
    expect(Object.keys(controller.get(collection, { by: 'a' }) ?? {})).toEqual(['a']);
    expect(Object.keys(controller.getResponse(getAll).data?.data ?? {})).toEqual(['a']);
  });

  it.each([
    ['a promise', Promise.resolve(2)],
    ['a function', (count: number): number => count + 1],
  ])('setResponse of %s leaves the result of an endpoint without a schema', (_, value) => {
    const controller = new Controller();
    const count = new Endpoint(() => Promise.resolve(1), { name: 'count' });
    controller.setResponse(count, 1);
    expect(() => controller.setResponse(count, value as never)).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
    expect(controller.getResponse(count).data).toBe(1);
  });

  it.each([null, undefined])('setResponse of %p leaves a list', (value) => {
    const controller = new Controller();
    const getList = new Endpoint(() => Promise.resolve([]), { name: 'getList', schema: [ArticleWithTags] });
    controller.setResponse(getList, [{ id: 1 }]);
    expect(() => controller.setResponse(getList, value as never)).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
    expect(controller.getResponse(getList).data).toMatchObject([{ id: 1 }]);
  });
});
