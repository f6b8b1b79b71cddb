import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type { BackForwardPage } from '../scenarios/backForward.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly backForward: BackForwardPage;
  }
}

describeInBrowser('a page that is left while it writes, and that people go back to', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    const scenario = (name: string) => path.join(__dirname, '../scenarios', `${name}.ts`);
    site = await serve({ backForward: scenario('backForward'), hello: scenario('hello') });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** On a busy machine, opening the database may take longer than an app waits. */
  async function open(search: string): Promise<Page> {
    const page = await browser.context.newPage();
    do await page.goto(`${site.origin}/backForward${search}`);
    while (!(await page.evaluate(() => window.backForward.isWorking())));
    return page;
  }

  it.each([
    ['beside its rows', '', 1],
    ['beside its rows, of which there are many', '', 6_000],
    ['in a database of its own', '?alone', 1],
  ])('a page restored by back navigation writes again, with an outbox %s', async (_, search, count) => {
    const page = await open(search);
    // The page may be gone before it can answer.
    const leaveBy = (code: string) => page.evaluate(code).catch(() => undefined);
    for (let round = 1; round <= 3; round++) {
      const leave = `backForward.leave(${count}, ${JSON.stringify(`${site.origin}/hello`)})`;
      await leaveBy(leave);
      await page.waitForFunction("location.pathname === '/hello' && document.readyState === 'complete'");
      await leaveBy('history.back()');
      await page.waitForFunction("location.pathname === '/backForward' && 'backForward' in globalThis");
      const waiting = await page.evaluate(() => window.backForward.write());
      // Some browsers keep no page for going back: there it begins again, with what lies on disk.
      expect(waiting).toBeGreaterThanOrEqual(round);
    }
    const returns = await page.evaluate(() => window.backForward.returns());
    console.log(`${returns} of 3 came back from the back/forward cache`);
    const waiting = await page.evaluate(() => window.backForward.waiting());
    await page.close();
    const next = await open(search);
    // Closing it has left one more.
    expect(await next.evaluate(() => window.backForward.waiting())).toBeGreaterThanOrEqual(waiting);
    await next.evaluate(() => window.backForward.reset());
    await next.close();
  });
});
