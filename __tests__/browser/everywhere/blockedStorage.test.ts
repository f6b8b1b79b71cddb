import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { browserName, describeInBrowser, launch } from '../browsers.ts';
import type {} from '../scenarios/blockedStorage.ts';
import { serve, type Site } from '../serve.ts';

/** What blocks all cookies and site data, and what the browser refuses then. */
const blocked = {
  firefox: {
    preferences: { 'network.cookie.cookieBehavior': 2 },
    refused: ['IndexedDB', 'Web Locks', 'BroadcastChannel'],
    codes: ['HF_STORAGE', 'HF_TABS'],
  },
  chromium: {
    preferences: { profile: { default_content_setting_values: { cookies: 2 } } },
    refused: ['IndexedDB', 'Web Locks'],
    codes: ['HF_STORAGE'],
  },
  // Its driver has no setting for it.
  webkit: undefined,
}[browserName];

describeInBrowser('a page that may store nothing', () => {
  let site: Site;
  const note = { id: '1', text: 'one' };
  const sent: string[] = [];
  let isDown = false;

  beforeAll(async () => {
    const scripts = { blocked: path.join(__dirname, '../scenarios/blockedStorage.ts') };
    site = await serve(scripts, (request, response) => {
      if (isDown) return void request.socket.destroy();
      void text(request).then((body) => {
        if (request.method === 'PATCH') {
          sent.push(body);
          Object.assign(note, JSON.parse(body));
        }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(note));
      });
    });
  });
  afterAll(() => site.close());

  (blocked === undefined ? it.skip : it)(
    'an app without storage reads, mutates and sends, and rejects mutations while offline',
    async () => {
      const { preferences = {}, refused, codes } = blocked ?? {};
      const { context, close } = await launch(preferences);
      const page = await context.newPage();
      await page.goto(`${site.origin}/blocked`);
      await page.waitForFunction(() => 'blockedPage' in globalThis);
      expect(await page.evaluate(() => blockedPage.refused())).toEqual(refused);

      expect(await page.evaluate(() => blockedPage.text())).toBe('one');
      expect(await page.evaluate(() => blockedPage.write('two'))).toBe('two');
      expect(sent).toEqual(['{"text":"two"}']);

      isDown = true;
      const rejected = page.evaluate(() => blockedPage.write('three').catch(String));
      expect(await rejected).toContain('got no response');
      expect(await page.evaluate(() => blockedPage.text())).toBe('two');

      isDown = false;
      expect(await page.evaluate(() => blockedPage.drain())).toBe(true);
      expect(await page.evaluate(() => blockedPage.write('four'))).toBe('four');
      expect(await page.evaluate(() => blockedPage.pending())).toBe(0);
      expect(sent).toEqual(['{"text":"two"}', '{"text":"four"}']);
      expect(await page.evaluate(() => blockedPage.codes())).toEqual(codes);
      await close();
    },
  );
});
