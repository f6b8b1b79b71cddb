import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startProcess, type ServerProcess } from '../demo/serverProcess.ts';
import { executablePath, launch, newProfile } from './chromium.ts';
import { launchKillable } from './killable.ts';

/** A line of the server's log. */
interface Logged {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly status: number;
  readonly replayed: boolean;
  readonly body?: unknown;
}

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-demo-offline-'));
const dataFile = path.join(folder, 'db.json');
let rest: ServerProcess;
let app: ServerProcess;

let restPort = 0;

/** On the port that the app knows. */
async function startRest(...args: string[]): Promise<void> {
  const own = ['--port', String(restPort), '--data', dataFile, '--log'];
  rest = await startProcess('demo/server/main.mjs', [...own, ...args]);
  restPort = rest.port;
}

const logged = () =>
  rest
    .lines()
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Logged); // as the server writes it

/** Waits until a mutation has reached the server. */
async function requested(): Promise<void> {
  while (logged().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

const steps = () => logged().map(({ method, path, status }) => `${method} ${path} ${status}`);
const detail = (page: Page) => page.locator('article.detail');
const rows = (page: Page) => page.locator('[data-row]');
const failed = (page: Page) => page.locator('.badge-failed');

/** How many issues of the project are open, how many there are, and how many match what the list shows. */
async function counts(page: Page): Promise<[open: number, total: number, listed: number]> {
  const heading = await page.locator('.list-heading').innerText();
  const footer = await page.locator('.list-footer').innerText();
  const [, open, total] = /(\d+) open of (\d+)/.exec(heading) ?? [];
  const [, listed] = /of (\d+)/.exec(footer) ?? [];
  return [Number(open), Number(total), Number(listed)];
}

async function openIssue(page: Page, id: string): Promise<void> {
  await page.goto(`${app.url}/projects/HAR/issues/${id}`);
  await detail(page).getByPlaceholder('Write a comment…').waitFor();
}

/** Opens the list and some of its issues, so that they are on the device. */
async function visit(page: Page, count: number): Promise<string[]> {
  await page.goto(`${app.url}/projects/HAR`);
  await rows(page).nth(24).waitFor();
  const ids = (await page.locator('.row-id').allInnerTexts()).slice(0, count);
  for (const id of ids) {
    await rows(page).filter({ hasText: id }).click();
    await page
      .getByRole('region', { name: `Issue ${id}` })
      .getByPlaceholder('Write a comment…')
      .waitFor();
  }
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await saved(page);
  return ids;
}

/** Waits until the app shows that everything it has read is on disk. */
async function saved(page: Page): Promise<void> {
  const last = await page.evaluate(() => Date.now());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.waitForFunction(() => document.querySelector('.is-refreshing') === null);
  await page.getByRole('button', { name: 'On this device' }).click();
  await page.waitForFunction(
    (since) => Date.parse(document.querySelector<HTMLTimeElement>('.facts time')?.dateTime ?? '') >= since,
    last,
  );
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
}

/** What the browser does when it finds a network: the app then asks for its server at once. */
const tellOnline = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('online')));

async function file(page: Page, title: string): Promise<void> {
  await page.goto(`${app.url}/projects/HAR/new`);
  await page.locator('form.editor').getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Create issue' }).click();
  await detail(page).getByRole('heading', { name: title }).waitFor();
}

const inBrowser = executablePath === undefined ? describe.skip : describe;

