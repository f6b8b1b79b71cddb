import 'fake-indexeddb/auto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import type { Controller, ReachabilityPlugin } from 'holdfast';
import type { OutboxPlugin } from 'holdfast/outbox';
import { signIn } from '../../examples/conduit/src/data/account.ts';
import { server as address } from '../../examples/conduit/src/data/ApiEndpoint.ts';
import { Article, ArticleSummary } from '../../examples/conduit/src/data/Article.ts';
import { ArticleResource } from '../../examples/conduit/src/data/ArticleResource.ts';
import { CommentResource } from '../../examples/conduit/src/data/Comment.ts';
import { createController } from '../../examples/conduit/src/data/createController.ts';
import { Profile, ProfileResource } from '../../examples/conduit/src/data/Profile.ts';
import { currentSession, enter, leave } from '../../examples/conduit/src/data/session.ts';
import { ConduitServer } from './ConduitServer.ts';

const server = new ConduitServer();
const controllers: Controller[] = [];
/** The codes of the errors that the plugins have reported. */
const told: string[] = [];

afterAll(() => server.end());

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  await server.startFresh();
  address.url = server.url;
  await login('ada');
  await server.change({ clearLog: true });
  told.length = 0;
});

afterEach(async () => {
  await Promise.all(controllers.splice(0).map((controller) => controller.stop()));
  await server.stop();
  leave();
});

async function login(username: string): Promise<void> {
  enter(await signIn({ email: `${username}@example.com`, password: 'password' }));
}

/** The app of the person who is signed in, as one tab has it. */
function open(): Controller {
  const controller = createController(currentSession()!.scope, ({ code }) => void told.push(code));
  controllers.push(controller);
  return controller;
}
async function close(controller: Controller): Promise<void> {
  await controller.flush();
  await controller.stop();
}

const outboxOf = (controller: Controller) =>
  controller.plugins.find(({ name }) => name === 'outbox') as OutboxPlugin;

async function goOnline(controller: Controller, ...flags: string[]): Promise<void> {
  await server.start(...flags);
  const connection = controller.plugins.find(({ name }) => name === 'reachability') as ReachabilityPlugin;
  await connection.probe();
}

const text = (title: string, ...tagList: string[]) => ({ title, description: 'd', body: 'b', tagList });
const titlesOf = (controller: Controller, params: object = {}) =>
  controller.getResponse(ArticleResource.getList, params).data?.articles.map(({ title }) => title);

describe('reading', () => {
  it('lists share the author object across their articles', async () => {
    const controller = open();
    const { articles, articlesCount } = await controller.fetch(ArticleResource.getList, { author: 'ada' });
    expect(articlesCount).toBe(5);
    expect(articles).toHaveLength(5);
    expect(articles[0]).toBeInstanceOf(ArticleSummary);
    expect(new Set(articles.map(({ author }) => author)).size).toBe(1);
    expect(articles[0]?.createdAt).toBeInstanceOf(Date);
  });

  it('fetching the detail of an article keeps the fields of its summary', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    expect(controller.getResponse(ArticleResource.get, { slug: 'three-knots-worth-knowing' }).data).toBe(
      undefined,
    );
    const { article } = await controller.fetchIfStale(ArticleResource.get, {
      slug: 'three-knots-worth-knowing',
    });
    expect(article.body).not.toBe('');
    await controller.fetch(ArticleResource.getList);
    expect(controller.get(Article, { slug: 'three-knots-worth-knowing' })?.body).toBe(article.body);
  });

  it('lists of tags, authors, favorites and the feed are kept apart', async () => {
    const controller = open();
    await controller.fetch(ProfileResource.follow, { username: 'ben' });
    await controller.fetch(ArticleResource.favorite, { slug: 'fog-from-inside' });
    const [all, coast, byCleo, favorites, feed] = await Promise.all([
      controller.fetch(ArticleResource.getList),
      controller.fetch(ArticleResource.getList, { tag: 'coast' }),
      controller.fetch(ArticleResource.getList, { author: 'cleo' }),
      controller.fetch(ArticleResource.getList, { favorited: 'ada' }),
      controller.fetch(ArticleResource.getFeed),
    ]);
    expect([all, coast, byCleo, favorites, feed].map(({ articles }) => articles.length)).toEqual([
      14, 7, 4, 1, 5,
    ]);
    expect(titlesOf(controller)).toHaveLength(14);
    expect(controller.getResponse(ArticleResource.getFeed).data?.articles).toHaveLength(5);
  });

  it('further pages are added to the list', async () => {
    const controller = open();
    const { articles } = await controller.fetch(ArticleResource.getList, { limit: 5 });
    await controller.fetch(ArticleResource.getList.getPage, { limit: 5, offset: articles.length });
    expect(new Set(titlesOf(controller, { limit: 5 })).size).toBe(10);
  });
});

