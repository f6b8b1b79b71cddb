import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type { SharedDiskPage } from '../scenarios/sharedDisk.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly shared: SharedDiskPage;
  }
}

const ROUNDS = 120;

describeInBrowser('two pages and a worker that write and fold at once', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ sharedDisk: path.join(__dirname, '../scenarios/sharedDisk.ts') });
  });
  afterAll(async () => {
    await site.close();
  });

  async function open(context: Browser['context']): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${site.origin}/sharedDisk`);
    return page;
  }

  it('concurrent writers lose no row and no field, and the newest write wins', async () => {
    const { context, close } = await launch();
    const [first, second] = [await open(context), await open(context)];
    const last = await Promise.all([
      first.evaluate((rounds) => window.shared.write('first', rounds), ROUNDS),
      second.evaluate((rounds) => window.shared.write('second', rounds), ROUNDS),
      second.evaluate((rounds) => window.shared.writeInWorker('worker', rounds), ROUNDS),
    ]);
    const third = await open(context);
    const { rows, log } = await third.evaluate(() => window.shared.stored());
    for (let round = 0; round < ROUNDS; round++)
      for (const name of ['first', 'second', 'worker']) expect(rows).toHaveProperty(`${name}-${round}`);
    for (let id = 0; id < 12; id++) {
      expect(Object.keys(rows[id] ?? {}).sort()).toEqual(['at', 'first', 'id', 'second', 'worker']);
      expect(rows[id]?.['at']).toBe(Math.max(...last.map((times) => times[id] ?? 0)));
    }
    expect(log).toBeLessThan(60);
    await close();
  });

  it('another tab continues compaction when the compacting tab closes', async () => {
    const { context, close } = await launch();
    const [first, second] = [await open(context), await open(context)];
    const endless = first.evaluate((rounds) => window.shared.write('first', rounds), 1_000_000);
    endless.catch(() => undefined);
    const folded = async (page: Page): Promise<number> =>
      (await page.evaluate(() => window.shared.stored())).compactions;
    while ((await folded(first)) === 0);
    // Without a word, in the middle of whatever it does.
    await first.close({ runBeforeUnload: false });
    await second.evaluate((rounds) => window.shared.write('second', rounds), ROUNDS);
    while ((await folded(second)) === 0);
    const third = await open(context);
    const { log, rows } = await third.evaluate(() => window.shared.stored());
    expect(log).toBeLessThan(60);
    expect(rows).toHaveProperty('first-0');
    expect(rows).toHaveProperty(`second-${ROUNDS - 1}`);
    await close();
  });
});
