import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Controller, stateWritable } from 'holdfast';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { renderToPipeableStream } from 'react-dom/server';
import { describeInBrowser, launch, type Browser } from './chromium.ts';
import type { StoryWindow } from './scenarios/hydrate.tsx';
import { rest, StoryPage } from './scenarios/storyApp.tsx';
import { serve, type Site } from './serve.ts';

describeInBrowser('a page that a server streams', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let stories: Record<string, string> = {};
  /** By the delay of its response: the author of all stories. */
  let teller = '';
  /** Requested stories, by requester. */
  let asked: string[] = [];
  let release: () => void = () => undefined;
  let released = Promise.resolve();
  /** The same for the page's own script. */
  let start: () => void = () => undefined;
  let started = Promise.resolve();
  let trouble: string[] = [];
  /** The request that fails. */
  let failing = '';
  /** How far the server's clock is behind, in ms. */
  let lag = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const id = /^\/api\/stories\/(.+)$/.exec(pathname)?.[1];
    if (id !== undefined) {
      const by = request.headers['sec-fetch-site'] === undefined ? 'server' : 'page';
      asked.push(`${by} ${id}`);
      if (id === 'slow') await released;
      if (`${by} ${id}` === failing) response.statusCode = 500;
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ id, text: stories[id], teller: { id: 't', name: teller } }));
    } else if (pathname === '/') {
      const controller = new Controller({ now: () => Date.now() - lag });
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const { pipe, abort } = renderToPipeableStream(<StoryPage controller={controller} query={search} />, {
        bootstrapModules: ['/start.js'],
        onShellReady: () => pipe(stateWritable(controller, response)),
        onError: () => undefined,
      });
      response.on('close', () => {
        abort();
        void controller.stop();
      });
    } else if (pathname === '/start.js') {
      await started;
      response.writeHead(302, { location: '/hydrate.js' }).end();
    } else {
      // The browser asks for an icon.
      response.writeHead(204).end();
    }
  }

  beforeAll(async () => {
    site = await serve({ hydrate: path.join(__dirname, 'scenarios/hydrate.tsx') }, (request, response) => {
      void answer(request, response);
    });
    rest.origin = site.origin;
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  beforeEach(async () => {
    // Larger than what React writes at once, and with all that HTML could stumble over.
    const odd = ' </script><!-- \u2028 & "quoted" ü 👋 ';
    stories = { fast: `Fast story ${odd.repeat(400)}`, slow: `Slow story ${odd.repeat(400)}` };
    teller = 'Ann';
    started = Promise.resolve();
    asked = [];
    trouble = [];
    lag = 0;
    failing = '';
    released = new Promise((resolve) => (release = resolve));
    page = await browser.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
    });
    page.on('pageerror', (error) => void trouble.push(String(error)));
  });
  afterEach(async () => {
    release();
    start();
    await page.close();
  });

  const open = (address = '/') => page.goto(site.origin + address, { waitUntil: 'commit' });
  const part = (id: string) => page.locator(`body > #${id}`);
  /** Clicks until the part answers: it is there before it is alive. */
  async function comesAlive(id: string): Promise<void> {
    const button = part(id).getByRole('button');
    await button.waitFor();
    while ((await button.innerText()) === '0 clicks') await button.click();
  }
  const inPage = <T,>(run: (story: StoryWindow['story']) => T) =>
    page.evaluate<T>(`(${run.toString()})(window.story)`);

  it('streaming shows and hydrates one part before the data of the next exists, without another request', async () => {
    await open();
    await part('fast').getByText('Fast story').first().waitFor();
    await page.getByText('Waiting for slow').waitFor();
    await comesAlive('fast');
    expect([...asked].sort()).toEqual(['server fast', 'server slow']);
    expect(await inPage((story) => [story.isStored('fast'), story.isStored('slow')])).toEqual([true, false]);

    release();
    await part('slow').getByText('Slow story').first().waitFor();
    await comesAlive('slow');
    expect((await part('slow').locator('p').textContent()) === stories['slow']).toBe(true);
    expect([...asked].sort()).toEqual(['server fast', 'server slow']);
    expect(await inPage((story) => story.trouble)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('a late part hydrates as the server rendered it, even if the page has newer data, and then shows the newer data', async () => {
    await open();
    await comesAlive('fast');
    await inPage((story) => story.rename('Renamed in the page'));
    await part('fast').getByText('Renamed in the page').first().waitFor();
    release();
    await part('slow').getByText('Renamed in the page').waitFor();
    await comesAlive('slow');
    const shown = await inPage((story) => story.shown);
    expect(shown.filter((text) => text !== null).map((text) => text.slice(0, 7))).toEqual([
      'Fast st',
      'Renamed',
    ]);
    expect([...asked].sort()).toEqual(['server fast', 'server slow']);
    expect(await inPage((story) => story.trouble)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('a page whose parts arrive out of order keeps the change of the user', async () => {
    await open('/?slow-first');
    await comesAlive('fast');
    await inPage((story) => story.renameTeller('Bob'));
    await part('fast').locator('em', { hasText: 'Bob' }).waitFor();
    release();
    await comesAlive('slow');
    await part('slow').locator('em', { hasText: 'Bob' }).waitFor();
    expect(await part('fast').locator('em').textContent()).toBe('Bob');
    expect([...asked].sort()).toEqual(['server fast', 'server slow']);
    expect(await inPage((story) => story.trouble)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('a page hydrates after it has arrived completely, even if its last part has a newer version of an entity in the first', async () => {
    started = new Promise((resolve) => (start = resolve));
    await open();
    await part('fast').locator('em', { hasText: 'Ann' }).waitFor();
    teller = 'Beth';
    release();
    await part('slow').locator('em', { hasText: 'Ann' }).waitFor();
    start();
    for (const id of ['fast', 'slow']) {
      await comesAlive(id);
      await part(id).locator('em', { hasText: 'Beth' }).waitFor();
    }
    expect([...asked].sort()).toEqual(['server fast', 'server slow']);
    expect(await inPage((story) => story.trouble)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('hydration after a restore from disk keeps the newer of both versions', async () => {
    release();
    stories['fast'] = 'Older, from disk';
    await open('/?disk');
    await comesAlive('slow');
    await inPage((story) => story.controller?.flush());

    stories['fast'] = 'Newer, from the server';
    await open('/?disk');
    await comesAlive('slow');
    await part('fast').locator('p', { hasText: 'Newer, from the server' }).waitFor();

    await inPage((story) => {
      story.rename('Newest, from disk');
      return story.controller?.flush();
    });
    // By its clock, what the server sends now is older than that.
    lag = 3_600_000;
    await open('/?disk');
    await comesAlive('slow');
    await part('fast').locator('p', { hasText: 'Newest, from disk' }).waitFor();
    expect(asked.filter((request) => request.startsWith('page'))).toEqual([]);
    expect(await inPage((story) => story.trouble)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('the page fetches what failed on the server', async () => {
    release();
    failing = 'server slow';
    await open();
    await comesAlive('slow');
    expect(asked).toEqual(['server fast', 'server slow', 'page slow']);
  });
});