describe('writing', () => {
  it('a new article appears at the top of the lists it belongs in, and in no others', async () => {
    const controller = open();
    const lists = [
      { limit: 5 },
      { tag: 'maps', limit: 5 },
      { tag: 'coast' },
      { author: 'ada' },
      { author: 'ben' },
    ];
    for (const params of [...lists, { favorited: 'ada' }])
      await controller.fetch(ArticleResource.getList, params);
    await controller.fetch(ArticleResource.getFeed);
    const { article } = await controller.fetch(ArticleResource.create, text('Charts', 'maps'));
    expect(article.slug).toBe('charts');
    expect(lists.map((params) => titlesOf(controller, params)?.[0] === 'Charts')).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(titlesOf(controller, { favorited: 'ada' })).toEqual([]);
    expect(controller.getResponse(ArticleResource.getFeed).data?.articles).toEqual([]);
  });

  it('an article is found by its new slug after a rename', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    const { article } = await controller.fetch(ArticleResource.create, text('Draft'));
    await controller.fetch(CommentResource.create, { slug: 'draft' }, { body: 'First' });
    const key = controller.keyOf(article);
    const answer = await controller.fetch(ArticleResource.update, { slug: 'draft' }, { title: 'Final' });
    expect(answer.article.slug).toBe('final');
    expect(controller.keyOf(answer.article)).toBe(key);
    expect(titlesOf(controller)?.filter((title) => title === 'Final' || title === 'Draft')).toEqual([
      'Final',
    ]);
    expect(controller.get(Article, { slug: 'draft' })).toBe(controller.get(Article, { slug: 'final' }));
    const { comments } = await controller.fetch(CommentResource.getList, { slug: 'final' });
    expect(comments.map(({ body }) => body)).toEqual(['First']);
  });

  it('a favorite and a follow are shown at once, and rolled back when the server rejects them', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    const slug = 'fog-from-inside';
    const favoring = controller.fetch(ArticleResource.favorite, { slug });
    expect(controller.get(ArticleSummary, { slug })).toMatchObject({ favorited: true, favoritesCount: 1 });
    await favoring;
    expect(controller.get(ArticleSummary, { slug })).toMatchObject({ favorited: true, favoritesCount: 1 });
    await controller.fetch(ArticleResource.unfavorite, { slug });
    expect(controller.get(ArticleSummary, { slug })).toMatchObject({ favorited: false, favoritesCount: 0 });

    const following = controller.fetch(ProfileResource.follow, { username: 'ben' });
    expect(controller.get(ArticleSummary, { slug })?.author.following).toBe(true);
    await following;
    const missing = controller.fetch(ProfileResource.follow, { username: 'nobody' });
    await expect(missing).rejects.toMatchObject({ status: 404 });
    expect(controller.get(Profile, { username: 'nobody' })).toBe(undefined);
  });

  it('the list of favorites stays in sync with the articles', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    for (const favorited of ['ada', 'ben']) await controller.fetch(ArticleResource.getList, { favorited });
    const favorites = () => titlesOf(controller, { favorited: 'ada' });
    const favoring = controller.fetch(ArticleResource.favorite, { slug: 'fog-from-inside' });
    expect(favorites()).toEqual(['Fog, from inside']);
    await favoring;
    await controller.fetch(ArticleResource.favorite, { slug: 'soup-that-forgives' });
    expect(favorites()).toEqual(['Soup that forgives', 'Fog, from inside']);
    await server.stop();
    await controller.fetch(ArticleResource.unfavorite, { slug: 'fog-from-inside' });
    expect(favorites()).toEqual(['Soup that forgives']);
    expect(titlesOf(controller, { favorited: 'ben' })).toEqual([]);
    await goOnline(controller);
    expect(await outboxOf(controller).drain()).toBe(true);
    const { articles } = await controller.fetch(ArticleResource.getList, { favorited: 'ada' });
    expect(articles.map(({ title }) => title)).toEqual(['Soup that forgives']);
  });

  it('a rejected form reports which field the server refused, and why', async () => {
    const controller = open();
    const creating = controller.fetch(ArticleResource.create, text(''));
    await expect(creating).rejects.toMatchObject({
      status: 422,
      body: { errors: { title: ["can't be blank"] } },
    });
  });

  it('deleting removes an article and a comment', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList, { author: 'ada' });
    const { article } = await controller.fetch(ArticleResource.create, text('Draft'));
    const { slug } = article;
    await controller.fetch(CommentResource.getList, { slug });
    const { comment } = await controller.fetch(CommentResource.create, { slug }, { body: 'First' });
    await controller.fetch(CommentResource.delete, { slug, id: comment.id });
    expect(controller.getResponse(CommentResource.getList, { slug }).data?.comments).toEqual([]);
    await controller.fetch(ArticleResource.delete, { slug });
    expect(titlesOf(controller, { author: 'ada' })).not.toContain('Draft');
  });
});

