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

describeInBrowser('values that can be cloned but not stored', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, new NoteServer().respond);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('a flush leaves out only the rows with values that IndexedDB refuses although they can be cloned', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/faults`);
    const refused = await page.evaluate(() => window.faults.setRefused());
    expect(refused).toContain('module');
    await page.evaluate(() => window.faults.store('beside', 3, 100));
    await page.evaluate(() => window.faults.store('later', 3, 100));
    expect(await page.evaluate(() => window.faults.state())).toBe('working');
    expect(await page.evaluate(() => window.faults.problems)).toEqual(
      refused.map((id) => expect.stringMatching(new RegExp(`Note "${id}" .*HF_ROW_NOT_CLONABLE`, 's'))),
    );
    await page.close();

    const next = await browser.context.newPage();
    await next.goto(`${site.origin}/faults`);
    const restored = await next.evaluate(() => window.faults.restored());
    expect([...restored].sort()).toEqual(
      ['beside', 'later'].flatMap((prefix) => [0, 1, 2].map((nth) => `${prefix}-${nth}`)),
    );
    await next.close();
  });

  it('a mutation with an argument that IndexedDB refuses is not said to be queued, and the next one is', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/faults`);
    expect(await page.evaluate(() => window.faults.createdRefused())).toBe(false);
    expect(await page.evaluate(() => window.faults.created('next'))).toBe(true);
    expect(await page.evaluate(() => window.faults.queued())).toEqual(['next']);
    await page.close();
  });
});
