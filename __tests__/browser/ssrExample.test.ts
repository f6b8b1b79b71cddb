import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { server as example } from '../../docs/examples/ssrServer.tsx';
import { server as api } from '../docs/exampleServer.ts';
import { describeInBrowser, launch, type Browser } from './chromium.ts';
import { serve, type Site } from './serve.ts';

describeInBrowser('the page of docs/ssr.md', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    api.listen({ onUnhandledRequest: 'bypass' });
    const client = path.join(__dirname, '../../docs/examples/ssrClient.tsx');
    site = await serve({ client }, (request, response) => void example.emit('request', request, response));
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    api.close();
  });

  it('the page hydrates from the data that the server sent, without a request', async () => {
    const page = await browser.context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') trouble.push(message.text());
    });
    page.on('pageerror', ({ message }) => trouble.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(site.origin)) trouble.push(request.url());
    });
    await page.goto(site.origin);
    // React keeps its own beside what it has hydrated.
    await page.waitForFunction(() => {
      const heading = document.querySelector('h2');
      return heading !== null && Object.keys(heading).some((key) => key.startsWith('__reactProps'));
    });
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Articles', 'Kelp', 'Moss', 'Fern']);
    expect(trouble).toEqual([]);
    await page.close();
  });
});
