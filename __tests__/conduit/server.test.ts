import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConduitServer } from './ConduitServer.ts';

const server = new ConduitServer();
let ada: string;
let ben: string;

beforeAll(() => server.startFresh());
beforeEach(async () => {
  [ada, ben] = await Promise.all([server.tokenOf('ada'), server.tokenOf('ben')]);
  await server.change({ clearLog: true });
});
afterAll(() => server.end());

const write = (title: string, token = ada) =>
  server.ask('POST', '/articles', token, { article: { title, description: 'd', body: 'b' } });

/** Asks as a page or `fetch` would, and gives the status; undefined where there was no answer. */
async function statusOf(path: string, init: RequestInit = {}): Promise<number | undefined> {
  try {
    return (await fetch(server.url + path, init)).status;
  } catch {
    return undefined;
  }
}
const post = (token: string, key?: string): RequestInit => ({
  method: 'POST',
  headers: { Authorization: `Token ${token}`, ...(key !== undefined && { 'Idempotency-Key': key }) },
  body: JSON.stringify({ article: { title: 'Kept', description: 'd', body: 'b' } }),
});

describe('the Conduit server', () => {
  it('the Conduit server wraps its responses, and omits the body in lists', async () => {
    expect(await server.ask('GET', '/articles?limit=1&offset=1')).toEqual({
      articles: [expect.not.objectContaining({ body: expect.anything() })],
      articlesCount: 14,
    });
    expect(await server.ask('GET', '/articles/the-slowest-ferry')).toMatchObject({
      article: { body: expect.any(String), author: { username: 'ben', following: false } },
    });
    expect(await server.ask('GET', '/tags')).toEqual({
      tags: ['coast', 'tools', 'cooking', 'weather', 'maps'],
    });
  });

  it('the Conduit server gives an article a new, unique slug when its title changes', async () => {
    expect(await write('A change of mind')).toMatchObject({ article: { slug: 'a-change-of-mind' } });
    expect(await write('A change of mind')).toMatchObject({ article: { slug: 'a-change-of-mind-2' } });
    const change = { article: { title: 'Made up' } };
    expect(await server.ask('PUT', '/articles/a-change-of-mind', ada, change)).toMatchObject({
      article: { slug: 'made-up', title: 'Made up', body: 'b' },
    });
    expect(await server.ask('GET', '/articles/a-change-of-mind')).toEqual({
      errors: { article: ['not found'] },
    });
  });

  it('the Conduit server keeps favorites, follows and the feed of each user apart', async () => {
    await server.ask('POST', '/profiles/cleo/follow', ben);
    await server.ask('POST', '/articles/soup-that-forgives/favorite', ben);
    const count = async (path: string, token: string) =>
      ((await server.ask('GET', path, token)) as { articlesCount: number }).articlesCount;
    expect(await Promise.all([count('/articles/feed', ben), count('/articles/feed', ada)])).toEqual([4, 0]);
    expect(await count('/articles?favorited=ben', ada)).toBe(1);
    expect(await server.ask('GET', '/articles/soup-that-forgives', ada)).toMatchObject({
      article: { favorited: false, favoritesCount: 1 },
    });
  });

  it('the Conduit server names the rejected field, forbidden actions and unknown users', async () => {
    expect(await write('')).toEqual({ errors: { title: ["can't be blank"] } });
    const forbidden = await server.ask('PUT', '/articles/the-slowest-ferry', ada, { article: {} });
    expect(forbidden).toEqual({ errors: { article: ['forbidden'] } });
    expect(await server.ask('GET', '/articles/feed', 'x.y.z')).toEqual({
      errors: { token: ['is not valid'] },
    });
    expect(await server.ask('GET', '/user')).toEqual({ errors: { token: ['is missing'] } });
  });
});

describe('the settings of the Conduit server', () => {
  it('the Conduit server executes a request once per idempotency key, unless the setting is off', async () => {
    const made = async () => (await server.ask('GET', '/articles?author=ada')) as { articlesCount: number };
    const before = (await made()).articlesCount;
    expect([
      await statusOf('/articles', post(ada, 'k')),
      await statusOf('/articles', post(ada, 'k')),
    ]).toEqual([201, 201]);
    expect((await made()).articlesCount).toBe(before + 1);
    expect((await server.log()).filter(({ replayed }) => replayed)).toHaveLength(1);
    await server.change({ idempotency: false });
    await statusOf('/articles', post(ada, 'k'));
    await server.change({ idempotency: true });
    expect((await made()).articlesCount).toBe(before + 2);
  });

  it('the Conduit server makes the next requests fail in each way that a test plans', async () => {
    const kinds = ['error', 'dropBefore', 'dropAfter', 'portal'] as const;
    await server.change({ next: kinds.map((kind) => ({ kind, method: 'POST', path: '/articles' })) });
    const statuses = [];
    for (const kind of kinds) statuses.push(await statusOf('/articles', post(ada, kind)));
    expect(statuses).toEqual([503, undefined, undefined, 200]);
    const carriedOut = (await server.log()).filter(({ fault }) => fault !== undefined);
    expect(carriedOut.map(({ fault }) => fault)).toEqual(kinds);
    expect(await statusOf('/articles', post(ada, 'dropAfter'))).toBe(201);
    expect((await server.log()).at(-1)).toMatchObject({ replayed: true });

    await server.change({ next: [{ kind: 'hang' }] });
    const signal = AbortSignal.timeout(200);
    expect(await statusOf('/tags', { signal })).toBe(undefined);
  });

  it('the Conduit server remembers expired tokens across a restart', async () => {
    await server.change({ expireTokens: true });
    expect(await statusOf('/articles', post(ada))).toBe(401);
    await server.stop();
    await server.start();
    expect(await statusOf('/articles', post(ada))).toBe(401);
    expect(await statusOf('/articles', post(await server.tokenOf('ada')))).toBe(201);
    await server.change({ tokenLifetime: 0.05 });
    const brief = await server.tokenOf('ada');
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await server.ask('GET', '/user', brief)).toEqual({ errors: { token: ['has expired'] } });
    await server.change({ tokenLifetime: 0 });
  });

  it('the Conduit server allows other origins only the headers in its settings', async () => {
    const headersOf = async () => (await fetch(`${server.url}/tags`, { method: 'OPTIONS' })).headers;
    expect((await headersOf()).get('Access-Control-Allow-Headers')).toContain('Idempotency-Key');
    await server.change({ corsHeaders: 'Content-Type' });
    expect((await headersOf()).get('Access-Control-Allow-Headers')).toBe('Content-Type');
    await server.change({ cors: false });
    expect((await headersOf()).get('Access-Control-Allow-Origin')).toBe(null);
  });
});
