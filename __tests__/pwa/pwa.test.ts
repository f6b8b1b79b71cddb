import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../browser/chromium.ts';
import { blocksOf } from '../docs/blocks.ts';
import { freePort, Terminal, until } from '../examples/Terminal.ts';

const root = path.join(__dirname, '../..');
const example = path.join(root, 'examples/pwa');

const serve = 'npm --prefix examples/pwa start';

it('the guide shows the files of the example as they are', () => {
  const page = 'docs/pwa.md';
  const blocks = blocksOf(page, readFileSync(path.join(root, page), 'utf8'));
  const shown = blocks.flatMap(({ marks: [file, mark], code }) => (mark === 'pwa' ? [{ file, code }] : []));
  expect(shown.map(({ file }) => file)).toEqual([
    'vite.config.ts',
    'src/sw.ts',
    'tsconfig.worker.json',
    'src/main.tsx',
    'src/tanstackRouter.tsx',
    'src/resources.ts',
  ]);
  for (const { file = '', code } of shown)
    expect(readFileSync(path.join(example, file), 'utf8')).toContain(code);
});

describeInBrowser('examples/pwa', () => {
  const terminal = new Terminal(root);
  let browser: Browser;
  let page: Page;
  let url: string;

  const start = (): Promise<void> => terminal.start(serve, url, { PORT: new URL(url).port });
  const isDone = async (id: string): Promise<boolean> => {
    const response = await fetch(`${url}/api/tasks/${id}`);
    return ((await response.json()) as { done: boolean }).done; // what the server sends
  };

  beforeAll(async () => {
    await terminal.run('npm --prefix examples/pwa ci');
    await terminal.run('npm --prefix examples/pwa run build');
    url = `http://localhost:${await freePort()}`;
    await start();
    browser = await launch();
    page = await browser.context.newPage();
    await page.goto(url);
    await page.getByText('Check the anchor').waitFor();
    await page.evaluate(async () => {
      if (navigator.serviceWorker.controller !== null) return;
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
      });
    });
    // The registry and the machine may be slow.
  }, 600_000);
  afterAll(async () => {
    await browser.close();
    await terminal.close();
  });

  it('the React Compiler memoizes the components of the example', () => {
    const scripts = readdirSync(path.join(example, 'dist/assets')).filter((name) => name.endsWith('.js'));
    const code = scripts
      .map((name) => readFileSync(path.join(example, 'dist/assets', name), 'utf8'))
      .join('');
    expect(code).toContain('react.memo_cache_sentinel');
  });

  it('the example opens without a server, keeps offline changes, and sends them once the server is back', async () => {
    await terminal.interrupt(serve);
    await page.reload();
    await page.getByRole('link', { name: 'Splice the halyard' }).click();
    await page.getByLabel('Done').check();
    await page.getByRole('link', { name: 'All tasks' }).click();
    await page.getByText('(done)').first().waitFor();
    // Also the page of one task is served from the cache.
    await page.goto(`${url}/tasks/1`);
    expect(await page.getByLabel('Done').isChecked()).toBe(true);

    await start();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await until(() => isDone('1'));
  });

  it('the example sends queued mutations by Background Sync when no page is open', async () => {
    await page.goto(`${url}/tasks/3`);
    await terminal.interrupt(serve);
    await page.getByLabel('Done').check();
    // Not in the library of types.
    const tags = () =>
      page.evaluate<string[]>('navigator.serviceWorker.ready.then(({ sync }) => sync.getTags())');
    await until(async () => (await tags()).includes('holdfast-outbox'));
    const elsewhere = await browser.context.newPage();
    await elsewhere.goto('about:blank');
    await page.close();
    await start();
    // The browser may already have sent it by itself: a sync is due as soon as it is registered.

    const devtools = await browser.context.newCDPSession(elsewhere);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
        if (registration !== undefined) resolve(registration.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.dispatchSyncEvent', {
      origin: url,
      registrationId: await registered,
      tag: 'holdfast-outbox',
      lastChance: false,
    });
    await until(() => isDone('3'));
  });

  it('the example does not show data that fails the Zod schema', async () => {
    await fetch(`${url}/api/tasks/3`, { method: 'PATCH', body: JSON.stringify({ title: 3 }) });
    const other = await launch();
    const first = await other.context.newPage();
    await first.goto(url);
    await first.getByText('Scrub the deck').waitFor();
    expect(await first.getByRole('listitem').count()).toBe(2);
    await other.close();
  });
});
