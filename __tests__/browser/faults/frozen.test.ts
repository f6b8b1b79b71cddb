import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable, type KillableBrowser } from '../killable.ts';
import type {} from '../scenarios/frozen.ts';
import { serve, type Site } from '../serve.ts';

/** A create request that the server has not answered. */
interface Asked {
  readonly text: string;
  readonly key: unknown;
  readonly response: ServerResponse;
}

describeInBrowser('a page that is frozen while it sends', () => {
  let site: Site;
  let browser: KillableBrowser;
  let context: BrowserContext;
  let asked: Asked[];
  let tell: () => void = () => undefined;
  beforeAll(async () => {
    site = await serve({ frozen: path.join(__dirname, '../scenarios/frozen.ts') }, (request, response) => {
      // The browser asks for an icon.
      if (request.method !== 'POST') return void response.writeHead(404).end();
      void text(request).then((body) => {
        const note = JSON.parse(body) as { readonly text: string }; // what the page sends
        asked.push({ ...note, key: request.headers['idempotency-key'], response });
        tell();
      });
    });
  });
  beforeEach(async () => {
    asked = [];
    // By default, every page would count as visible, and such a page is not frozen.
    browser = await launchKillable(newProfile(), { noDefaults: true });
    context = browser.browser.contexts()[0]!;
  });
  afterEach(async () => {
    await browser.kill();
  });
  afterAll(async () => {
    await site.close();
  });

  /** Waits until the server has received this number of create requests. */
  async function askedFor(count: number): Promise<readonly Asked[]> {
    while (asked.length < count) await new Promise<void>((resolve) => (tell = resolve));
    return asked;
  }

  async function open(search: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${site.origin}/frozen${search}`);
    await page.waitForFunction(() => 'frozenApp' in globalThis);
    return page;
  }

  const answer = ({ text: said, response }: Asked, id: number): unknown =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, text: said }));

  const drained = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => frozenApp.waiting() === 0, undefined, { polling: 50 });

  it.each([
    ['Web Locks', ''],
    ['a lease', '?lease'],
  ])(
    'a frozen page leaves its mutations to another tab, and does not send them when it wakes (%s)',
    async (_, search) => {
      const [frozen, other] = [await open(search), await open(search)];
      for (const said of ['one', 'two']) await frozen.evaluate((told) => void frozenApp.create(told), said);
      const [late] = await askedFor(1);
      const session = await context.newCDPSession(frozen);
      await other.bringToFront();
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      await other.evaluate(() => void frozenApp.create('three'));
      const [, one] = await askedFor(2);
      // With its key, by which the server knows it.
      expect([one!.text, one!.key]).toEqual(['one', late!.key]);
      answer(one!, 1);
      answer((await askedFor(3))[2]!, 2);
      answer((await askedFor(4))[3]!, 3);
      await drained(other);
      answer(late!, 1);
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      await drained(frozen);
      expect(asked.map((each) => each.text)).toEqual(['one', 'one', 'two', 'three']);
    },
  );
});
