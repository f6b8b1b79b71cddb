import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable, type KillableBrowser } from '../killable.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

describeInBrowser('a page that is frozen while it writes', () => {
  let site: Site;
  let browser: KillableBrowser;
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request) =>
      request.socket.destroy(),
    );
    // By default, every page would count as visible, and such a page is not frozen.
    browser = await launchKillable(newProfile(), { noDefaults: true });
  });
  afterAll(async () => {
    await browser.kill();
    await site.close();
  });

  const context = () => browser.browser.contexts()[0]!;

  async function open(): Promise<Page> {
    const page = await context().newPage();
    await page.goto(`${site.origin}/faults`);
    return page;
  }

  it('a frozen page does not block the writes of other tabs, and loses none of its own', async () => {
    const [frozen, other] = [await open(), await open()];
    const session = await context().newCDPSession(frozen);
    for (let round = 0; round < ROUNDS; round++) {
      await frozen.bringToFront();
      await frozen.evaluate(() => window.faults.write());
      await frozen.waitForTimeout(20 + Math.random() * 60);
      await other.bringToFront();
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      await other.evaluate((nth) => window.faults.store(`other-${nth}`, 20, 100), round);
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      await frozen.evaluate(() => window.faults.rest());
      expect(await frozen.evaluate(() => window.faults.state())).toBe('working');
      expect(await other.evaluate(() => window.faults.state())).toBe('working');
    }
    const inMemory = [
      ...(await frozen.evaluate(() => window.faults.inMemory())),
      ...(await other.evaluate(() => window.faults.inMemory())),
    ];
    const next = await open();
    const restored = await next.evaluate(() => window.faults.restored());
    expect(restored).toEqual(expect.arrayContaining(inMemory));
    expect(await frozen.evaluate(() => window.faults.problems)).toEqual([]);
  });
});
