import { beforeEach, describe, expect, it } from '@jest/globals';
import { All, Collection, Controller, createResource, Entity, Query, Values } from 'holdfast';
import { Manual, quiet, request, sent } from '../../support/manualRequests.ts';

class ArticleWithVotes extends Entity {
  slug = '';
  title = '';
  body = '';
  votes = 0;
  override pk() {
    return this.slug;
  }
  static override key = 'Article';
}

class NoteOnArticle extends Entity {
  id = 0;
  article: ArticleWithVotes | undefined = undefined;
  static override key = 'Note';
  static override schema = { article: ArticleWithVotes };
}

const shared = {
  path: '/articles/:slug',
  schema: ArticleWithVotes,
  Endpoint: Manual,
  dataExpiryLength: Infinity,
} as const;
const ArticleResource = createResource(shared);
const Optimistic = createResource({ ...shared, optimistic: true });
const getNote = new Manual({ path: '/notes/:id', schema: NoteOnArticle });
const getFeed = new Manual({ path: '/feed', schema: { articles: [ArticleWithVotes], count: 0 } });
const titles = new Query(new All(ArticleWithVotes), (articles) => articles.map(({ title }) => title));

let controller: Controller;

beforeEach(() => {
  sent.length = 0;
  controller = new Controller();
  controller.setResponse(ArticleResource.getList, [
    { slug: 'a', title: 'A', body: 'text', votes: 3 },
    { slug: 'x', title: 'X' },
  ]);
});

const list = () => controller.getResponse(ArticleResource.getList).data ?? [];
const slugs = () => list().map(({ slug }) => slug);

/** Has an update answered with another slug. */
async function rename(from: string, to: string, title = to.toUpperCase()): Promise<void> {
  const nth = sent.length;
  const done = controller.fetch(ArticleResource.partialUpdate, { slug: from }, { title });
  await (await request(nth)).answer({ slug: to, title });
  await done;
}

