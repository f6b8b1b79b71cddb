import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type { IssueWindow } from '../scenarios/issuePage.ts';
import { serve, type Site } from '../serve.ts';

describeInBrowser('a controller in a service worker', () => {
  let site: Site;
  const asked: string[] = [];

  beforeAll(async () => {
    const scenario = (name: string) => path.join(__dirname, '../scenarios', `${name}.ts`);
    site = await serve(
      { issuePage: scenario('issuePage'), issueWorker: scenario('issueWorker') },
      (request, response) => {
        const id = /^\/api\/issues\/(\d+)$/.exec(request.url ?? '')?.[1];
        if (id === undefined) {
          response.writeHead(204).end();
          return;
        }
        asked.push(id);
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ id, title: `Issue ${id}` }));
      },
    );
  });
  afterAll(async () => {
    await site.close();
  });

  it('a service worker fetches and stores data that the page then reads from disk, without the network', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/issuePage`);
    const prefetched = await page.evaluate(() => (window as unknown as IssueWindow).issues.prefetch('7'));
    expect(prefetched).toBe('Issue 7');
    expect(asked).toEqual(['7']);
    expect(await page.evaluate(() => (window as unknown as IssueWindow).issues.read('7'))).toBe('Issue 7');
    await page.reload();
    expect(await page.evaluate(() => (window as unknown as IssueWindow).issues.read('7'))).toBe('Issue 7');
    expect(asked).toEqual(['7']);
    // A read that is not stored sends a request.
    expect(await page.evaluate(() => (window as unknown as IssueWindow).issues.read('8'))).toBe('Issue 8');
    expect(asked).toEqual(['7', '8']);
    await close();
  });
});
