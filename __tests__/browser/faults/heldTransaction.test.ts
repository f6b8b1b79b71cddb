import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';
import { NoteServer } from './NoteServer.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

/** How long the other page holds its transaction, in ms: longer than pages wait for one. */
const HELD = 8_000;

describeInBrowser('a transaction that another page holds', () => {
  let site: Site;
  let browser: Browser;
  const server = new NoteServer();
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request, response) => {
      if (request.url === '/blank') response.end();
      else server.respond(request, response);
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('a page that starts meanwhile stores everything once the transaction has ended, and sends its mutation once', async () => {
    const { origin } = site;
    const first = await browser.context.newPage();
    await first.goto(`${origin}/faults`);
    await first.evaluate(() => window.faults.store('before', 3, 100));
    await first.close();
    const holder = await browser.context.newPage();
    await holder.goto(`${origin}/blank`);
    await holder.evaluate(
      (held) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('faults');
          opening.onsuccess = () => {
            const stores = [...opening.result.objectStoreNames];
            const transaction = opening.result.transaction(stores, 'readwrite');
            const end = performance.now() + held;
            const again = (): void => {
              if (performance.now() > end) return;
              transaction.objectStore(stores[0]!).get('none').onsuccess = again;
            };
            again();
            resolve();
          };
        }),
      HELD,
    );

    server.isUp = true;
    const page = await browser.context.newPage();
    await page.goto(`${origin}/faults`);
    await page.evaluate(() => window.faults.store('during', 3, 100)).catch(() => undefined);
    await page.evaluate(() => window.faults.create('queued'));
    await page.waitForFunction(() => window.faults.state() === 'degraded', undefined, { polling: 50 });
    expect(await page.evaluate(() => window.faults.problems)).toContainEqual(
      expect.stringContaining('A transaction of another tab does not end'),
    );
    await page.waitForFunction(() => window.faults.state() === 'working', undefined, { polling: 50 });
    expect(await page.evaluate(() => window.faults.drain())).toBe(true);
    await page.evaluate(() => window.faults.flush());
    expect(server.received).toEqual(['queued']);
    await page.close();

    const next = await browser.context.newPage();
    await next.goto(`${origin}/faults`);
    const restored = await next.evaluate(() => window.faults.restored());
    const stored = ['before', 'during'].flatMap((prefix) => [0, 1, 2].map((nth) => `${prefix}-${nth}`));
    expect([...restored].sort()).toEqual([...stored, 'server-1']);
    expect(await next.evaluate(() => window.faults.queued())).toEqual([]);
    await next.close();
    expect(server.received).toEqual(['queued']);
  });
});