describe('an update whose response has another pk', () => {
  it('a rename changes the entity wherever it is shown, and keeps fields that the response lacks', async () => {
    controller.setResponse(getNote, { id: 1 }, { id: 1, article: { slug: 'a' } });
    controller.setResponse(getFeed, { articles: ['x', 'a'], count: 2 });
    controller.setResponse(ArticleResource.get, { slug: 'a' }, { slug: 'a' });
    const [a] = list();
    const key = controller.keyOf(a!);
    await rename('a', 'b');
    const [b] = list();
    expect(b).toEqual(ArticleWithVotes.fromJS({ slug: 'b', title: 'B', body: 'text', votes: 3 }));
    expect(b!.pk()).toBe('b');
    expect(slugs()).toEqual(['b', 'x']);
    expect(controller.getResponse(getNote, { id: 1 }).data?.article).toBe(b);
    expect(controller.getResponse(getFeed).data?.articles[1]).toBe(b);
    expect(controller.getResponse(ArticleResource.get, { slug: 'a' }).data).toBe(b);
    expect(controller.getResponse(ArticleResource.get, { slug: 'b' }).data).toBe(b);
    expect(controller.get(ArticleWithVotes, { slug: 'a' })).toBe(b);
    expect(controller.keyOf(b!)).toBe(key);
    expect(sent).toHaveLength(1);
  });

  it('a rename notifies watchers once, with the renamed entity', async () => {
    controller.setResponse(ArticleResource.get, { slug: 'a' }, { slug: 'a' });
    const seen: unknown[] = [];
    controller.watch(ArticleResource.get, { slug: 'a' }, (article) => seen.push(article?.slug));
    controller.watch(ArticleWithVotes, { slug: 'a' }, (article) => seen.push(article?.slug));
    controller.watch(ArticleResource.getList, (articles) => seen.push(articles?.map(({ slug }) => slug)));
    await rename('a', 'b');
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(expect.arrayContaining(['b', ['b', 'x']]));
  });

  it('renames are followed from pk to pk, also back to the first', async () => {
    const key = controller.keyOf(list()[0]!);
    await rename('a', 'b');
    await rename('b', 'c');
    expect(slugs()).toEqual(['c', 'x']);
    expect(controller.get(ArticleWithVotes, { slug: 'a' })).toBe(list()[0]);
    await rename('c', 'a');
    expect(slugs()).toEqual(['a', 'x']);
    for (const slug of ['a', 'b', 'c']) expect(controller.get(ArticleWithVotes, { slug })).toBe(list()[0]);
    expect(list()[0]).toMatchObject({ body: 'text', votes: 3 });
    expect(controller.keyOf(list()[0]!)).toBe(key);
  });

  it('a mutation that names the old pk is sent with the new one', async () => {
    await rename('a', 'b');
    void quiet(controller.fetch(ArticleResource.get, { slug: 'a' }));
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { title: 'B!' }));
    void quiet(controller.fetch(ArticleResource.delete, { slug: 'a' }));
    await request(3);
    expect(sent.slice(1).map(({ what }) => what)).toEqual([
      'GET /articles/b',
      'PATCH /articles/b',
      'DELETE /articles/b',
    ]);
    await sent[3]!.answer({});
    expect(slugs()).toEqual(['x']);
  });

  it('controller.set with the old pk changes the renamed entity', async () => {
    await rename('a', 'b');
    controller.set(ArticleWithVotes, { slug: 'a' }, { title: 'set' });
    expect(list()[0]).toMatchObject({ slug: 'b', title: 'set' });
    controller.set(ArticleWithVotes, { slug: 'a' }, (draft) => void (draft.votes = 4));
    expect(list()[0]).toMatchObject({ slug: 'b', votes: 4 });
  });

  it('controller.set with the old pk of an entity that was deleted since stores it with the new pk', async () => {
    await rename('a', 'b');
    const remove = controller.fetch(ArticleResource.delete, { slug: 'b' });
    await (await request(1)).answer(undefined);
    await remove;
    controller.set(ArticleWithVotes, { slug: 'a' }, { title: 'Again' });
    expect(controller.get(ArticleWithVotes, { slug: 'b' })).toMatchObject({ slug: 'b', title: 'Again' });
  });

  it('a renamed entity is shown once in lists requested under the old pk, or containing both', async () => {
    const reading = controller.fetch(ArticleResource.getList);
    await request();
    const done = controller.fetch(ArticleResource.update, { slug: 'a' }, { title: 'B' });
    await (await request(1)).answer({ slug: 'b', title: 'B' });
    await done;
    await sent[0]!.answer([
      { slug: 'a', title: 'A' },
      { slug: 'x', title: 'X' },
    ]);
    expect((await reading).map(({ slug }) => slug)).toEqual(['b', 'x']);
    controller.setResponse(getFeed, { articles: ['a', 'x', 'b'], count: 3 });
    expect(controller.getResponse(getFeed).data?.articles).toEqual(list());
    const long = Array.from({ length: 40 }, (_, id) => ({ slug: `n${id}`, title: '' }));
    controller.setResponse(getFeed, { articles: [...long, 'b', 'a'], count: 42 });
    expect(controller.getResponse(getFeed).data?.articles).toHaveLength(41);
  });

  it('a renamed member of a map is shown once, under its key there', async () => {
    const getMap = new Manual({ path: '/map', schema: new Collection(new Values(ArticleWithVotes)) });
    controller.setResponse(getMap, { first: { slug: 'a' }, second: { slug: 'x' } } as never);
    const entries = () =>
      Object.entries(controller.getResponse(getMap).data ?? {}).map(([key, { slug }]) => [key, slug]);
    await rename('a', 'b');
    expect(entries()).toEqual([
      ['first', 'b'],
      ['second', 'x'],
    ]);
    // The server may send the map concurrently, with the new pk.
    controller.setResponse(getMap, { first: { slug: 'b' }, second: { slug: 'x' } } as never);
    await rename('b', 'c');
    expect(entries()).toEqual([
      ['first', 'c'],
      ['second', 'x'],
    ]);
  });

  it('deleting the renamed entity removes it for readers of the old pk', async () => {
    await rename('a', 'b');
    const done = controller.fetch(ArticleResource.delete, { slug: 'b' });
    await (await request(1)).answer({});
    await done;
    expect(slugs()).toEqual(['x']);
    expect(controller.get(ArticleWithVotes, { slug: 'a' })).toBeUndefined();
  });

  it('a rename merges the entity with one that already has the new pk', async () => {
    await rename('a', 'x', 'X, of A');
    expect(slugs()).toEqual(['x']);
    expect(list()[0]).toMatchObject({ slug: 'x', title: 'X, of A' });
    expect(controller.keyOf(list()[0]!)).toBe('x');
  });

  it('a rename leaves the old pk to another entity that the server gives it to', async () => {
    const key = controller.keyOf(list()[0]!);
    await rename('a', 'b');
    const done = controller.fetch(ArticleResource.create, { title: 'A' });
    await (await request(1)).answer({ slug: 'a', title: 'another A' });
    await done;
    expect(list().map(({ title }) => title)).toEqual(['B', 'X', 'another A']);
    expect(controller.get(ArticleWithVotes, { slug: 'a' })).toBe(list()[2]);
    const keys = list().map((each) => controller.keyOf(each));
    expect(keys[0]).toBe(key);
    expect(new Set(keys).size).toBe(3);
    expect(list().map((each) => controller.keyOf(each))).toEqual(keys);
  });

  it('a reference that arrives again after its pk was given away means the new entity', async () => {
    controller.setResponse(getNote, { id: 1 }, { id: 1, article: { slug: 'a' } });
    controller.setResponse(getFeed, { articles: ['a'], count: 1 });
    await rename('a', 'b');
    controller.set(ArticleWithVotes, { slug: 'a' }, { slug: 'a', title: 'another A' });
    const shown = () => [
      controller.get(NoteOnArticle, { id: 1 })?.article?.title,
      controller.getResponse(getFeed).data?.articles[0]?.title,
      ...list().map(({ title }) => title),
    ];
    expect(shown()).toEqual(['B', 'B', 'B', 'X']);
    // The same texts as before.
    controller.setResponse(getNote, { id: 1 }, { id: 1, article: 'a' });
    controller.setResponse(getFeed, { articles: ['a'], count: 1 });
    controller.setResponse(ArticleResource.getList, ['a', 'x']);
    expect(shown()).toEqual(['another A', 'another A', 'another A', 'X']);
    const [note, feed, all] = [
      controller.get(NoteOnArticle, { id: 1 }),
      controller.getResponse(getFeed).data,
      list(),
    ];
    controller.setResponse(getNote, { id: 1 }, { id: 1, article: 'a' });
    controller.setResponse(getFeed, { articles: ['a'], count: 1 });
    controller.setResponse(ArticleResource.getList, ['a', 'x']);
    expect(controller.get(NoteOnArticle, { id: 1 })).toBe(note);
    expect(controller.getResponse(getFeed).data).toBe(feed);
    expect(list()).toBe(all);
  });

  it('an update whose answer has another pk is not undone by a late response', async () => {
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { title: 'B' }));
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { title: 'C' }));
    const reading = quiet(controller.fetch(ArticleResource.get, { slug: 'a' }));
    await request(2);
    await sent[1]!.answer({ slug: 'c', title: 'C' });
    await sent[0]!.answer({ slug: 'b', title: 'B' });
    await sent[2]!.answer({ slug: 'a', title: 'A' });
    expect(slugs()).toEqual(['c', 'x']);
    expect(await reading).toBe(list()[0]);
    for (const slug of ['a', 'b']) expect(controller.get(ArticleWithVotes, { slug })).toBe(list()[0]);
  });

  it('a rename wins over a change of the old pk that began later', async () => {
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { title: 'B' }));
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { votes: 4 }));
    await request(1);
    await sent[1]!.answer({ slug: 'a', title: 'A', votes: 4 });
    await sent[0]!.answer({ slug: 'b', title: 'B', votes: 4 });
    expect(slugs()).toEqual(['b', 'x']);
    expect(list()[0]!.pk()).toBe('b');
  });

  it('a rename does not restore an entity that was deleted concurrently', async () => {
    void quiet(controller.fetch(ArticleResource.partialUpdate, { slug: 'a' }, { title: 'B' }));
    void quiet(controller.fetch(ArticleResource.delete, { slug: 'a' }));
    await request(1);
    await sent[1]!.answer({});
    await sent[0]!.answer({ slug: 'b', title: 'B' });
    expect(slugs()).toEqual(['x']);
    expect(controller.get(ArticleWithVotes, { slug: 'b' })).toBeUndefined();
  });

  it('a rename works for a response that wraps the entity', async () => {
    const update = ArticleResource.update.extend({ schema: { article: ArticleWithVotes } });
    const done = controller.fetch(update, { slug: 'a' }, { title: 'B' });
    await (await request()).answer({ article: { slug: 'b', title: 'B' } });
    expect((await done).article).toBe(list()[0]);
    expect(slugs()).toEqual(['b', 'x']);
  });

  it('a rename applies to derived values', async () => {
    expect(controller.get(titles)).toEqual(['A', 'X']);
    await rename('a', 'b');
    expect([...controller.get(titles)!].sort()).toEqual(['B', 'X']);
  });
});

