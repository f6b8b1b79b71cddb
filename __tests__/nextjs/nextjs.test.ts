import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../browser/chromium.ts';
import { stored } from '../examples/stored.ts';
import { build, develop, hydrated, install, NextApp, openTab } from './NextApp.ts';

const titles = (page: Page) => page.getByRole('listitem').getByRole('link').allInnerTexts();
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const press = (page: Page, title: string, name: string) =>
  row(page, title).getByRole('button', { name }).click();

beforeAll(install, 600_000);

/** Those of an app without Cache Components, beside its page. */
const appFiles = {
  'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;',
  'next.config.mjs': `
    const root = new URL('..', import.meta.url).pathname;
    export default { turbopack: { root }, outputFileTracingRoot: root };
  `,
};

describe('the mode in which Next.js runs the app', () => {
  const files = {
    ...appFiles,
    'app/page.jsx': `
      'use client';
      import { RestEndpoint } from 'holdfast';
      const getArticles = new RestEndpoint({ path: '/articles' });
      export default () => <button onClick={() => getArticles.push}>push</button>;
    `,
  };
  const sentence = 'has no Collection in its schema';

  it('a build contains the codes of errors without their sentences', async () => {
    const code = await build(files);
    expect(code).toContain('HF_NO_COLLECTION');
    expect(code).not.toContain(sentence);
  }, 300_000);

  it('in development, the page contains the sentences of errors', async () => {
    const code = await develop(files);
    expect(code).toContain('HF_NO_COLLECTION');
    expect(code).toContain(sentence);
  }, 300_000);
});

describe('a server component that calls a hook of holdfast/react', () => {
  it('a server component with a hook fails the build with the message of Next.js, naming hook and line', async () => {
    const building = build({
      ...appFiles,
      'app/page.jsx': `
        import { useSuspense } from 'holdfast/react';
        export default () => <p>{useSuspense(() => undefined)}</p>;
      `,
    });
    await expect(building).rejects.toThrow(
      /Attempted to call useSuspense\(\) from the server but useSuspense is on the client[^]*app\/page\.jsx:3/,
    );
  }, 300_000);
});

describeInBrowser('examples/nextjs', () => {
  describe.each([
    ['with Cache Components', 'true'],
    ['without Cache Components', 'false'],
  ])('%s', (_, CACHE_COMPONENTS) => {
    const app = new NextApp();
    let browser: Browser;

    beforeAll(() => app.start({ CACHE_COMPONENTS }), 600_000);
    afterAll(() => app.stop());
    beforeEach(async () => {
      browser = await launch();
      app.reset();
    });
    afterEach(() => browser.close());

    /** Opens the list, and waits until it works. */
    async function openList() {
      const tab = await openTab(browser.context);
      await tab.page.goto(app.url);
      await hydrated(tab.page, 'li button');
      return tab;
    }

    it('a first visit requests the API once, on the server', async () => {
      const { page, complaints } = await openList();
      expect(await titles(page)).toEqual(['Kelp', 'Moss', 'Fern']);
      await stored(page, 1);
      expect(app.serverRequests).toEqual(['GET /articles']);
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('the page shows what the server sent, not what an earlier visit stored, and sends no request', async () => {
      const { page, complaints } = await openList();
      await stored(page, 1);
      app.change('1', { title: 'Giant kelp' });
      await page.goto(app.url);
      await hydrated(page, 'li button');
      expect(await titles(page)).toEqual(['Giant kelp', 'Moss', 'Fern']);
      await stored(page, 2);
      expect(await titles(page)).toEqual(['Giant kelp', 'Moss', 'Fern']);
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('client components show data fetched on the server, not what an earlier visit stored', async () => {
      const { page, complaints } = await openTab(browser.context);
      await page.goto(`${app.url}/articles/2`);
      await hydrated(page, 'h1');
      await stored(page, 1);
      app.change('2', { title: 'Peat moss' });
      await page.goto(`${app.url}/articles/2`);
      await hydrated(page, 'h1');
      await stored(page, 2);
      expect(await page.getByRole('heading').innerText()).toBe('Peat moss');
      expect(app.serverRequests).toEqual(['GET /articles/2', 'GET /articles/2']);
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it.each(['/', '/articles/1'])('the page streams %s: its frame first, then its data', async (address) => {
      const release = app.hold();
      const { page, complaints } = await openTab(browser.context);
      await page.goto(app.url + address, { waitUntil: 'commit' });
      await page.getByText('Loading…').waitFor();
      expect(await page.getByText('Kelp').count()).toBe(0);
      release();
      await page.getByText('Kelp').waitFor();
      await hydrated(page, address === '/' ? 'li button' : 'h1');
      expect(app.serverRequests).toHaveLength(1);
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('the detail of a row in the list is shown without a request', async () => {
      const { page } = await openList();
      await page.getByRole('link', { name: 'Fern' }).click();
      await page.getByRole('heading', { name: 'Fern' }).waitFor();
      expect(app.browserRequests).toEqual([]);
    });

    it('router.refresh() shows new data, and keeps it for the detail', async () => {
      const { page, complaints } = await openList();
      app.change('3', { title: 'Tree fern' });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await row(page, 'Tree fern').waitFor();
      await page.getByRole('link', { name: 'Tree fern' }).click();
      await page.getByRole('heading', { name: 'Tree fern' }).waitFor();
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('a server action shows what it changed and revalidated', async () => {
      const { page, complaints } = await openList();
      await press(page, 'Kelp', 'Publish');
      await row(page, 'Kelp').getByText('published').waitFor();
      expect(app.browserRequests).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('a refresh with older data of the server keeps a newer row', async () => {
      const { page, complaints } = await openList();
      const release = app.hold();
      app.change('1', { title: 'Giant kelp' });
      await page.getByRole('button', { name: 'Refresh' }).click();
      while (app.serverRequests.length < 2) await page.evaluate(() => new Promise(requestAnimationFrame));
      await press(page, 'Moss', 'Rename');
      await row(page, 'Moss!').waitFor();
      release();
      await row(page, 'Giant kelp').waitFor();
      expect(await titles(page)).toEqual(['Giant kelp', 'Moss!', 'Fern']);
      expect(complaints).toEqual([]);
    });

    it('the page opens offline, with what was last seen and the newest data', async () => {
      const { page } = await openList();
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (navigator.serviceWorker.controller === null)
          await new Promise((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
          });
      });
      // Now the service worker sees the page and its files.
      await page.reload();
      await hydrated(page, 'li button');
      await press(page, 'Kelp', 'Rename');
      await row(page, 'Kelp!').waitFor();
      await stored(page, 2);

      const { complaints } = await openTab(browser.context);
      await browser.context.setOffline(true);
      await page.reload();
      await hydrated(page, 'li button');
      await row(page, 'Kelp!').waitFor();
      expect(await titles(page)).toEqual(['Kelp!', 'Moss', 'Fern']);
      expect(complaints).toEqual([]);
    });
  });
});
