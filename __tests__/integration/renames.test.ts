import { describe, expect, it } from '@jest/globals';
import { device, network, open, sent, server, setUpSlugApp, type Tab } from './slugApp.ts';
import { SluggedArticle } from './SlugServer.ts';

setUpSlugApp((at) => {
  at.add('One', { body: 'text' });
  at.add('Two');
});

const failures = ({ box }: Tab) =>
  box.status.get().failed.map(({ name, error }) => `${name}: ${error?.message}`);

/** Requests that change something. */
const changes = () => server.seen.filter((line) => !line.startsWith('GET'));

describe('mutations queued before a rename', () => {
  it.each([
    ['in one page', false],
    ['over a reload', true],
  ])('queued mutations are sent to the new pk: %s', async (_, isReloaded) => {
    let tab = await open();
    await tab.controller.fetch(tab.articles.getList);
    device.isOnline = false;
    const { controller, articles, comments } = tab;
    await controller.fetch(articles.partialUpdate, { slug: 'one' }, { title: 'One, revised' });
    await controller.fetch(comments.create, { slug: 'one' }, { text: 'first', article: 'one' });
    await controller.fetch(articles.partialUpdate, { slug: 'one' }, { slug: 'one', body: 'edited' });
    await controller.fetch(articles.delete, { slug: 'two' });
    expect(tab.slugs()).toEqual(['one']);
    if (isReloaded) {
      await controller.flush();
      await tab.controller.stop();
      tab = await open();
      await tab.controller.fetchIfStale(tab.articles.getList);
      expect(tab.slugs()).toEqual(['one']);
      expect(tab.controller.get(SluggedArticle, { slug: 'one' })).toMatchObject({
        title: 'One, revised',
        body: 'edited',
      });
    }
    device.isOnline = true;
    await sent(tab);
    expect(failures(tab)).toEqual([]);
    expect(changes()).toEqual(
      [
        'PATCH /articles/one 200',
        'POST /articles/one,-revised/comments 200',
        'PATCH /articles/one,-revised 200',
        'DELETE /articles/two 200',
      ].map((line) => line.replace('one,-revised', encodeURIComponent('one,-revised'))),
    );
    expect(server.articles.get('one,-revised')).toMatchObject({
      body: 'edited',
      comments: [{ text: 'first', article: 'one,-revised' }],
    });
    expect(tab.slugs()).toEqual(['one,-revised']);
    expect(tab.controller.get(SluggedArticle, { slug: 'one' })).toBe(
      tab.controller.get(SluggedArticle, { slug: 'one,-revised' }),
    );
    await tab.controller.flush();
    await tab.controller.stop();
    const next = await open();
    await next.controller.fetchIfStale(next.articles.getList);
    expect(next.slugs()).toEqual(['one,-revised']);
    expect(next.controller.get(SluggedArticle, { slug: 'one' })?.slug).toBe('one,-revised');
  });

  it.each([
    ['with a disk', true],
    ['without', false],
  ])('queued mutations are sent to the new pk from another tab, too: %s', async (_, hasDisk) => {
    const [first, second] = [await open({ hasDisk }), await open({ hasDisk })];
    for (const { controller, articles } of [first, second]) await controller.fetch(articles.getList);
    device.isOnline = false;
    await first.controller.fetch(first.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await network.deliver();
    await second.controller.fetch(second.comments.create, { slug: 'one' }, { text: 'from the second' });
    await network.deliver();
    device.isOnline = true;
    await sent(first, second);
    expect([...failures(first), ...failures(second)]).toEqual([]);
    expect(changes()).toEqual(['PATCH /articles/one 200', 'POST /articles/uno/comments 200']);
    expect([first.slugs(), second.slugs()]).toEqual([
      ['uno', 'two'],
      ['uno', 'two'],
    ]);
    for (const { controller } of [first, second])
      expect(controller.get(SluggedArticle, { slug: 'one' })).toMatchObject({ slug: 'uno', body: 'text' });
  });

  it('retried dead letters are sent to the new pk', async () => {
    const tab = await open();
    await tab.controller.fetch(tab.articles.getList);
    device.isOnline = false;
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'early' });
    server.articles.delete('one');
    device.isOnline = true;
    await sent(tab);
    expect(failures(tab)).toHaveLength(1);
    server.add('One');
    await tab.controller.fetch(tab.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    tab.box.retry(tab.box.status.get().failed[0]!.key);
    await sent(tab);
    expect(failures(tab)).toEqual([]);
    expect(server.articles.get('uno')?.comments).toMatchObject([{ text: 'early' }]);
  });
});

