import { afterEach, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch } from '../browser/chromium.ts';
import { stored } from './stored.ts';
import { freePort, Terminal } from './Terminal.ts';

const root = path.join(__dirname, '../..');
const terminal = new Terminal(root);

/** The command that the README of an example gives. */
function commandOf(example: string): string {
  const readme = readFileSync(path.join(root, 'examples', example, 'README.md'), 'utf8');
  const [, command = ''] = /```sh\n(.+)\n```/.exec(readme) ?? [];
  return command;
}

it('every example is run by a test', () => {
  const folders = readdirSync(path.join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.sort()).toEqual([
    'conduit',
    'dom',
    'nextjs',
    'node',
    'openapi',
    'pwa',
    'quick-start',
    'service-worker',
    'ssr',
  ]);
});

describe('examples/node', () => {
  it('examples/node prints what it has fetched and what has changed', async () => {
    expect(await terminal.run(commandOf('node'))).toBe(
      '2 of 3 to do\nFirst: Splice the halyard\nNow 1 to do\n',
    );
  });
});

describe('examples/openapi', () => {
  it('examples/openapi prints what it has fetched and what has changed', async () => {
    expect(await terminal.run(commandOf('openapi'))).toBe(
      '2 of 3 to do\nDone: Splice the halyard\nNow 1 to do\n',
    );
  });
});

describeInBrowser('an example in a page', () => {
  afterEach(() => terminal.close());

  /** Starts an example and opens its page; `asked` are the requests that reached the REST server. */
  async function open(
    example: string,
    port: string,
  ): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
    const command = commandOf(example);
    const run = command.startsWith('npx vite') ? `${command} --strictPort --port ${port}` : command;
    const url = `http://localhost:${port}`;
    await terminal.start(run, url, { PORT: port });
    const { context } = await launch();
    const page = await context.newPage();
    const [asked, complaints]: [string[], string[]] = [[], []];
    page.on('request', (request) => {
      if (request.url().includes('/api/'))
        asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('[holdfast]'))
        complaints.push(message.text());
    });
    await page.goto(url);
    return { page, asked, complaints };
  }
  const tasks = (page: Page) => page.getByRole('listitem').allInnerTexts();
  const titles = ['Splice the halyard', 'Scrub the deck', 'Check the anchor'];

  it('examples/dom shows its list, changes it, and restores it after a reload without a request', async () => {
    const { page, asked, complaints } = await open('dom', await freePort());
    await page.getByText('Check the anchor').waitFor();
    expect((await tasks(page)).map((text) => text.trim())).toEqual(titles);
    const other = await page.getByRole('listitem').nth(2).elementHandle();
    await stored(page, 1);
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByLabel('Splice the halyard').check();
    await answered;
    expect(await page.getByLabel('Splice the halyard').isChecked()).toBe(true);
    // What has not changed is the same element.
    expect(await other.evaluate((item) => item.isConnected)).toBe(true);
    expect(asked).toEqual(['GET /api/tasks', 'PATCH /api/tasks/1']);

    await stored(page, 2);
    asked.length = 0;
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await page.getByText('Check the anchor').waitFor();
    expect(await page.getByLabel('Splice the halyard').isChecked()).toBe(true);
    expect(asked).toEqual([]); // it is fresh
    expect(complaints).toEqual([]);
  });

  it('examples/service-worker answers the page from its store, also without the server', async () => {
    const { page, complaints } = await open('service-worker', await freePort());
    const load = () => page.getByRole('button', { name: 'Load' }).click();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller === null)
        await new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
    });
    await load();
    await page.getByText('Check the anchor').waitFor();
    expect(await tasks(page)).toEqual(titles);
    await terminal.close();
    await page.evaluate(() => document.querySelector('#tasks')?.replaceChildren());
    await load();
    await page.getByText('Check the anchor').waitFor();
    expect(await tasks(page)).toEqual(titles);
    // Vite's own connection is gone, which is what was wanted.
    expect(complaints.filter((text) => !text.includes('WebSocket'))).toEqual([]);
  });

  // What it does offline is in __tests__/browser/conduit.test.ts.
  it('examples/conduit is built, and shows the articles of the API that is started beside it', async () => {
    const [port, apiPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    await terminal.start(`${commandOf('conduit')} --port ${port} --api-port ${apiPort}`, url);
    const { context } = await launch();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('link', { name: 'The slowest ferry' }).waitFor();
  });

  it('examples/ssr contains its data, hydrates without a request, and works', async () => {
    const port = await freePort();
    const { page, asked, complaints } = await open('ssr', port);
    const html = await (await fetch(`http://localhost:${port}`)).text();
    for (const title of titles) expect(html).toContain(title);
    const box = page.getByLabel('Splice the halyard');
    const isHydrated = () =>
      box.evaluate((element) => Object.keys(element).some((name) => name.startsWith('__reactProps')));
    while (!(await isHydrated())) await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(asked).toEqual([]);
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await box.check();
    await answered;
    expect(await box.isChecked()).toBe(true);
    expect(asked).toEqual(['PATCH /api/tasks/1']);
    expect(complaints).toEqual([]);
  });
});
