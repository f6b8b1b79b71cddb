import { describe, expect, it } from '@jest/globals';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Lazy,
  Union,
  validateRequired,
  Values,
  type EntityValue,
  type Schema,
} from 'holdfast';
import { Summary, Tag, User } from '../support/entities.ts';

class ArticleWithAllRelations extends Summary {
  author = User.fromJS();
  tags: Tag[] = [];
  reviewer: User | null = null;
  byRole: Record<string, User> = {};
  cover: User | Tag | undefined = undefined;
  static override schema: Record<string, Schema> = {
    author: User,
    tags: [Tag],
    reviewer: User,
    byRole: new Values(User),
    cover: new Union({ user: User, tag: Tag }, ({ type }) => type),
  };
}

const respond = async (value: unknown): Promise<unknown> => value;
const getList = new Endpoint(respond, { name: 'getList', key: () => 'list', schema: [Summary] });
const getArticle = new Endpoint(respond, {
  name: 'getArticle',
  key: () => 'detail',
  schema: ArticleWithAllRelations,
});
const getUser = new Endpoint(respond, { name: 'getUser', key: () => 'user', schema: User });

const ann = { id: 'u', name: 'Ann' };
const eve = { id: 'v', name: 'Eve' };
const red = { id: 'r', label: 'red' };
const row = (controller: Controller, pk = '1', table = 'Article'): EntityValue | undefined =>
  controller.getState().tables[table]?.get(pk)?.value;

/** Resolves after watchers were notified of changes of the current task. */
const notified = (): Promise<void> => Promise.resolve();