describe('what is created offline', () => {
  it.each([
    ['in one page', false],
    ['over a reload', true],
  ])('an item created offline has a temporary pk until the server assigns one: %s', async (_, isReloaded) => {
    let tab = await open();
    await tab.controller.fetch(tab.articles.getList);
    device.isOnline = false;
    const { controller, articles, comments } = tab;
    const made = await controller.fetch(articles.create, { title: 'Three' });
    expect(made.slug).toMatch(/^optimistic-/);
    expect(tab.box.isPending(made)).toBe(true);
    const key = controller.keyOf(made);
    await controller.fetch(comments.create, { slug: made.slug }, { text: 'first' });
    await controller.fetch(articles.partialUpdate, { slug: made.slug }, { title: 'Drei' });
    await controller.fetch(comments.create, { slug: made.slug }, { text: 'second' });
    if (isReloaded) {
      await controller.flush();
      await tab.controller.stop();
      tab = await open();
      await tab.controller.fetchIfStale(tab.articles.getList);
      expect(tab.slugs()).toEqual(['one', 'two', made.slug]);
    }
    device.isOnline = true;
    await sent(tab);
    expect(failures(tab)).toEqual([]);
    expect(changes()).toEqual([
      'POST /articles 200',
      'POST /articles/three/comments 200',
      'PATCH /articles/three 200',
      'POST /articles/drei/comments 200',
    ]);
    expect(tab.slugs()).toEqual(['one', 'two', 'drei']);
    const shown = tab.controller.get(SluggedArticle, { slug: 'drei' })!;
    for (const slug of [made.slug, 'three']) expect(tab.controller.get(SluggedArticle, { slug })).toBe(shown);
    expect(tab.controller.keyOf(shown)).toBe(key);
    expect(tab.box.isPending(shown)).toBe(false);
  });
});

describe('a rename', () => {
  it('a rename reaches another tab, its lists and its mounted reads, without a request', async () => {
    const [first, second] = [await open(), await open()];
    for (const { controller, articles } of [first, second]) await controller.fetch(articles.getList);
    await second.controller.fetch(second.articles.get, { slug: 'one' });
    const key = second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'one' })!);
    await network.deliver();
    const seen: (string | undefined)[] = [];
    second.controller.watch(second.articles.get, { slug: 'one' }, (article) => seen.push(article?.slug));
    const asked = server.seen.length;
    await first.controller.fetch(first.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await network.deliver();
    expect(second.slugs()).toEqual(['uno', 'two']);
    // First what the first tab expects, and then what has come of it.
    expect(seen).toEqual(['one', 'uno']);
    expect(second.controller.keyOf(second.controller.get(SluggedArticle, { slug: 'uno' })!)).toBe(key);
    expect(server.seen).toHaveLength(asked + 1);
  });

  it('a rename is found on disk by a tab that missed it, and by one that opens later', async () => {
    const [first, second] = [await open(), await open()];
    for (const { controller, articles } of [first, second]) await controller.fetch(articles.getList);
    await first.controller.flush();
    await second.controller.flush();
    await first.controller.fetch(first.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await first.controller.flush();
    await network.lose();
    await second.controller.catchUp();
    expect(second.slugs()).toEqual(['uno', 'two']);
    expect(second.controller.get(SluggedArticle, { slug: 'one' })).toMatchObject({
      slug: 'uno',
      body: 'text',
    });
    await Promise.all([first.controller.stop(), second.controller.stop()]);
    server.isDown = true;
    const third = await open();
    expect((await third.controller.fetchIfStale(third.articles.getList)).map(({ slug }) => slug)).toEqual([
      'uno',
      'two',
    ]);
  });
});
