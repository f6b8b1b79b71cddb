import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, newProfile } from './chromium.ts';
import { serve, type Site } from './serve.ts';

describeInBrowser('a browser test', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ hello: path.join(__dirname, 'scenarios/hello.ts') });
  });
  afterAll(async () => {
    await site.close();
  });

  it('the library runs in a page', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/hello`);
    expect(await page.title()).toBe('Ada');
    await close();
  });

  it('a page restores what an earlier browser process stored in the same profile', async () => {
    const profile = newProfile();
    const before = await launch(profile);
    const first = await before.context.newPage();
    await first.goto(`${site.origin}/hello`);
    await first.evaluate(() => {
      localStorage.setItem('kept', 'yes');
    });
    await before.close();

    const after = await launch(profile);
    const second = await after.context.newPage();
    await second.goto(`${site.origin}/hello`);
    expect(await second.evaluate(() => localStorage.getItem('kept'))).toBe('yes');
    await after.close();
  });
});
