import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, newProfile, type Browser } from '../chromium.ts';
import type { AttachmentsPage } from '../scenarios/attachments.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly attachments: AttachmentsPage;
  }
}

describeInBrowser.each([
  ['with the rows', ''],
  ['in a database of its own', '?own'],
])('a file of a queued mutation, where entries lie %s', (_, search) => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let isUp: boolean;
  let received: string[];
  const file = path.join(newProfile(), 'draft.txt');

  beforeAll(async () => {
    site = await serve(
      { attachments: path.join(__dirname, '../scenarios/attachments.ts') },
      (request, response) => {
        if (!isUp) {
          request.socket.destroy();
          return;
        }
        void text(request).then((body) => {
          received.push(/the \w+ version|\{.*\}/.exec(body)?.[0] ?? '');
          response.setHeader('content-type', 'application/json').end('{"id":"1","title":""}');
        });
      },
    );
  });
  afterAll(() => site.close());

  beforeEach(async () => {
    isUp = false;
    received = [];
    browser = await launch();
    page = await browser.context.newPage();
    await page.goto(`${site.origin}/attachments${search}`);
    writeFileSync(file, 'the first version');
    // Chromium compares times of files in whole seconds.
    const aMinuteAgo = Date.now() / 1_000 - 60;
    utimesSync(file, aMinuteAgo, aMinuteAgo);
    await page.setInputFiles('input', file);
  });

  it.each([
    ['edited', () => writeFileSync(file, 'the second version, which is longer')],
    ['deleted', () => rmSync(file)],
  ])('is sent as it was, by the same page, after it was %s', async (__, change) => {
    expect(await page.evaluate(() => window.attachments.send())).toBe(true);
    change();
    isUp = true;
    expect(await page.evaluate(() => window.attachments.drain())).toBe(true);
    expect(received.filter((body) => body !== '')).toEqual(['the first version']);
    expect(await page.evaluate(() => window.attachments.problems)).toEqual([]);
    await browser.close();
  });

  it('that was edited before the call, so that it cannot be read, is refused, and keeps no other mutation from being stored', async () => {
    writeFileSync(file, 'the second version, which is longer');
    expect(await page.evaluate(() => window.attachments.send())).toBe(false);
    expect(await page.evaluate(() => window.attachments.rename('kept'))).toBe(true);
    await page.reload();
    isUp = true;
    expect(await page.evaluate(() => window.attachments.drain())).toBe(true);
    expect(received.filter((body) => body !== '')).toEqual(['{"title":"kept"}']);
    await browser.close();
  });
});