describe('a summary that embeds what only the detail class declares', () => {
  it('a summary leaves the relation of a stored detail unchanged', async () => {
    const controller = new Controller();
    await controller.fetch(getArticle, { id: '1', title: 'One', author: ann, tags: [red] });
    await controller.fetch(getList, [
      { id: '1', title: 'Two', author: { ...ann, name: 'Anna' }, tags: [red] },
    ]);
    const article = controller.get(ArticleWithAllRelations, { id: '1' });
    expect(article?.title).toBe('Two');
    expect(article?.author).toBe(controller.get(User, { id: 'u' }));
    expect(article?.author.name).toBe('Anna');
    expect(article?.tags).toEqual([Tag.fromJS(red)]);
    expect(row(controller)).toMatchObject({ author: 'u', tags: ['r'] });
  });

  it.each([
    ['one entity', { author: ann }, (article?: ArticleWithAllRelations) => article?.author.name, 'Ann'],
    [
      'a list',
      { author: ann, tags: [red] },
      (article?: ArticleWithAllRelations) => article?.tags[0]?.label,
      'red',
    ],
    [
      'a long list',
      { author: ann, tags: Array.from({ length: 40 }, (_, id) => ({ id, label: String(id) })) },
      (article?: ArticleWithAllRelations) => article?.tags.map(({ label }) => label).join(),
      Array.from({ length: 40 }, (_, id) => id).join(),
    ],
    [
      'one that may be null',
      { author: ann, reviewer: eve },
      (article?: ArticleWithAllRelations) => article?.reviewer?.name,
      'Eve',
    ],
    [
      'a map',
      { author: ann, byRole: { lead: eve } },
      (article?: ArticleWithAllRelations) => article?.byRole['lead']?.name,
      'Eve',
    ],
    [
      'a union',
      { author: ann, cover: { ...red, type: 'tag' } },
      (article?: ArticleWithAllRelations) =>
        article?.cover instanceof Tag ? article.cover.label : undefined,
      'red',
    ],
    [
      'a pk that is a number',
      { author: { id: 5, name: 'Five' }, reviewer: 5 },
      (article?: ArticleWithAllRelations) => article?.reviewer?.name,
      'Five',
    ],
  ])(
    'the embedded value is read as %s by a detail class that is registered later',
    async (_, fields, read, expected) => {
      const controller = new Controller();
      await controller.fetch(getList, [{ id: '1', title: 'One', ...fields }]);
      const article = controller.get(ArticleWithAllRelations, { id: '1' });
      expect(read(article)).toBe(expected);
      expect(controller.get(ArticleWithAllRelations, { id: '1' })).toBe(article);
      expect(article?.author).toBe(controller.get(User, { id: article?.author.id }));
      await notified();
      expect(controller.get(ArticleWithAllRelations, { id: '1' })).toBe(article);
    },
  );

  it('reading the detail notifies watchers of its relation only in a later task', async () => {
    const controller = new Controller();
    await controller.fetch(getUser, { id: 'u', name: 'Old' });
    await controller.fetch(getList, [{ id: '1', title: 'One', author: ann }]);
    const names: (string | undefined)[] = [];
    controller.watch(User, { id: 'u' }, () => names.push(controller.get(User, { id: 'u' })?.name));
    expect(controller.get(ArticleWithAllRelations, { id: '1' })?.author.name).toBe('Ann');
    expect(names).toEqual([]);
    await notified();
    expect(names).toEqual(['Ann']);
  });

  it('an embedded relation has the age of its summary, even if its row has changed since', async () => {
    const controller = new Controller();
    await controller.fetch(getList, [{ id: '1', title: 'One', author: ann }]);
    controller.set(User, { id: 'u' }, { name: 'Newer' });
    controller.set(Summary, { id: '1' }, { title: 'Two' });
    expect(controller.get(ArticleWithAllRelations, { id: '1' })).toMatchObject({
      title: 'Two',
      author: { name: 'Newer' },
    });
  });

  it('an embedded relation of a newer summary replaces older values', async () => {
    const controller = new Controller();
    controller.set(User, { id: 'u' }, { id: 'u', name: 'Older' });
    await controller.fetch(getList, [{ id: '1', title: 'One', author: ann }]);
    controller.set(Summary, { id: '1' }, { title: 'Two' });
    expect(controller.get(ArticleWithAllRelations, { id: '1' })?.author.name).toBe('Ann');
    expect(controller.get(User, { id: 'u' })?.name).toBe('Ann');
  });

  it.each([
    ['a partial object without a pk', { author: { name: 'Who' } }],
    ['a count where the detail has a list', { tags: 3 }],
    ['a list of which one member has no pk', { tags: [red, { label: 'blue' }] }],
  ])('%s in a summary does not remove a relation', async (_, fields) => {
    const controller = new Controller();
    const detail = { id: '1', title: 'One', author: ann, tags: [red] };
    await controller.fetch(getArticle, detail);
    const [summary] = await controller.fetch(getList, [{ id: '1', title: 'Two', ...fields }]);
    expect(summary?.title).toBe('Two');
    expect(controller.get(ArticleWithAllRelations, { id: '1' })).toMatchObject({ ...detail, title: 'Two' });
  });

  it('an embedded value that cannot be a relation is stored as it arrived if no relation is stored', async () => {
    const controller = new Controller();
    controller.get(ArticleWithAllRelations, { id: '1' });
    await controller.fetch(getList, [{ id: '1', title: 'One', author: { name: 'Who' }, tags: 3 }]);
    expect(row(controller)).toMatchObject({ author: { name: 'Who' }, tags: 3 });
    expect(controller.get(ArticleWithAllRelations, { id: '1' })).toBeUndefined();
    expect(row(controller)).toMatchObject({ author: { name: 'Who' }, tags: 3 });
    await controller.fetch(getList, [{ id: '1', title: 'One', author: { name: 'Who else' }, tags: 4 }]);
    expect(row(controller)).toMatchObject({ author: { name: 'Who else' }, tags: 4 });
  });

  it('a relation is removed by null', async () => {
    const controller = new Controller();
    await controller.fetch(getArticle, { id: '1', title: 'One', author: ann, reviewer: eve });
    await controller.fetch(getList, [{ id: '1', title: 'One', reviewer: null }]);
    expect(controller.get(ArticleWithAllRelations, { id: '1' })?.reviewer).toBeNull();
  });

  it('a relation is changed by a pk', async () => {
    const controller = new Controller();
    await controller.fetch(getArticle, { id: '1', title: 'One', author: ann, reviewer: eve });
    await controller.fetch(getList, [{ id: '1', title: 'One', reviewer: 'u' }]);
    expect(controller.get(ArticleWithAllRelations, { id: '1' })?.reviewer).toBe(
      controller.get(User, { id: 'u' }),
    );
  });

  it('a summary neither suspends nor refetches a mounted detail whose relation is required', async () => {
    class Strict extends ArticleWithAllRelations {
      static override validate(processed: EntityValue) {
        return validateRequired(processed, { author: true });
      }
      static override merge(existing: EntityValue, incoming: EntityValue) {
        return { ...existing, ...incoming };
      }
    }
    const controller = new Controller();
    const getStrict = getArticle.extend({ schema: Strict });
    await controller.fetch(getStrict, { id: '1', title: 'One', author: ann });
    const seen: unknown[] = [];
    controller.watch(getStrict, undefined, () => seen.push(controller.get(Strict, { id: '1' })?.author.name));
    for (const name of ['Anna', 'Anne'])
      await controller.fetch(getList, [{ id: '1', title: 'One', author: { id: 'u', name } }]);
    await controller.fetch(getList, [{ id: '1', title: 'One', author: { name: 'Nobody' } }]);
    expect(seen).toEqual(['Anna', 'Anne']);
    expect(controller.get(Strict, { id: '1' })).toBeDefined();
  });

  it('an embedded relation in an optimistic response reads as a relation of the detail', async () => {
    const update = new Endpoint(() => new Promise(() => undefined), {
      name: 'update',
      sideEffect: true,
      schema: Summary,
      getOptimisticResponse: () => ({ id: '1', title: 'Pending', author: ann }),
    });
    const controller = new Controller();
    void controller.fetch(update);
    const article = controller.get(ArticleWithAllRelations, { id: '1' });
    expect(article?.author).toBe(controller.get(User, { id: 'u' }));
    expect(article).toMatchObject({ title: 'Pending', author: { name: 'Ann' } });
  });

  it('a snapshot for optimistic responses reads an embedded relation as a relation of the detail', async () => {
    const controller = new Controller();
    await controller.fetch(getList, [{ id: '1', title: 'One', author: ann, tags: [red] }]);
    const article = controller.snapshot().get(ArticleWithAllRelations, { id: '1' });
    expect(article).toMatchObject({ author: { name: 'Ann' }, tags: [{ label: 'red' }] });
  });

  it('an embedded list fills the nested collection of the detail class', async () => {
    class Post extends Entity {
      id = '';
      comments: Tag[] = [];
      static override key = 'Post';
      static override schema = {
        comments: new Collection([Tag], { nestKey: (parent: { id?: unknown }) => ({ post: parent.id }) }),
      };
    }
    class PostSummary extends Entity {
      id = '';
      static override key = 'Post';
    }
    const getPosts = new Endpoint(respond, { name: 'getPosts', schema: [PostSummary] });
    const controller = new Controller();
    await controller.fetch(getPosts, [{ id: '1', comments: [red] }]);
    expect(controller.get(Post, { id: '1' })?.comments).toEqual([Tag.fromJS(red)]);
    await controller.fetch(getPosts, [{ id: '1', comments: [red, { id: 'b', label: 'blue' }] }]);
    expect(controller.get(Post, { id: '1' })?.comments).toHaveLength(2);
  });

  it('an embedded list reads as pks if the detail class declares it as Lazy', async () => {
    class Board extends Entity {
      id = '';
      tags: string[] = [];
      static override key = 'Board';
      static override schema = { tags: new Lazy([Tag]) };
    }
    class BoardSummary extends Entity {
      id = '';
      static override key = 'Board';
    }
    const getBoards = new Endpoint(respond, { name: 'getBoards', schema: [BoardSummary] });
    const controller = new Controller();
    await controller.fetch(getBoards, [{ id: '1', tags: [red] }]);
    expect(controller.get(Board, { id: '1' })?.tags).toEqual(['r']);
    await controller.fetch(getBoards, [{ id: '1', tags: [{ id: 'b', label: 'blue' }, red] }]);
    expect(controller.get(Board, { id: '1' })?.tags).toEqual(['b', 'r']);
    expect(controller.get(Tag, { id: 'b' })?.label).toBe('blue');
  });

  it('a recipe of the summary class leaves embedded values of the row unchanged', async () => {
    const controller = new Controller();
    controller.get(ArticleWithAllRelations, { id: '1' });
    await controller.fetch(getList, [{ id: '1', title: 'One', author: { name: 'Who' }, tags: [red] }]);
    controller.set(Summary, { id: '1' }, (draft) => void (draft.title = 'Two'));
    expect(row(controller)).toEqual({ id: '1', title: 'Two', author: { name: 'Who' }, tags: ['r'] });
  });
});
