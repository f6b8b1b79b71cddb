import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type {} from '../scenarios/tabs.ts';
import { serve, type Site } from '../serve.ts';

describeInBrowser('two pages of one app', () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await serve({ tabs: path.join(__dirname, '../scenarios/tabs.ts') });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(search = ''): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/tabs${search}`);
    await page.waitForFunction(() => 'tab' in globalThis);
    return page;
  }

  function write(page: Page, id: string, text: string): Promise<void> {
    return page.evaluate(([to, said]) => tab.write(to, said), [id, text] as const);
  }

  function shows(page: Page, texts: string[]): Promise<void> {
    return page.evaluate((wanted) => tab.shows(wanted), texts);
  }

  it('two pages show what either commits, with its expiry times', async () => {
    const [first, second] = [await open(), await open()];
    await write(first, '1', 'from the first');
    await shows(second, ['from the first']);
    await write(second, '1', 'from the second');
    await shows(first, ['from the second']);
    await first.evaluate(() => tab.fetch());
    await shows(second, ['from the network', 'too']);
    const expiresAt = await first.evaluate(() => tab.expiresAt());
    expect(await second.evaluate(() => tab.expiresAt())).toBe(expiresAt);
    await Promise.all([first.close(), second.close()]);
  });

  it('a reset in either page empties both', async () => {
    const [first, second] = [await open(), await open()];
    await write(first, '1', 'secret');
    await shows(second, ['secret']);
    await second.evaluate(() => tab.reset());
    await shows(first, []);
    await write(first, '1', 'after');
    await shows(second, ['after']);
    await Promise.all([first.close(), second.close()]);
  });

  it('pages ignore each other when their versions differ', async () => {
    const [old, young, younger] = [
      await open('?version=1'),
      await open('?version=2'),
      await open('?version=2'),
    ];
    await write(old, '1', 'old');
    await write(young, '2', 'young');
    await shows(younger, ['young']);
    // What the old page said was said before, and would have come before.
    expect(await young.evaluate(() => tab.texts())).toEqual(['young']);
    expect(await younger.evaluate(() => tab.texts())).toEqual(['young']);
    expect(await old.evaluate(() => tab.texts())).toEqual(['old']);
    await Promise.all([old.close(), young.close(), younger.close()]);
  });

  it('tabs notify a page that opens later of changes that are not on disk yet', async () => {
    const first = await open();
    await write(first, '1', 'a moment ago');
    const second = await open();
    await shows(second, ['a moment ago']);
    await Promise.all([first.close(), second.close()]);
  });
});
