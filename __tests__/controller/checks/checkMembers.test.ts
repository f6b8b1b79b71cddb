import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Collection, Controller, Delete, Endpoint, Entity } from '../../../src/index.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Post extends Entity {
  id = '';
  author = User.fromJS();
  editor: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User, editor: User };
}

class ValidPost extends Post {
  static override validate({ author }: Readonly<Record<string, unknown>>) {
    return author === undefined ? 'it has no author' : undefined;
  }
}

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  jest.spyOn(console, 'warn').mockImplementation((text: unknown) => told.push(String(text)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const getPosts = new Endpoint(async (posts: readonly object[]) => ({ posts }), {
  name: 'getPosts',
  schema: { posts: new Collection([Post], { argsKey: () => ({}) }) },
});
const getValid = getPosts.extend({ name: 'getValid', schema: { posts: [ValidPost] } });

it('a list that omits members because their relation is not stored causes one warning', async () => {
  const controller = new Controller();
  for (let times = 0; times < 2; times++) {
    const { posts } = await controller.fetch(getPosts, [
      { id: '1', author: '9' },
      { id: '2', author: { id: '8' } },
    ]);
    expect(posts.map(({ id }) => id)).toEqual(['2']);
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(
    'getPosts has entities that are not shown: Post "1" refers to User "9": it is not stored',
  );
  expect(told[0]).toContain('errors.md#hf_members_omitted');
});

it('a list without omitted members causes no warning', async () => {
  const controller = new Controller();
  controller.set(User, { id: '9' }, { id: '9', name: 'Ada' });
  const { posts } = await controller.fetch(getPosts, [{ id: '1', author: '9', editor: '7' }]);
  expect(posts).toHaveLength(1);
  expect(told).toEqual([]);
});

it('a list that omits invalid members causes no warning', async () => {
  const controller = new Controller();
  const { posts } = await controller.fetch(getValid, [{ id: '1' }]);
  expect(posts).toEqual([]);
  expect(told).toEqual([]);
});

const posts = new Collection([Post], { argsKey: () => ({}) });
const listPosts = new Endpoint(async () => [], { name: 'listPosts', schema: posts });
const pushPost = new Endpoint(async (post: object) => post, {
  name: 'pushPost',
  schema: posts.push,
  sideEffect: true,
});

it('a created entity that no list shows because its relation is not stored causes one warning', async () => {
  const controller = new Controller();
  await controller.fetch(listPosts);
  for (let times = 0; times < 2; times++) await controller.fetch(pushPost, { id: '1', author: '9' });
  expect(controller.get(posts)).toEqual([]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(
    'pushPost has entities that are not shown: Post "1" refers to User "9": it is not stored',
  );
});

it('an update of an entity whose relation is not stored causes a warning', async () => {
  const controller = new Controller();
  const update = new Endpoint(async ({ id }: { id: string }, body: object) => ({ id, ...body }), {
    name: 'update',
    schema: Post,
    sideEffect: true,
  });
  await controller.fetch(update, { id: '1' }, { author: '9' });
  expect(told).toEqual([expect.stringContaining('update has entities that are not shown: Post "1"')]);
});

it('a mutation whose entities are shown, or deleted, causes no warning', async () => {
  const controller = new Controller();
  controller.set(User, { id: '9' }, { id: '9', name: 'Ada' });
  await controller.fetch(listPosts);
  await controller.fetch(pushPost, { id: '1', author: '9' });
  const remove = new Endpoint(async (id: object) => id, {
    name: 'remove',
    schema: new Delete(Post),
    sideEffect: true,
  });
  await controller.fetch(remove, { id: '1' });
  expect(told).toEqual([]);
});
