import { expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type { SessionPage } from '../scenarios/session.ts';
import { serve } from '../serve.ts';

declare global {
  interface Window {
    readonly session: SessionPage;
  }
}

describeInBrowser('a server that redirects requests without a session cookie to a login page', () => {
  it.each([
    ['of the same origin', ''],
    ['of another origin', 'http://127.0.0.1'],
  ])('is found again after an outage: a page %s', async (_, host) => {
    let isDown = false;
    const scripts = { session: path.join(__dirname, '../scenarios/session.ts') };
    const site = await serve(scripts, (request, response) => {
      const { url, headers } = request;
      const login = `${host}${host && `:${new URL(site.origin).port}`}/login`;
      if (isDown) request.socket.destroy();
      else if (url === '/login') response.setHeader('content-type', 'text/html').end('<!doctype html><form>');
      else if (headers.cookie !== 'session=1') response.writeHead(302, { location: login }).end();
      else response.setHeader('content-type', 'application/json').end('[]');
    });
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/session`);
    await page.waitForFunction(() => 'session' in globalThis);
    expect(await page.evaluate(() => window.session.read())).toBe(true);
    isDown = true;
    expect(await page.evaluate(() => window.session.read())).toBe(false);
    expect(await page.evaluate(() => window.session.state())).toBe('unreachable');
    isDown = false;
    await page.waitForFunction(() => window.session.state() === 'reachable', undefined, { timeout: 20_000 });
    await close();
    await site.close();
  });
});
