import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type {} from '../scenarios/logout.ts';
import { serve, type Site } from '../serve.ts';

const SECRET = 'correct horse battery staple';

describeInBrowser('after a log-out in one of two pages', () => {
  let site: Site;
  let browser: Browser;
  let answerLate: (() => void)[] = [];
  beforeAll(async () => {
    const notes = Array.from({ length: 40 }, (_, id) => ({ id: `n${id}`, text: SECRET }));
    const body = JSON.stringify({ owner: SECRET, notes });
    const scripts = { logout: path.join(__dirname, '../scenarios/logout.ts') };
    site = await serve(scripts, ({ url }, response) => {
      const answer = (): void => void response.setHeader('content-type', 'application/json').end(body);
      if (url === '/late') answerLate.push(answer);
      else answer();
    });
  });
  afterAll(async () => {
    await site.close();
  });

  async function open(search: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/logout${search}`);
    await page.waitForFunction(() => 'logoutPage' in globalThis);
    return page;
  }
  const memory = (page: Page): Promise<string> => page.evaluate(() => logoutPage.memory());
  const disk = (page: Page): Promise<Record<string, string>> => page.evaluate(() => logoutPage.disk());

  it.each([
    ['with a broadcast', '?told'],
    ['without a broadcast', ''],
  ])('a logout in one of two pages %s removes all data of the user', async (_which, search) => {
    answerLate = [];
    browser = await launch();
    const [first, second] = [await open(search), await open(search)];
    // It lies in shards, results, records of another plugin and the log, …
    await first.evaluate(() => logoutPage.use('n1'));
    while (!(await disk(first))['shards']?.includes(SECRET))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await second.evaluate(() => logoutPage.use('n2'));
    // An idle page compacts the log: then another one has to be written.
    let before = await disk(first);
    for (let count = 3; before['log']?.includes(SECRET) !== true; count++) {
      await first.evaluate((note) => logoutPage.use(note), `n${count}`);
      before = await disk(first);
    }
    const secret: unknown = expect.stringContaining(SECRET);
    expect(before).toMatchObject({ shards: secret, results: secret, outbox: secret, log: secret });
    for (const page of [first, second]) expect(await memory(page)).toContain(SECRET);
    // … and is yet to be written, and on its way.
    for (const page of [first, second])
      await page.evaluate((text) => logoutPage.change('n4', text), `${SECRET}, changed`);
    while (answerLate.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));

    await first.evaluate(() => logoutPage.reset());
    for (const answer of answerLate) answer();
    for (const page of [second, first]) await page.evaluate(() => logoutPage.settle());
    expect(await memory(first)).not.toContain(SECRET);
    expect(await memory(second)).not.toContain(SECRET);
    expect(Object.values(await disk(second)).join()).not.toContain(SECRET);

    // Nor does it come back as pages are left, or with a page that is opened then.
    await Promise.all([first, second].map((page) => page.close({ runBeforeUnload: true })));
    const third = await open(search);
    await third.evaluate(() => logoutPage.settle());
    expect(await memory(third)).not.toContain(SECRET);
    expect(Object.values(await disk(third)).join()).not.toContain(SECRET);
    await browser.close();
  });
});