describe('offline', () => {
  it('an article and its comment written offline are shown after a reload and once they are sent', async () => {
    const first = open();
    await first.fetch(ArticleResource.getList);
    await server.stop();
    const { article } = await first.fetch(ArticleResource.create, text('In the tunnel', 'coast'));
    expect(article.title).toBe('In the tunnel');
    expect(article.slug).not.toBe('');
    const { slug } = article;
    expect((await first.fetchIfStale(CommentResource.getList, { slug })).comments).toEqual([]);
    const { comment } = await first.fetch(CommentResource.create, { slug }, { body: 'Dark here' });
    expect(comment.author.username).toBe('ada');
    expect(titlesOf(first)?.[0]).toBe('In the tunnel');
    expect(outboxOf(first).isPending(article)).toBe(true);
    await close(first);

    const second = open();
    await second.ready;
    const shown = await second.fetchIfStale(ArticleResource.getList);
    expect(shown.articles[0]).toMatchObject({ title: 'In the tunnel', slug });
    expect(second.get(Article, { slug })?.author.username).toBe('ada');
    expect(outboxOf(second).status.get().pending).toHaveLength(2);
    const before = await second.fetchIfStale(CommentResource.getList, { slug });
    expect(before.comments.map(({ body }) => body)).toEqual(['Dark here']);

    await goOnline(second);
    expect(await outboxOf(second).drain()).toBe(true);
    const after = await second.fetchIfStale(CommentResource.getList, { slug: 'in-the-tunnel' });
    expect(after.comments.map(({ body }) => body)).toEqual(['Dark here']);
    const { comments } = await second.fetch(CommentResource.getList, { slug });
    expect(comments.map(({ body }) => body)).toEqual(['Dark here']);
  });

  it('a comment on an article created offline is sent after the article, with its real slug', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    await server.stop();
    const { article } = await controller.fetch(ArticleResource.create, text('In the tunnel'));
    await controller.fetch(CommentResource.create, { slug: article.slug }, { body: 'Dark here' });
    await controller.fetch(ArticleResource.favorite, { slug: article.slug });
    const key = controller.keyOf(article);

    await goOnline(controller);
    expect(await outboxOf(controller).drain()).toBe(true);
    expect(await server.mutations()).toEqual([
      'POST /articles 201',
      'POST /articles/in-the-tunnel/comments 201',
      'POST /articles/in-the-tunnel/favorite 200',
    ]);
    const sent = controller.get(Article, { slug: 'in-the-tunnel' })!;
    expect(sent).toMatchObject({ favorited: true, author: { username: 'ada' } });
    expect(controller.keyOf(sent)).toBe(key);
    // The screen that was opened with the temporary slug continues.
    expect(controller.getResponse(ArticleResource.get, { slug: article.slug }).data?.article).toBe(sent);
    expect(titlesOf(controller)?.filter((title) => title === 'In the tunnel')).toHaveLength(1);
  });

  it('a comment is sent to the new slug after a title that was changed offline', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    const { slug } = (await controller.fetch(ArticleResource.create, text('Draft'))).article;
    await controller.fetch(CommentResource.getList, { slug });
    await server.change({ clearLog: true });
    await server.stop();
    await controller.fetch(ArticleResource.update, { slug }, { title: 'Final' });
    await controller.fetch(CommentResource.create, { slug }, { body: 'Much better' });
    await controller.fetch(ArticleResource.favorite, { slug });
    expect(controller.get(Article, { slug })?.title).toBe('Final');

    await goOnline(controller);
    expect(await outboxOf(controller).drain()).toBe(true);
    expect(await server.mutations()).toEqual([
      'PUT /articles/draft 200',
      'POST /articles/final/comments 201',
      'POST /articles/final/favorite 200',
    ]);
    expect(titlesOf(controller)?.[0]).toBe('Final');
    const { comments } = await controller.fetchIfStale(CommentResource.getList, { slug: 'final' });
    expect(comments.map(({ body }) => body)).toEqual(['Much better']);
  });

  it('no mutation is executed twice when responses are lost', async () => {
    const controller = open();
    await server.change({
      next: [
        { kind: 'dropAfter', method: 'POST', path: '/articles' },
        { kind: 'error', method: 'POST', path: '/articles' },
      ],
    });
    await controller.fetch(ArticleResource.create, text('Once'));
    while (!(await outboxOf(controller).drain())) await goOnlineAgain(controller);
    const { articles } = await controller.fetch(ArticleResource.getList, { author: 'ada' });
    expect(articles.filter(({ title }) => title === 'Once')).toHaveLength(1);
  });

  it('queued mutations and stored data survive when a captive portal responds in place of the server', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    await server.change({ portal: true });
    await controller.fetch(ArticleResource.create, text('Behind the portal'));
    await controller.fetch(ArticleResource.getList).catch(() => undefined);
    expect(titlesOf(controller)).toHaveLength(15);
    expect(outboxOf(controller).status.get()).toMatchObject({ pending: [{}], failed: [] });
    await server.change({ portal: false });
    while (!(await outboxOf(controller).drain())) await goOnlineAgain(controller);
    expect(controller.get(Article, { slug: 'behind-the-portal' })?.title).toBe('Behind the portal');
  });
});

