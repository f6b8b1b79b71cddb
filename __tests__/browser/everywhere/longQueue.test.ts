import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import { serve, type Site } from '../serve.ts';

const CREATES = 10_000;

describeInBrowser('a page with many queued creates', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ longQueue: path.join(__dirname, '../scenarios/longQueue.ts') });
  });
  afterAll(async () => {
    await site.close();
  });

  it('a page with 10,000 queued creates shows them after a reload and sends each once, in order', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/longQueue`);
    expect(await page.evaluate('page.texts()')).toEqual([]);
    const all = Array.from({ length: CREATES }, (_, place) => String(place));
    const figures: string[] = [];
    const timed = async (what: string, run: string): Promise<unknown> => {
      await page.evaluate('page.longestTask()');
      const begin = performance.now();
      const result = await page.evaluate(run);
      const took = Math.round(performance.now() - begin);
      const longest = Math.round(await page.evaluate<number>('page.longestTask()'));
      figures.push(`${what} ${took} ms (${longest === 0 ? 'no task of 50 ms' : `longest task ${longest}`})`);
      return result;
    };

    await timed('kept in', `page.create(${CREATES})`);
    expect(await page.evaluate('page.texts()')).toEqual(all);

    await page.reload();
    expect(await timed('shown again in', `page.texts(${CREATES})`)).toEqual(all);

    await page.evaluate('(window.isOnline = true, window.dispatchEvent(new Event("online")))');
    expect(await timed('sent in', 'page.drain()')).toEqual(all);
    expect(await page.evaluate('page.texts()')).toEqual(all);
    console.log(`${CREATES} queued creates: ${figures.join(', ')}`);
    await close();
  });
});
