import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable } from '../killable.ts';
import { logsOf } from '../logsOf.ts';
import type { StampsPage } from '../scenarios/stamps.ts';
import { serve, type Site } from '../serve.ts';
import { cellsAt, pksOf } from '../stampedRows.ts';

declare global {
  interface Window {
    readonly page: StampsPage;
  }
}

const KILLS = 30;

describeInBrowser('a browser that is killed while it writes', () => {
  let site: Site;
  let durable = 0;
  beforeAll(async () => {
    site = await serve(
      { stamps: path.join(__dirname, '../scenarios/stamps.ts') },
      ({ url = '' }, response) => {
        const stamp = /^\/durable\/(\d+)$/.exec(url)?.[1];
        if (stamp !== undefined) durable = Math.max(durable, Number(stamp));
        response.writeHead(204).end();
      },
    );
  });
  afterAll(async () => {
    await site.close();
  });

  it('a killed browser restarts with a consistent state that is never older than the last flush', async () => {
    const profile = newProfile();
    let written = 0;
    for (let kill = 0; kill <= KILLS; kill++) {
      const found = logsOf(profile);
      const { browser, kill: end } = await launchKillable(profile);
      try {
        const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
        await page.goto(`${site.origin}/stamps`);
        let stored = await page.evaluate(() => window.page.stored());
        // On a busy machine opening may take longer than an app waits.
        while (stored.problem?.includes('TimeoutError') === true) {
          await page.reload();
          stored = await page.evaluate(() => window.page.stored());
        }
        const { cells, list, problem } = stored;
        expect(problem).toBeUndefined();
        const stamp = cells['always-0'] ?? 0;
        expect(cells).toEqual(stamp === 0 ? {} : cellsAt(stamp));
        expect(list).toEqual(stamp === 0 ? undefined : pksOf(stamp));
        expect(stamp).toBeGreaterThanOrEqual(durable);
        if (kill > 0) expect(stamp).toBeGreaterThan(written);
        written = stamp;
        page.evaluate((first) => window.page.write(first), stamp + 1).catch(() => undefined);
        // Some time after the first promise. Of a log that a kill left unfinished nothing can be read after another one,
        // so not before Chromium has left it, which it does soon after the first write.
        while (durable <= written || found.some((log) => existsSync(log)))
          await new Promise((resolve) => setTimeout(resolve, 5));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      } finally {
        await end();
      }
    }
  });
});