async function goOnlineAgain(controller: Controller): Promise<void> {
  const connection = controller.plugins.find(({ name }) => name === 'reachability') as ReachabilityPlugin;
  await connection.probe();
}

describe('signing in', () => {
  it('queued mutations are sent once a user with an expired token has signed in again', async () => {
    const controller = open();
    await controller.fetch(ArticleResource.getList);
    // Before the server is away: once it is back, the outbox may send at any moment.
    await server.change({ expireTokens: true });
    await server.stop();
    await controller.fetch(ArticleResource.create, text('In the tunnel'));
    await goOnline(controller);
    await outboxOf(controller).drain();
    expect(outboxOf(controller).status.get()).toMatchObject({
      state: 'needs-auth',
      pending: [{ status: 'needs-auth' }],
      failed: [],
    });
    expect(titlesOf(controller)?.[0]).toBe('In the tunnel');
    expect(told).toEqual(['HF_OUTBOX_AUTH']);

    await login('ada');
    expect(await outboxOf(controller).resume()).toBe(true);
    expect((await server.mutations()).filter((line) => line.startsWith('POST /articles'))).toEqual([
      'POST /articles 401',
      'POST /articles 201',
    ]);
  });

  it('mutations of one user are never sent with the token of another, nor shown to them', async () => {
    const ada = open();
    await ada.fetch(ArticleResource.getList);
    await server.stop();
    await ada.fetch(ArticleResource.create, text('By Ada'));
    await close(ada);
    await server.start();

    await login('ben');
    const ben = open();
    await ben.ready;
    expect(outboxOf(ben).status.get().entries).toEqual([]);
    expect(await outboxOf(ben).drain()).toBe(true);
    const { articles } = await ben.fetch(ArticleResource.getList);
    expect(articles.map(({ title }) => title)).not.toContain('By Ada');
    await ben.fetch(ArticleResource.create, text('By Ben'));
    await close(ben);

    await login('ada');
    const again = open();
    await again.ready;
    expect(await outboxOf(again).drain()).toBe(true);
    const made = (await server.log()).filter(({ method, path }) => method === 'POST' && path === '/articles');
    expect(made.map(({ user, body }) => [user, body])).toMatchObject([
      ['ben', { article: { title: 'By Ben' } }],
      ['ada', { article: { title: 'By Ada' } }],
    ]);
  });
});

describe('two tabs', () => {
  it('two tabs show the same article after each has edited it', async () => {
    const [left, right] = [open(), open()];
    await left.fetch(ArticleResource.getList);
    await right.fetch(ArticleResource.getList);
    const { slug } = (await left.fetch(ArticleResource.create, text('Draft'))).article;
    await left.fetch(ArticleResource.update, { slug }, { title: 'Final' });
    while (titlesOf(right)?.[0] !== 'Final') await new Promise(setImmediate);
    await right.fetch(ArticleResource.update, { slug: 'final' }, { description: 'By the other tab' });
    while (left.get(ArticleSummary, { slug: 'final' })?.description !== 'By the other tab')
      await new Promise(setImmediate);
    expect(titlesOf(left)).toEqual(titlesOf(right));
    expect(titlesOf(left)).toHaveLength(15);
  });
});
