import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { browserName, describeInBrowser, launch, type Page } from '../browsers.ts';
import type { UploadWindow } from '../scenarios/upload.ts';
import { serve, type Site } from '../serve.ts';

/** A request that has been answered. */
interface Answered {
  readonly what: string;
  readonly type: string | undefined;
  readonly body: string;
}

describeInBrowser('files that wait in the outbox', () => {
  let site: Site;
  let isDown = false;
  const answered: Answered[] = [];
  afterEach(() => {
    isDown = false;
    answered.length = 0;
  });

  beforeAll(async () => {
    site = await serve({ upload: path.join(__dirname, '../scenarios/upload.ts') }, (request, response) => {
      if (isDown) {
        request.socket.destroy();
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        if (['POST', 'PUT', 'PATCH'].includes(method))
          answered.push({ what: `${method} ${url}`, type: headers['content-type'], body });
        response.writeHead(204).end();
      });
    });
  });
  afterAll(async () => {
    await site.close();
  });

  const open = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}/upload`);
    await page.waitForFunction(() => 'upload' in window);
  };
  const state = (page: Page) => page.evaluate(() => (window as unknown as UploadWindow).upload.state());

  // Driven sessions of WebKit are private, and private ones cannot store a Blob in IndexedDB (raw ones neither).
  (browserName === 'webkit' ? it.skip : it)(
    'queued files are sent after the page was closed, once the server is back, without an online event',
    async () => {
      const { context, close } = await launch();
      const page = await context.newPage();
      await open(page);
      expect(await state(page)).toEqual([true, true, 0]);
      isDown = true;
      await page.evaluate(() => (window as unknown as UploadWindow).upload.send());
      expect(await state(page)).toEqual([false, true, 2]);
      await page.close();

      const next = await context.newPage();
      await open(next);
      isDown = false;
      expect(await next.evaluate(() => (window as unknown as UploadWindow).upload.again())).toBe(true);
      expect(await state(next)).toEqual([true, true, 0]);
      expect(answered.map(({ what }) => what)).toEqual(['POST /api/covers/1', 'PUT /api/texts/1']);
      const [cover, text] = answered;
      expect(cover?.type).toMatch(/^multipart\/form-data; boundary=/);
      expect(cover?.body).toContain('name="title"\r\n\r\nCover\r\n');
      expect(cover?.body).toContain(
        'name="file"; filename="cover.svg"\r\nContent-Type: image/svg+xml\r\n\r\n<svg/>',
      );
      expect([text?.type, text?.body]).toEqual(['text/markdown', '# Text']);
      await close();
    },
  );

  (browserName === 'webkit' ? it : it.skip)(
    'a browser that stores no files rejects them offline, sends them online, and stores everything else',
    async () => {
      const { context, close } = await launch();
      const page = await context.newPage();
      await open(page);
      await page.evaluate(() => (window as unknown as UploadWindow).upload.rename('one'));
      isDown = true;
      expect(await page.evaluate(() => (window as unknown as UploadWindow).upload.sendText())).toContain(
        'got no response',
      );
      const problems = await page.evaluate(() => (window as unknown as UploadWindow).upload.problems());
      expect(problems).toEqual([['HF_STORAGE', expect.stringContaining('cannot store files')]]);
      await page.evaluate(() => (window as unknown as UploadWindow).upload.rename('two'));
      await page.close();

      const next = await context.newPage();
      await open(next);
      isDown = false;
      expect(await next.evaluate(() => (window as unknown as UploadWindow).upload.again())).toBe(true);
      expect(
        await next.evaluate(() => (window as unknown as UploadWindow).upload.sendText()),
      ).toBeUndefined();
      expect(answered.map(({ what }) => what)).toEqual([
        'PATCH /api/titles/1',
        'PATCH /api/titles/1',
        'PUT /api/texts/1',
      ]);
      await close();
    },
  );
});
