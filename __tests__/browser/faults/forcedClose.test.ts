import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

describeInBrowser('a connection that is closed while the app writes', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request, response) => {
      if (request.url === '/blank') response.end();
      else request.socket.destroy();
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(address = 'faults'): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/${address}`);
    return page;
  }

  /** What closes it: another page that deletes the database, or the developer tools, which also delete it. */
  const closings: Readonly<Record<string, (other: Page) => Promise<unknown>>> = {
    deleteDatabase: (other) =>
      other.evaluate(
        () =>
          new Promise<void>((resolve, reject) => {
            const deleting = indexedDB.deleteDatabase('faults');
            deleting.onsuccess = () => resolve();
            deleting.onerror = () => reject(new Error('not deleted'));
          }),
      ),
    'the developer tools': async (other) => {
      const session = await browser.context.newCDPSession(other);
      await session.send('IndexedDB.enable');
      await session.send('IndexedDB.deleteDatabase', { securityOrigin: site.origin, databaseName: 'faults' });
      await session.detach();
    },
    'clearing the data of the origin': async (other) => {
      const session = await browser.context.newCDPSession(other);
      await session.send('Storage.clearDataForOrigin', { origin: site.origin, storageTypes: 'indexeddb' });
      await session.detach();
    },
  };

  it.each(Object.keys(closings))(
    'a connection closed during writes neither blocks a flush nor loses data: by %s',
    async (name) => {
      const [page, other] = [await open(), await open('blank')];
      const texts = ['one', 'two'];
      for (const text of texts) await page.evaluate((each) => window.faults.created(each), text);
      for (let round = 0; round < ROUNDS; round++) {
        await page.evaluate(() => window.faults.write());
        await page.waitForTimeout(20 + Math.random() * 60);
        await closings[name]?.(other);
        await page.evaluate(() => window.faults.rest());
        await page.waitForFunction(() => window.faults.state() === 'working', undefined, { polling: 50 });
      }
      const inMemory = await page.evaluate(() => window.faults.inMemory());
      expect(await page.evaluate(() => window.faults.queued())).toEqual(texts);
      await page.close();
      const next = await open();
      expect([...(await next.evaluate(() => window.faults.restored()))].sort()).toEqual([...inMemory].sort());
      expect(await next.evaluate(() => window.faults.queued())).toEqual(texts);
      await next.evaluate(() => window.faults.reset());
      await Promise.all([next.close(), other.close()]);
    },
  );
});
