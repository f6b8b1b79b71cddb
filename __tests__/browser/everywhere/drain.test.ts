import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { describeInBrowser, launch, type Browser, type Page } from '../browsers.ts';
import type {} from '../scenarios/drain.ts';
import { serve, type Site } from '../serve.ts';

const ROUNDS = Number(process.env.DRAIN_ROUNDS ?? 12);

describeInBrowser('two pages that send what both of them have queued', () => {
  let site: Site;
  let browser: Browser;
  /** A server that knows no idempotency keys. */
  const notes: { id: number; text: string }[] = [];
  const keys: unknown[] = [];

  beforeAll(async () => {
    const scripts = { drain: path.join(__dirname, '../scenarios/drain.ts') };
    site = await serve(scripts, (request, response) => {
      const { url = '', method, headers } = request;
      response.setHeader('content-type', 'application/json');
      if (!url.startsWith('/notes')) return void response.writeHead(404).end();
      if (method === 'GET') return void response.end(JSON.stringify(notes));
      void text(request).then((body) => {
        keys.push(headers['idempotency-key']);
        const id = Number(url.split('/')[2] ?? notes.push({ id: notes.length + 1, text: '' }));
        Object.assign(notes[id - 1]!, JSON.parse(body), { id });
        response.end(JSON.stringify(notes[id - 1]));
      });
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/drain`);
    await page.waitForFunction(() => 'drainPage' in globalThis);
    await page.evaluate(() => drainPage.texts());
    return page;
  }

  it(`two pages send each queued mutation once and show the same, ${ROUNDS} times in a row`, async () => {
    const pages = [await open(), await open()];
    for (let round = 0; round < ROUNDS; round++) {
      for (const page of pages) await page.evaluate(() => drainPage.setOnline(false));
      for (const [place, page] of pages.entries())
        for (const name of ['a', 'b', 'c'])
          await page.evaluate((of) => drainPage.write(of), `${round} ${place} ${name}`);
      await Promise.all(
        pages.map((page) =>
          page.evaluate(() => {
            drainPage.setOnline(true);
            return drainPage.drain();
          }),
        ),
      );
      const expected = notes.map((note) => note.text).sort();
      expect(expected.filter((text) => !text.endsWith('edited again'))).toEqual([]);
      for (const page of pages)
        expect([...(await page.evaluate(() => drainPage.texts()))].sort()).toEqual(expected);
      expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([]);
    }
  });
});