describe('an optimistic update', () => {
  it('an optimistic update of the old pk is shown on the renamed entity', async () => {
    void quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { title: 'B' }));
    void quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { body: 'edited' }));
    await request(1);
    await sent[0]!.answer({ slug: 'b', title: 'B' });
    expect(list()).toMatchObject([{ slug: 'b', title: 'B', body: 'edited', votes: 3 }, { slug: 'x' }]);
    await sent[1]!.fail();
    expect(list()).toMatchObject([{ slug: 'b', title: 'B', body: 'text', votes: 3 }, { slug: 'x' }]);
  });

  it('an optimistic update that changes the pk renames at once, and back when it is rejected', async () => {
    const [a] = list();
    const key = controller.keyOf(a!);
    const done = quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { slug: 'b' }));
    const [b] = list();
    expect(list()).toMatchObject([{ slug: 'b', title: 'A', votes: 3 }, { slug: 'x' }]);
    expect(controller.get(ArticleWithVotes, { slug: 'a' })).toBe(b);
    expect(controller.get(ArticleWithVotes, { slug: 'b' })).toBe(b);
    expect(controller.keyOf(b!)).toBe(key);
    await (await request()).fail();
    await expect(done).rejects.toThrow('refused');
    expect(list()[0]).toEqual(a);
    expect(controller.get(ArticleWithVotes, { slug: 'b' })).toBeUndefined();
    expect(controller.keyOf(list()[0]!)).toBe(key);
  });

  it('an optimistic update that predicts the new pk keeps the identity of the object', async () => {
    void quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { slug: 'b' }));
    const [b] = list();
    await (await request()).answer({ slug: 'b', title: 'A', body: 'text', votes: 3 });
    expect(list()[0]).toBe(b);
  });

  it('an item keeps its key when the server responds with a pk other than the predicted one', async () => {
    const key = controller.keyOf(list()[0]!);
    void quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { slug: 'b' }));
    expect(controller.keyOf(list()[0]!)).toBe(key);
    await (await request()).answer({ slug: 'c', title: 'A' });
    expect(slugs()).toEqual(['c', 'x']);
    expect(controller.keyOf(list()[0]!)).toBe(key);
  });

  it('an update keeps the pk when a form sends it blank', () => {
    void quiet(controller.fetch(Optimistic.partialUpdate, { slug: 'a' }, { slug: '', title: 'B' }));
    expect(list()).toMatchObject([{ slug: 'a', title: 'B' }, { slug: 'x' }]);
  });
});

