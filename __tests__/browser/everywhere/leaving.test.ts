import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import path from 'node:path';
import { browserName, describeInBrowser, launch, type Browser } from '../browsers.ts';
import { serve, type Site } from '../serve.ts';

describeInBrowser('a page that is left as an answer comes', () => {
  let browser: Browser;
  // Each test has an origin of its own, with a database of its own.
  let site: Site;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await serve({ leaving: path.join(__dirname, '../scenarios/leaving.ts') }, (request, response) => {
      const [, round, count] = /^\/arrivals\/(\d+)\/(\d+)$/.exec(request.url ?? '') ?? [];
      const rows = Array.from({ length: Number(count) }, (_, place) => ({
        id: `${round}-${place}`,
        text: `arrived in ${round}`,
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
    });
  });
  afterEach(async () => {
    await site.close();
  });

  // The last two write so many rows that the log is compacted concurrently.
  it.each([
    [1, 20],
    [50, 25],
    [600, 8],
  ])(
    'a page that is left when a response of %d rows arrives has stored it, %d times in a row',
    async (count, times) => {
      const page = await browser.context.newPage();
      await page.goto(`${site.origin}/leaving?rounds=${times}&count=${count}`);
      const lost = await page.waitForFunction(
        () => (globalThis as { lost?: readonly number[] }).lost,
        undefined,
        { timeout: 250_000 },
      );
      const rounds = await lost.jsonValue();
      // On a busy machine, WebKit may unload the page before its server has confirmed the start of the transaction.
      if (browserName === 'webkit') expect(rounds?.length).toBeLessThanOrEqual(1);
      else expect(rounds).toEqual([]);
      await page.close();
    },
  );
});
