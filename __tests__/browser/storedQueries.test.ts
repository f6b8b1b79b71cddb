import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, newProfile, type Browser } from './chromium.ts';
import type { Expected } from './scenarios/storedQueries.tsx';
import { serve, type Site } from './serve.ts';

/** `STORED_ISSUES=100000` is how many one device may have; fewer show the same. */
const ISSUES = Number(process.env['STORED_ISSUES'] ?? 20_000);

/** What the list of a project shows, computed from how the page fills the disk. */
function expectedOf(project: number): Expected {
  const open = Array.from({ length: ISSUES }, (_, at) => at).filter(
    (at) => at % 4 === 0 && at % 5 === project,
  );
  const priority = (at: number): number => (at * 7919) % 1_000;
  const byPk = (left: number, right: number): number => (`i${left}` < `i${right}` ? -1 : 1);
  const sorted = [...open].sort((left, right) => priority(right) - priority(left) || byPk(left, right));
  return { ids: sorted.slice(0, 50).map((at) => `i${at}`), count: open.length };
}

describeInBrowser('A live query of rows on disk', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await serve({ storedQueries: path.join(__dirname, 'scenarios/storedQueries.tsx') });
  });
  beforeEach(async () => {
    browser = await launch(newProfile());
    const page = await open();
    await page.evaluate((issues) => globalThis.storedQueries.fill(issues), ISSUES);
    // As when the app is left: the page is hidden before it goes.
    await page.goto('about:blank');
    await page.close();
  });
  afterEach(async () => {
    await browser.close();
  });
  afterAll(async () => {
    await site.close();
  });

  async function open(): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/storedQueries`);
    await page.waitForFunction(() => 'storedQueries' in globalThis);
    return page;
  }

  it.each(['lazy', 'progressive'] as const)(
    'a query shows its rows of the last screen at first paint, is complete in the end, and the status says that rows are missing until then, with a %s restore',
    async (restore) => {
      const page = await open();
      const seen = await page.evaluate((restore) => globalThis.storedQueries.show('p0', restore), restore);
      const { ids, count } = expectedOf(0);
      const [first, last] = [seen[0]!, seen.at(-1)!]; // it has waited for one
      if (process.env['STORED_ISSUES'] !== undefined)
        console.log(restore, ISSUES, `first ${first.at} ms, all ${last.at} ms, ${seen.length} screens`);
      expect(first).toMatchObject({ ids, count: undefined, isRestored: false });
      expect(first.inMemory).toBeLessThanOrEqual(500);
      expect(last).toMatchObject({ ids, count, isRestored: true, inMemory: ISSUES });
      for (const screen of seen) {
        if (screen.isRestored) expect(screen).toMatchObject({ ids, count });
        expect([undefined, count]).toContain(screen.count);
      }
    },
  );

  it.each(['lazy', 'progressive'] as const)(
    'while rows of a query that was not on the last screen are missing, the status says so, with a %s restore',
    async (restore) => {
      const page = await open();
      const seen = await page.evaluate((restore) => globalThis.storedQueries.show('p1', restore), restore);
      const { ids, count } = expectedOf(1);
      expect(seen[0]).toMatchObject({ ids: [], count: undefined, isRestored: false });
      expect(seen.at(-1)).toMatchObject({ ids, count, isRestored: true });
      for (const screen of seen) {
        if (screen.isRestored) expect(screen).toMatchObject({ ids, count });
        expect([undefined, count]).toContain(screen.count);
      }
    },
  );
});
