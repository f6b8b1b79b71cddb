import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser } from '../browsers.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 4);

describeInBrowser('a page that navigates as soon as it has called a mutation', () => {
  let browser: Browser;
  // Each test has an origin of its own, with a database of its own.
  let site: Site;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    const scripts = { faults: path.join(__dirname, '../scenarios/faults.ts') };
    site = await serve(scripts, (request, response) => {
      // The server is down for mutations.
      if (request.method === 'POST') request.socket.destroy();
      else response.end('Elsewhere');
    });
  });
  afterEach(async () => {
    await site.close();
  });

  it.each([
    ['stored with the rows', 'just opened', ''],
    ['stored with the rows', 'that has written before', ''],
    ['stored by the outbox itself', 'just opened', '?alone'],
    ['stored by the outbox itself', 'that has written before', '?alone'],
  ])('a mutation right before a navigation stays in the outbox: %s, by a page %s', async (_, age, search) => {
    const page = await browser.context.newPage();
    const open = async (): Promise<void> => {
      await page.goto(`${site.origin}/faults${search}`);
      await page.waitForFunction(() => 'faults' in globalThis);
    };
    const texts: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await open();
      if (age !== 'just opened') {
        await page.evaluate(() => window.faults.created('before'));
        texts.push('before');
      }
      const text = `round ${round}`;
      texts.push(text);
      const leaving = page.evaluate((value) => {
        window.faults.create(value);
        location.assign('/elsewhere');
      }, text);
      // The page may be gone before the driver learns that this has ended.
      await leaving.catch(() => undefined);
      await page.waitForFunction(() => location.pathname === '/elsewhere');
    }
    await open();
    await page.waitForFunction((count) => window.faults.queued().length === count, texts.length);
    expect(await page.evaluate(() => window.faults.queued())).toEqual(texts);
    // The next page has stored what the others could not.
    await page.evaluate(() => window.faults.drain());
    await page.waitForFunction(() => localStorage.length === 0);
    await page.evaluate(() => window.faults.reset());
    await page.close();
  });
});
