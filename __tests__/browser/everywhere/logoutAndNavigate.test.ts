import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import path from 'node:path';
import { browserName, describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import type {} from '../scenarios/logout.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const SECRET = 'correct horse battery staple';
const ROUNDS = 4;

describeInBrowser('a page that navigates as soon as it has called reset()', () => {
  let browser: Browser;
  // Each test has an origin of its own, with a database of its own.
  let site: Site;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    const notes = Array.from({ length: 40 }, (_, id) => ({ id: `n${id}`, text: SECRET }));
    const scripts = {
      logout: path.join(__dirname, '../scenarios/logout.ts'),
      faults: path.join(__dirname, '../scenarios/faults.ts'),
    };
    site = await serve(scripts, (request, response) => {
      // The server is down for mutations.
      if (request.method === 'POST') request.socket.destroy();
      else
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ owner: SECRET, notes }));
    });
  });
  afterEach(async () => {
    await site.close();
  });

  async function open(page: Page): Promise<void> {
    await page.goto(`${site.origin}/logout`);
    await page.waitForFunction(() => 'logoutPage' in globalThis);
  }

  const states = [
    ['idle', undefined],
    ['writing', 'write'],
    // In WebKit, a transaction of another connection that is open when the page is left blocks the database for ever.
    ...(browserName === 'webkit' ? [] : [['reading', 'read'] as const]),
  ] as const;
  it.each(states)(
    `a page that was %s and navigates after reset() leaves no data of the user, ${ROUNDS} times in a row`,
    async (_which, work) => {
      const page = await browser.context.newPage();
      for (let round = 0; round < ROUNDS; round++) {
        await open(page);
        await page.evaluate(() => logoutPage.use('n1'));
        expect(JSON.stringify(await page.evaluate(() => logoutPage.disk()))).toContain(SECRET);
        const leaving = page.evaluate(
          ([inProgress, text]) => {
            if (inProgress === 'write') logoutPage.write('n2', text);
            if (inProgress === 'read') logoutPage.read();
            void logoutPage.reset();
            location.assign('/signedOut');
          },
          [work, SECRET] as const,
        );
        // The page may be gone before the driver learns that this has ended.
        await leaving.catch(() => undefined);
        await page.waitForFunction(() => location.pathname === '/signedOut');
        await open(page);
        await page.evaluate(() => logoutPage.settle());
        expect(await page.evaluate(() => logoutPage.memory())).not.toContain(SECRET);
        expect(JSON.stringify(await page.evaluate(() => logoutPage.disk()))).not.toContain(SECRET);
      }
      await page.close();
    },
  );

  it(`a page that logs out and navigates before its database is open leaves no data of the user, ${ROUNDS} times in a row`, async () => {
    const page = await browser.context.newPage();
    for (let round = 0; round < ROUNDS; round++) {
      await open(page);
      await page.evaluate(() => logoutPage.use('n1'));
      await page.evaluate(() => logoutPage.settle());
      await page.goto(`${site.origin}/logout?leave`).catch(() => undefined);
      await page.waitForFunction(() => location.pathname === '/signedOut');
      await open(page);
      await page.evaluate(() => logoutPage.settle());
      expect(await page.evaluate(() => logoutPage.memory())).not.toContain(SECRET);
      expect(JSON.stringify(await page.evaluate(() => logoutPage.disk()))).not.toContain(SECRET);
    }
    await page.close();
  });

  it.each(['', '?alone'])(
    'a page that navigates after reset() leaves no queued mutation on disk (%s)',
    async (search) => {
      const page = await browser.context.newPage();
      const openPage = async (): Promise<void> => {
        await page.goto(`${site.origin}/faults${search}`);
        await page.waitForFunction(() => 'faults' in globalThis);
        await page.evaluate(() => window.faults.restored());
      };
      for (let round = 0; round < ROUNDS; round++) {
        await openPage();
        for (let nth = 0; nth < 3; nth++) await page.evaluate((text) => window.faults.create(text), SECRET);
        await page.waitForFunction(() => window.faults.queued().length === 3);
        await page.evaluate(() => window.faults.flush());
        const leaving = page.evaluate(() => {
          void window.faults.reset();
          location.assign('/signedOut');
        });
        await leaving.catch(() => undefined);
        await page.waitForFunction(() => location.pathname === '/signedOut');
        await openPage();
        expect(await page.evaluate(() => window.faults.drain())).toBe(true);
        expect(await page.evaluate(() => window.faults.queued())).toEqual([]);
      }
      await page.close();
    },
  );
});
