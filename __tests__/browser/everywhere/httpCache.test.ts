import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type { HttpCachePage } from '../scenarios/httpCache.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly httpCache: HttpCachePage;
  }
}

describeInBrowser('a server that allows the browser to cache its responses', () => {
  const notes = new Map<string, string>();
  /** The status of each response to a GET. */
  const statuses: number[] = [];
  let site: Site;
  beforeAll(async () => {
    const scripts = { httpCache: path.join(__dirname, '../scenarios/httpCache.ts') };
    site = await serve(scripts, (request, response) => {
      void (async () => {
        let body = '';
        for await (const part of request) body += String(part);
        const id = request.url?.split('/')[2];
        if (request.method === 'PATCH' && id !== undefined) {
          const { text } = JSON.parse(body) as { text: string };
          notes.set(id, text);
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, text }));
          return;
        }
        const tag = `"${[...notes.values()].join('-')}"`;
        const isCurrent = request.headers['if-none-match'] === tag;
        response.writeHead(isCurrent ? 304 : 200, {
          'content-type': 'application/json',
          'cache-control': 'private, max-age=600',
          etag: tag,
        });
        statuses.push(response.statusCode);
        response.end(
          isCurrent ? undefined : JSON.stringify([...notes].map(([key, text]) => ({ id: key, text }))),
        );
      })();
    });
  });
  afterAll(async () => {
    await site.close();
  });
  beforeEach(() => {
    statuses.length = 0;
    notes.clear();
    notes.set('1', 'one').set('2', 'two');
  });

  it('a read after a change does not return an older response of the HTTP cache', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    const open = async (): Promise<void> => {
      await page.goto(`${site.origin}/httpCache`);
      await page.waitForFunction(() => 'httpCache' in globalThis);
    };
    await open();
    expect(await page.evaluate(() => window.httpCache.list())).toEqual(['one', 'two']);
    await page.evaluate(() => window.httpCache.change('1', 'changed'));
    expect(await page.evaluate(() => window.httpCache.list())).toEqual(['changed', 'two']);

    notes.set('2', 'changed by somebody else');
    await open();
    expect(await page.evaluate(() => window.httpCache.list())).toEqual([
      'changed',
      'changed by somebody else',
    ]);
    await close();
  });

  it('a read revalidates a cached response, unless the endpoint chooses another cache mode', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/httpCache`);
    await page.waitForFunction(() => 'httpCache' in globalThis);
    await page.evaluate(() => window.httpCache.list());
    await page.evaluate(() => window.httpCache.list());
    expect(statuses).toHaveLength(2);

    await page.evaluate(() => window.httpCache.listFromCache());
    // WebKitGTK has no cache here.
    const isCached = statuses[1] === 304;
    expect(statuses).toHaveLength(isCached ? 2 : 3);
    await close();
  });
});