inBrowser('the demo without its server', () => {
  beforeAll(async () => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
    await startRest();
    app = await startProcess('demo/server/serveApp.mjs', ['--port', '0', '--api', rest.url]);
  });
  afterAll(async () => {
    await Promise.all([rest.stop('SIGTERM'), app.stop('SIGTERM')]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps what a person does through reloads and a closed browser, and sends it in order, once', async () => {
    const profile = newProfile();
    const first = await launch(profile);
    const page = await first.context.newPage();
    const [changed, deleted] = (await visit(page, 2)) as [string, string];
    const [openBefore, totalBefore, listed] = await counts(page);
    await rest.stop('SIGTERM');

    await file(page, 'Filed in the tunnel');
    expect(await counts(page)).toEqual([openBefore + 1, totalBefore + 1, listed + 1]);
    await detail(page).locator('[data-mark=waiting]').waitFor();
    await detail(page).getByPlaceholder('Write a comment…').fill('Written in the tunnel');
    await detail(page).getByRole('button', { name: 'Comment', exact: true }).click();
    await detail(page).locator('.comment [data-mark=waiting]').waitFor();
    await openIssue(page, changed);
    await page.keyboard.press('e');
    await detail(page).getByLabel('Title').fill('Edited in the tunnel');
    await page.keyboard.press('Control+Enter');
    await detail(page).getByRole('heading', { name: 'Edited in the tunnel' }).waitFor();
    await detail(page).getByLabel('Status').selectOption('done');
    await page.locator('[data-row]').filter({ hasText: 'Edited in the tunnel' }).getByLabel('Done').waitFor();
    await openIssue(page, deleted);
    await detail(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await detail(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Outbox, 5 waiting' }).waitFor();
    // One more is filed, one of those is closed, and one is gone that was open.
    expect(await counts(page)).toEqual([openBefore - 1, totalBefore, listed]);
    await first.close();

    const second = await launch(profile);
    const [left, right] = [await second.context.newPage(), await second.context.newPage()];
    for (const tab of [left, right]) {
      await tab.goto(`${app.url}/projects/HAR`);
      await tab.getByText('You are offline').waitFor();
      await rows(tab).filter({ hasText: 'Filed in the tunnel' }).locator('[data-mark=waiting]').waitFor();
      await rows(tab).filter({ hasText: 'Edited in the tunnel' }).locator('[data-mark=waiting]').waitFor();
      expect(await rows(tab).filter({ hasText: deleted }).count()).toBe(0);
    }
    await startRest();
    await tellOnline(left);
    for (const tab of [left, right]) {
      await tab.getByRole('button', { name: 'Outbox', exact: true }).waitFor();
      expect(await tab.locator('[data-mark]').count()).toBe(0);
    }
    const made = /POST \/issues\/(HAR-\d+)\/comments/.exec(steps().join('\n'))?.[1];
    expect(steps()).toEqual([
      'POST /issues 201',
      `POST /issues/${made}/comments 201`,
      `PATCH /issues/${changed} 200`,
      `PATCH /issues/${changed} 200`,
      `DELETE /issues/${deleted} 204`,
    ]);
    expect(
      logged()
        .slice(0, -1)
        .map(({ body }) => body),
    ).toMatchObject([
      { title: 'Filed in the tunnel' },
      { body: 'Written in the tunnel' },
      { title: 'Edited in the tunnel' },
      { status: 'done' },
    ]);
    expect(new Set(logged().map(({ key }) => key)).size).toBe(5);
    for (const tab of [left, right]) await rows(tab).filter({ hasText: made! }).waitFor();
    const shown = await Promise.all([left, right].map((tab) => tab.locator('.row-id').allInnerTexts()));
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).not.toContain(deleted);
    await second.close();
  });

  it('sends each mutation once when the browser is killed before the response arrives', async () => {
    const profile = newProfile();
    const first = await launchKillable(profile);
    const page = await pageOf(first.browser.contexts()[0]);
    await visit(page, 1);
    await rest.stop('SIGTERM');
    await file(page, 'Filed just before the end');
    // Carries out the request at once, and responds when the page is gone.
    await startRest('--latency', '4000');
    await tellOnline(page);
    await requested();
    await first.kill();
    const [before] = logged();
    await rest.stop('SIGTERM');
    await startRest();

    const second = await launch(profile);
    const again = await second.context.newPage();
    await again.goto(`${app.url}/projects/HAR`);
    // Before the stored entries are read, the button looks as with an empty outbox.
    await requested();
    await again.getByRole('button', { name: 'Outbox', exact: true }).waitFor();
    expect(logged()).toMatchObject([{ method: 'POST', path: '/issues', key: before?.key, replayed: true }]);
    const found = await fetch(`${rest.url}/projects/HAR/issues?q=Filed+just+before+the+end`);
    expect(await found.json()).toMatchObject({ total: 1 });
    await second.close();
  });

  it('sends by the service worker while no page of it is open', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await visit(page, 1);
    await rest.stop('SIGTERM');
    await file(page, 'Sent by nobody’s page');
    await detail(page).locator('[data-mark=waiting]').waitFor();
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(app.url));
        if (own !== undefined) resolve(own.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const registrationId = await registered;
    await page.goto('about:blank');
    await startRest();
    await session.send('ServiceWorker.dispatchSyncEvent', {
      origin: app.url,
      registrationId,
      tag: 'holdfast-demo',
      lastChance: false,
    });
    await requested();
    expect(steps()).toEqual(['POST /issues 201']);
    await page.goto(`${app.url}/projects/HAR`);
    const made = rows(page).filter({ hasText: 'Sent by nobody’s page' });
    await made.getByText(/^HAR-\d+$/).waitFor();
    expect(await made.locator('[data-mark]').count()).toBe(0);
    expect(logged()).toHaveLength(1);
    await close();
  });

  it('lets a person resolve a conflict and a refusal', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    const [id] = (await visit(page, 1)) as [string];
    await rest.stop('SIGTERM');
    await page.keyboard.press('e');
    await detail(page).getByLabel('Title').fill('Mine');
    await page.keyboard.press('Control+Enter');
    await detail(page).getByRole('heading', { name: 'Mine' }).waitFor();
    await file(page, 'x'.repeat(201));
    await startRest();
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${rest.url}/issues/${id}`, { method: 'PATCH', headers, body: '{"title":"Theirs"}' });
    await tellOnline(page);
    await failed(page).getByText('2').waitFor();

    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Must not be longer than 200 characters').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.entry-failed').getByLabel('Title').fill('Short enough');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: `Two versions of ${id}` });
    await dialog.getByLabel('Title, made of both').fill('Ours');
    await dialog.getByRole('button', { name: 'Save as chosen' }).click();
    await page.getByText('Everything you did is on the server').waitFor();
    expect(steps().slice(-2).sort()).toEqual([`PATCH /issues/${id} 200`, 'POST /issues 201']);
    expect(await (await fetch(`${rest.url}/issues/${id}`)).json()).toMatchObject({ title: 'Ours' });
    await close();
  });
});

async function pageOf(context: BrowserContext | undefined): Promise<Page> {
  if (context === undefined) throw new Error('The browser has no context.');
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  return page;
}
