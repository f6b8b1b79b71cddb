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

describeInBrowser('a disk that is full', () => {
  let site: Site;
  let browser: Browser;
  const server = new NoteServer();
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, server.respond);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('a full disk loses neither memory nor queued mutations, and writes are retried until there is room', async () => {
    server.reset();
    const page = await browser.context.newPage();
    const session = await browser.context.newCDPSession(page);
    const { origin } = site;
    // Before anything is stored: Chromium remembers for a while how much room there was.
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000_000 });
    await page.goto(`${origin}/faults`);
    expect(await page.evaluate(() => window.faults.created('queued before'))).toBe(true);
    await page.evaluate(() => window.faults.store('before', 5, 1_000));
    // It reports this, and continues in memory.
    await expect(page.evaluate(() => window.faults.store('during', 20, 100_000))).rejects.toThrow(
      'HF_STORAGE',
    );
    expect(await page.evaluate(() => window.faults.state())).toBe('degraded');
    expect(await page.evaluate(() => window.faults.inMemory())).toHaveLength(5 + 20 + 1);
    // A mutation is kept where there is room for it alone; what cannot be kept is never said to be queued.
    expect(await page.evaluate(() => window.faults.created('queued beside'))).toBe(true);
    expect(await page.evaluate(() => window.faults.created('refused', 1_500_000))).toBe(false);
    expect(await page.evaluate(() => window.faults.queued())).toEqual(['queued before', 'queued beside']);
    const problems = await page.evaluate(() => window.faults.problems);
    expect(problems.filter((problem) => problem.includes('it cannot be written'))).toHaveLength(1);
    // There is space again: the app does not have to do anything.
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    await page.waitForFunction(() => window.faults.state() === 'working', undefined, { polling: 50 });
    await page.close();

    const next = await browser.context.newPage();
    await next.goto(`${origin}/faults`);
    const restored = await next.evaluate(() => window.faults.restored());
    // What was there before may have been evicted to make room.
    expect(restored.filter((id) => id.startsWith('during'))).toHaveLength(20);
    server.isUp = true;
    expect(await next.evaluate(() => window.faults.drain())).toBe(true);
    expect(server.received).toEqual(['queued before', 'queued beside']);
    await next.close();
  });
});
