import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 4);

describeInBrowser('a page that navigates as soon as it has called a mutation', () => {
  let site: Site;
  beforeAll(async () => {
    const scripts = { faults: path.join(__dirname, '../scenarios/faults.ts') };
    site = await serve(scripts, (request, response) => {
      // The server is down for mutations.
      if (request.method === 'POST') request.socket.destroy();
      else response.end('Elsewhere');
    });
  });
  afterAll(async () => {
    await site.close();
  });

  it('a mutation that is made right before a navigation stays in the outbox', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    const open = async (): Promise<void> => {
      await page.goto(`${site.origin}/faults`);
      await page.waitForFunction(() => 'faults' in globalThis);
      await page.evaluate(() => window.faults.restored());
      await page.evaluate(() => window.faults.flush());
    };
    const texts: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await open();
      await page.waitForFunction((count) => window.faults.queued().length === count, round);
      // In Chromium, the first write of a page waits until the browser has started a new log: docs/storage.md.
      await page.evaluate(() => window.faults.store('opened', 1, 10));
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
    await page.waitForFunction((count) => window.faults.queued().length === count, ROUNDS);
    expect(await page.evaluate(() => window.faults.queued())).toEqual(texts);
    await page.evaluate(() => window.faults.reset());
    await close();
  });
});
