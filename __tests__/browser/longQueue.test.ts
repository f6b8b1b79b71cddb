import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from './chromium.ts';
import type { LongQueuePage } from './scenarios/longQueue.ts';
import { serve, type Site } from './serve.ts';

const CREATES = 10_000;

const inPage = (): LongQueuePage => (window as unknown as { page: LongQueuePage }).page; // set by the scenario

describeInBrowser('a page with many queued creates', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ longQueue: path.join(__dirname, 'scenarios/longQueue.ts') });
  });
  afterAll(async () => {
    await site.close();
  });

  it('shows them after a reload and sends each once, in order', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.addInitScript(`window.inPage = ${String(inPage)}`);
    // Offline for the queue, while the page itself comes from its server.
    await page.addInitScript(
      'Object.defineProperty(navigator, "onLine", { get: () => window.isOnline === true })',
    );
    await page.goto(`${site.origin}/longQueue`);
    expect(await page.evaluate('inPage().texts()')).toEqual([]);
    const all = Array.from({ length: CREATES }, (_, place) => String(place));
    const figures: string[] = [];
    const timed = async (what: string, run: string): Promise<unknown> => {
      await page.evaluate('inPage().longestTask()');
      const begin = performance.now();
      const result = await page.evaluate(run);
      const took = Math.round(performance.now() - begin);
      const longest = Math.round(await page.evaluate<number>('inPage().longestTask()'));
      figures.push(`${what} ${took} ms (${longest === 0 ? 'no task of 50 ms' : `longest task ${longest}`})`);
      return result;
    };

    await timed('kept in', `inPage().create(${CREATES})`);
    expect(await page.evaluate('inPage().texts()')).toEqual(all);

    await page.reload();
    expect(await timed('shown again in', 'inPage().texts()')).toEqual(all);

    await page.evaluate('window.isOnline = true; window.dispatchEvent(new Event("online"))');
    expect(await timed('sent in', 'inPage().drain()')).toEqual(all);
    expect(await page.evaluate('inPage().texts()')).toEqual(all);
    console.log(`${CREATES} queued creates: ${figures.join(', ')}`);
    await close();
  });
});
