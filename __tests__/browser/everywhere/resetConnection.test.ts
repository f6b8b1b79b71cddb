import { expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type {} from '../scenarios/drain.ts';
import { serve } from '../serve.ts';

describeInBrowser('a connection that is reset while a response arrives', () => {
  it.each([200, 503])(
    'a mutation is sent again with its key if the connection is reset during the body of a %d',
    async (status) => {
      const note = { id: 1, text: '' };
      /** Those of the creates. */
      const keys: unknown[] = [];
      const scripts = { drain: path.join(__dirname, '../scenarios/drain.ts') };
      const site = await serve(scripts, (request, response) => {
        const { method, headers } = request;
        void text(request).then((body) => {
          if (method === 'POST' && keys.push(headers['idempotency-key']) === 1) {
            response.writeHead(status, { 'content-type': 'application/json' }).write('{"text":');
            setTimeout(() => request.socket.resetAndDestroy(), 100);
            return;
          }
          if (body !== '') Object.assign(note, JSON.parse(body), { id: 1 });
          response.setHeader('content-type', 'application/json').end(JSON.stringify(note));
        });
      });
      const { context, close } = await launch();
      const page = await context.newPage();
      await page.goto(`${site.origin}/drain`);
      await page.waitForFunction(() => 'drainPage' in globalThis);
      await page.evaluate(() => drainPage.write('one'));
      await page.evaluate(() => drainPage.drain());
      expect(keys).toEqual([expect.any(String), keys[0]]);
      expect(note.text).toBe('one edited again');
      await close();
      await site.close();
    },
  );
});
