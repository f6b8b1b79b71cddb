import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';
import { NoteServer } from './NoteServer.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);

describeInBrowser('cleared site data', () => {
  let site: Site;
  let browser: Browser;
  const server = new NoteServer();

  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request, response) => {
      if (request.url === '/clear') response.setHeader('clear-site-data', '"storage"').end('cleared');
      else server.respond(request, response);
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(search = ''): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/faults${search}`);
    return page;
  }

  const clear = (page: Page): Promise<unknown> => page.evaluate(() => fetch('/clear').then((r) => r.text()));

  it('site data that is cleared while the app writes neither blocks a flush nor loses data in memory', async () => {
    const page = await open();
    for (let round = 0; round < ROUNDS; round++) {
      await page.evaluate(() => window.faults.write());
      await page.waitForTimeout(20 + Math.random() * 60);
      await clear(page);
      await page.waitForTimeout(Math.random() * 40);
      await page.evaluate(() => window.faults.rest());
      await page.waitForFunction(() => window.faults.state() === 'working', undefined, { polling: 50 });
    }
    expect(await page.evaluate(() => window.faults.problems)).toContainEqual(
      expect.stringContaining('it was deleted while the app was running'),
    );
    const inMemory = await page.evaluate(() => window.faults.inMemory());
    await page.close();
    const next = await open();
    const restored = await next.evaluate(() => window.faults.restored());
    expect([...restored].sort()).toEqual([...inMemory].sort());
    await next.evaluate(() => window.faults.reset());
    await next.close();
  });

  it('site data that is cleared while the app writes does not block a reset', async () => {
    const page = await open();
    for (let round = 0; round < ROUNDS; round++) {
      await page.evaluate(() => window.faults.write());
      await page.waitForTimeout(20 + Math.random() * 60);
      const cleared = clear(page);
      await page.evaluate(() => window.faults.reset());
      await cleared;
      await page.evaluate(() => window.faults.rest());
    }
    await page.evaluate(() => window.faults.reset());
    await page.close();
  });

  it.each(['', '?alone'])(
    'each queued mutation is sent once and in order after site data was cleared (%s)',
    async (search) => {
      const page = await open(search);
      // The first write waits until Chromium has started a new log. Clearing site data while databases are created and
      // deleted for that may block IndexedDB for 30 s in Chromium: docs/whatCanGoWrong.md.
      server.isUp = true;
      expect(await page.evaluate(() => window.faults.created('first'))).toBe(true);
      expect(await page.evaluate(() => window.faults.drain())).toBe(true);
      for (let round = 0; round < ROUNDS; round++) {
        server.reset();
        if (search === '') await page.evaluate(() => window.faults.write());
        const cleared = page.waitForTimeout(Math.random() * 100).then(() => clear(page));
        const queued: string[] = [];
        for (let nth = 0; nth < 5; nth++) {
          const text = `${round}-${nth}`;
          if (await page.evaluate((value) => window.faults.created(value), text)) queued.push(text);
          await page.waitForTimeout(Math.random() * 20);
        }
        await cleared;
        if (search === '') await page.evaluate(() => window.faults.rest());
        server.isUp = true;
        expect({ round, isSent: await page.evaluate(() => window.faults.drain()) }).toEqual({
          round,
          isSent: true,
        });
        expect({ round, received: server.received }).toEqual({ round, received: queued });
        expect(queued).not.toEqual([]);
        expect(await page.evaluate(() => window.faults.queued())).toEqual([]);
      }
      await page.evaluate(() => window.faults.reset());
      await page.close();
    },
  );

  it.each(['', '?alone'])('cleared site data loses no queued mutation (%s)', async (search) => {
    server.reset();
    const page = await open(search);
    const texts = ['one', 'two', 'three'];
    for (const text of texts)
      expect(await page.evaluate((value) => window.faults.created(value), text)).toBe(true);
    await clear(page);
    await page.waitForTimeout(1_000);
    expect(await page.evaluate(() => window.faults.queued())).toEqual(texts);
    expect(await page.evaluate(() => window.faults.drain())).toBe(false);
    await page.evaluate(() => window.faults.flush());
    await page.close();
    // Another start finds them: they were written again.
    const next = await open(search);
    expect(await next.evaluate(() => window.faults.drain())).toBe(false);
    expect(await next.evaluate(() => window.faults.queued())).toEqual(texts);
    server.isUp = true;
    expect(await next.evaluate(() => window.faults.drain())).toBe(true);
    expect(server.received).toEqual(texts);
    await next.evaluate(() => window.faults.reset());
    await next.close();
  });
});