describe('responses that rename nothing', () => {
  it.each([
    ['a POST', ArticleResource.update.extend({ path: '/articles/:slug/copy', method: 'POST' })],
    ['an endpoint that says so', ArticleResource.update.extend({ renames: false })],
    [
      'a PUT to something below the entity',
      ArticleResource.update.extend({ path: '/articles/:slug/published' }),
    ],
  ])('a response renames nothing when it is %s', async (_, endpoint) => {
    const done = controller.fetch(endpoint, { slug: 'a' }, { title: 'B' });
    await (await request()).answer({ slug: 'b', title: 'B' });
    await done;
    expect(slugs()).toEqual(['a', 'x']);
    expect(controller.get(ArticleWithVotes, { slug: 'b' })).toMatchObject({ title: 'B' });
  });

  it('a POST renames nothing unless the endpoint says so', async () => {
    const publish = ArticleResource.update.extend({
      path: '/articles/:slug/publish',
      method: 'POST',
      renames: true,
    });
    const done = controller.fetch(publish, { slug: 'a' }, {});
    await (await request()).answer({ slug: 'b', title: 'B' });
    await done;
    expect(slugs()).toEqual(['b', 'x']);
  });

  it('an update by an alias renames nothing, so the alias may refer to another entity later', async () => {
    const read = async (slug: string): Promise<unknown> => {
      const nth = sent.length;
      const done = controller.fetch(ArticleResource.get, { slug: 'latest' });
      const asked = await request(nth);
      expect(asked.what).toBe('GET /articles/latest');
      await asked.answer({ slug, title: slug });
      return done;
    };
    await read('x');
    await rename('latest', 'x', 'X again');
    expect(controller.getResponse(ArticleResource.get, { slug: 'latest' }).data).toMatchObject({
      slug: 'x',
      title: 'X again',
    });
    expect(await read('y')).toMatchObject({ slug: 'y' });
    expect(controller.get(ArticleWithVotes, { slug: 'x' })).toMatchObject({ title: 'X again' });
  });

  it('an update by an alias renames nothing, also if the entity is not stored yet', async () => {
    await rename('latest', 'n', 'New');
    expect(controller.get(ArticleWithVotes, { slug: 'n' })).toMatchObject({ title: 'New' });
    expect(controller.get(ArticleWithVotes, { slug: 'latest' })).toBeUndefined();
    expect(slugs()).toEqual(['a', 'x']);
    await rename('latest', 'm', 'Newer');
    expect(sent.map(({ what }) => what)).toEqual(['PATCH /articles/latest', 'PATCH /articles/latest']);
  });

  it('an update renames an entity of which only a list is stored, or a prediction', async () => {
    const getComments = new Manual({
      path: '/articles/:slug/comments',
      schema: new Collection([NoteOnArticle]),
    });
    controller.setResponse(getComments, { slug: 'l' }, [{ id: 1 }]);
    await rename('l', 'm');
    expect(controller.getResponse(getComments, { slug: 'm' }).data).toMatchObject([{ id: 1 }]);
    const body = { slug: 'p', title: 'P', body: '', votes: 0 };
    const done = controller.fetch(Optimistic.update, { slug: 'p' }, body);
    await (await request(1)).answer({ ...body, slug: 'q' });
    await done;
    expect(controller.get(ArticleWithVotes, { slug: 'p' })).toMatchObject({ slug: 'q' });
  });

  it('a response with another entity than the path ends with renames nothing', async () => {
    class User extends Entity {
      id = 0;
      name = '';
      static override key = 'User';
    }
    const befriend = new Manual({ path: '/users/:id/friends/:name', method: 'PUT', schema: User });
    controller.set(User, { id: 1 }, { id: 1, name: 'ann' });
    const done = controller.fetch(befriend, { id: 1, name: 'bob' }, undefined);
    await (await request()).answer({ id: 2, name: 'bob' });
    await done;
    expect(controller.get(User, { id: 1 })).toMatchObject({ name: 'ann' });
    expect(controller.get(User, { id: 2 })).toMatchObject({ name: 'bob' });
  });

  it('a response with the entity that another parameter names, such as the order of a line, renames nothing', async () => {
    class Order extends Entity {
      id = 0;
      total = 0;
      static override key = 'Order';
    }
    const setQuantity = new Manual({
      path: '/orders/:orderId/lines/:id',
      method: 'PATCH',
      body: {} as { quantity: number },
      schema: Order,
    });
    controller.set(Order, { id: 5 }, { id: 5, total: 10 });
    const done = controller.fetch(setQuantity, { orderId: 2, id: 5 }, { quantity: 3 });
    await (await request()).answer({ id: 2, total: 30 });
    await done;
    expect(controller.get(Order, { id: 5 })).toMatchObject({ total: 10 });
    expect(controller.get(Order, { id: 2 })).toMatchObject({ total: 30 });
  });
});
