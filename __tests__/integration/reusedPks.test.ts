import { describe, expect, it } from '@jest/globals';
import { network, open, server, setUpSlugApp, type Tab } from './slugApp.ts';
import { CommentOnArticle, SluggedArticle } from './SlugServer.ts';

setUpSlugApp((at) => {
  at.add('A', { body: 'first' });
  at.add('X', { body: 'other' });
});

/** Renames `a`, and gives its slug to another article. */
async function reuse({ controller, articles }: Tab): Promise<void> {
  await controller.fetch(articles.partialUpdate, { slug: 'a' }, { title: 'C' });
  await controller.fetch(articles.create, { title: 'A', body: 'second' });
}

describe('a pk that the server gives to another entity after a rename', () => {
  it('a reused pk means the new entity in a restored list, and the renamed one keeps its place', async () => {
    const first = await open();
    await first.controller.fetch(first.articles.getList);
    await first.controller.flush();
    await first.controller.stop();
    // The list lies on disk alone.
    const second = await open();
    await second.controller.fetch(second.articles.get, { slug: 'a' });
    await reuse(second);
    await second.controller.flush();
    await second.controller.stop();
    server.isDown = true;
    const third = await open();
    await third.controller.fetchIfStale(third.articles.getList);
    expect(third.bodies()).toEqual(['first', 'other', 'second']);
    expect(third.controller.get(SluggedArticle, { slug: 'a' })?.body).toBe('second');
    expect(third.controller.get(SluggedArticle, { slug: 'c' })?.body).toBe('first');
  });

  it('a reused pk means the new entity in another tab, where the renamed one keeps its key', async () => {
    const [first, second] = [await open(), await open()];
    for (const { controller, articles } of [first, second]) await controller.fetch(articles.getList);
    const key = second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'a' })!);
    // One message contains both.
    await reuse(first);
    await network.deliver();
    expect(second.bodies()).toEqual(['first', 'other', 'second']);
    expect(second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'c' })!)).toBe(key);
    expect(second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'a' })!)).not.toBe(key);
  });

  it('a reused pk refers to the new entity in a tab that missed both changes', async () => {
    const [first, second] = [await open(), await open()];
    for (const { controller, articles } of [first, second]) await controller.fetch(articles.getList);
    await second.controller.flush();
    const key = second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'a' })!);
    await reuse(first);
    await first.controller.flush();
    await network.lose();
    await second.controller.catchUp();
    expect(second.bodies()).toEqual(['first', 'other', 'second']);
    expect(second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'c' })!)).toBe(key);
  });

  it('a reused pk means the renamed entity in a relation stored before, also after a reload', async () => {
    const first = await open();
    first.controller.set(SluggedArticle, { slug: 'a' }, { slug: 'a', title: 'A', body: 'first' });
    first.controller.setResponse(first.comments.getList, { slug: 'x' }, [
      { id: 1, text: 'about a', article: { slug: 'a' } },
    ] as never);
    await first.controller.flush();
    await first.controller.stop();
    const second = await open();
    await reuse(second);
    await second.controller.flush();
    await second.controller.stop();
    const third = await open();
    await third.controller.fetchIfStale(third.comments.getList, { slug: 'x' });
    expect(third.controller.get(CommentOnArticle, { id: 1 })?.article?.body).toBe('first');
  });

  it('two entities can swap their pks', async () => {
    const tab = await open();
    const { controller, articles } = tab;
    await controller.fetch(articles.getList);
    const keys = () =>
      controller.getResponse(articles.getList).data!.map((article) => controller.keyOf(article));
    const before = keys();
    for (const [slug, title] of [
      ['a', 'T'],
      ['x', 'A'],
      ['t', 'X'],
    ] as const)
      await controller.fetch(articles.partialUpdate, { slug }, { title });
    expect(tab.bodies()).toEqual(['first', 'other']);
    expect(controller.get(SluggedArticle, { slug: 'x' })?.body).toBe('first');
    expect(keys()).toEqual(before);
    await controller.flush();
    await controller.stop();
    server.isDown = true;
    const next = await open();
    await next.controller.fetchIfStale(next.articles.getList);
    expect(next.bodies()).toEqual(['first', 'other']);
  });
});
