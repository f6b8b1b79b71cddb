import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import { startProcess, startRestServer, type ServerProcess } from '../demo/serverProcess.ts';
import { executablePath, launch, type Browser } from './chromium.ts';
import { savedDemo } from './savedDemo.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-demo-browser-'));
const dataFile = path.join(folder, 'db.json');
let rest: ServerProcess;
let app: ServerProcess;
let browser: Browser;
let page: Page;

const inBrowser = executablePath === undefined ? describe.skip : describe;

inBrowser('the demo', () => {
  beforeAll(async () => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
    rest = await startRestServer(dataFile);
    app = await startProcess('demo/server/serveApp.mjs', ['--port', '0', '--api', rest.url]);
    browser = await launch();
    page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  afterAll(async () => {
    await browser.close();
    await Promise.all([rest.stop('SIGTERM'), app.stop('SIGTERM')]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts it where the page expects it. */
  async function bringBack() {
    rest = await startProcess('demo/server/main.mjs', ['--port', String(rest.port), '--data', dataFile]);
  }

  /** The requests of the page while `act` ran, and their responses. */
  async function requestsDuring(act: () => Promise<void>) {
    const requests: Request[] = [];
    const record = (request: Request) => requests.push(request);
    page.on('request', record);
    await act();
    page.off('request', record);
    return Promise.all(
      requests.map(async (request) => ({
        url: request.url(),
        failure: request.failure()?.errorText,
        fromServiceWorker: (await request.response())?.fromServiceWorker(),
      })),
    );
  }

  const rows = () => page.locator('[data-row]');
  /** Of the rows, without their age. */
  const texts = () => page.locator('.row-id, .row-text').allInnerTexts();
  const detail = () => page.locator('article.detail');
  const commentForm = () => detail().getByPlaceholder('Write a comment…');
  /** Opens the row at a place. Returns its id as the detail shows it: the list may change until it is clicked. */
  const openRow = async (place: number): Promise<string> => {
    await rows().nth(place).click();
    return detail().locator('.detail-id').innerText();
  };

  it('the demo shows a list and a detail without the server, and sends an edit once it is back', async () => {
    await page.goto(`${app.url}/projects/HAR`);
    await rows().nth(24).waitFor();
    await rows().nth(2).click();
    await commentForm().waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await savedDemo(page);
    const list = await texts();
    const heading = await detail().locator('h1').innerText();
    const id = await detail().locator('.detail-id').innerText();

    await rest.stop('SIGKILL');
    const requests = await requestsDuring(async () => {
      await page.reload();
      await rows().nth(24).waitFor();
      await commentForm().waitFor();
    });
    expect(await texts()).toEqual(list);
    expect(await detail().locator('h1').innerText()).toBe(heading);
    expect(await page.locator('.empty, [role=alert], .toast').count()).toBe(0);
    expect(requests.length).toBeGreaterThan(2);
    for (const request of requests) {
      expect(request).toEqual({ url: expect.any(String), failure: undefined, fromServiceWorker: true });
      expect(request.url.startsWith(app.url)).toBe(true);
    }

    await page.keyboard.press('e');
    await detail().getByLabel('Title').fill('Changed while the server was gone');
    await page.keyboard.press('Control+Enter');
    await detail().getByRole('heading', { name: 'Changed while the server was gone' }).waitFor();
    await detail().locator('[data-mark=waiting]').waitFor();
    expect(await page.locator('.connection').innerText()).toBe('Offline');

    await page.reload();
    await detail().getByRole('heading', { name: 'Changed while the server was gone' }).waitFor();
    await detail().locator('[data-mark=waiting]').waitFor();

    await bringBack();
    await page.evaluate(() => void dispatchEvent(new Event('online')));
    await detail().locator('[data-mark]').waitFor({ state: 'detached' });
    const answer = await fetch(`${rest.url}/issues/${id}`);
    expect(await answer.json()).toMatchObject({ id, title: 'Changed while the server was gone' });
    expect(await rows().allInnerTexts()).toContainEqual(
      expect.stringContaining('Changed while the server was gone'),
    );
  });

  it('the demo shows a change in the detail, the list and the counts', async () => {
    await page.goto(`${app.url}/projects/KEL`);
    const id = await openRow(4);
    const status = detail().getByLabel('Status');
    await status.waitFor();
    const open = Number(
      /\d+/.exec(await page.locator('.nav-item[aria-current=page] .nav-count').innerText())?.[0],
    );
    await status.selectOption('done');
    await page.locator('.row-id').getByText(id, { exact: true }).waitFor({ state: 'detached' });
    await page.locator('.nav-item[aria-current=page] .nav-count', { hasText: String(open - 1) }).waitFor();
    await page.getByText(`${open - 1} open of`).waitFor();
    await page.getByRole('link', { name: 'Closed' }).click();
    const closed = rows().filter({ has: page.getByText(id, { exact: true }) });
    await closed.getByLabel('Done').waitFor();
    expect(await rows().first().locator('.row-id').innerText()).toBe(id);
  });

  it('another tab shows a change without a request', async () => {
    const other = await browser.context.newPage();
    await page.goto(`${app.url}/projects/KEL`);
    const id = await openRow(6);
    await other.goto(`${app.url}/projects/KEL?status=all`);
    const row = other.locator('[data-row]').filter({ has: other.getByText(id, { exact: true }) });
    await row.waitFor();
    const status = detail().getByLabel('Status');
    await status.waitFor();
    const asked: string[] = [];
    // The browser may also load code that is needed later. Either tab may send the change that is queued.
    other.on('request', (request) => {
      if (request.resourceType() !== 'script' && request.method() !== 'PATCH')
        asked.push(`${request.method()} ${request.url()}`);
    });
    await status.selectOption('done');
    await row.getByLabel('Done').waitFor();
    expect(asked).toEqual([]);
    await other.close();
  });

  it('the demo can be used by keyboard alone', async () => {
    await page.goto(`${app.url}/projects/BAL`);
    // Until all issues are in memory, the list may still grow.
    await page.getByText(/\d open of \d/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    const focused = page.locator('[data-row]:focus');
    // By its id: the text has a time that goes on, such as "35m".
    const second = await rows().nth(1).getAttribute('id');
    expect(second).not.toBeNull();
    expect(await focused.getAttribute('id')).toBe(second);
    await page.keyboard.press('Enter');
    await detail().locator('h1:focus').waitFor();
    await page.keyboard.press('Escape');
    await detail().waitFor({ state: 'detached' });
    expect(await focused.getAttribute('id')).toBe(second);
    await page.keyboard.press('/');
    await page.keyboard.type('invoice page');
    await page.waitForURL(/q=invoice\+page/);
    await page.locator('.list-scroll[aria-busy=false]').waitFor();
    expect((await rows().allInnerTexts()).every((text) => /invoice page/i.test(text))).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('a filed issue is on the server and at the top of the list', async () => {
    await page.goto(`${app.url}/projects/LAN`);
    await rows().first().waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Title').fill('Filed by a test');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await detail().getByRole('heading', { name: 'Filed by a test' }).waitFor();
    await rows().first().getByText('Filed by a test').waitFor();
    // What is shown at once has no number yet.
    const id = await detail()
      .locator('.detail-id', { hasText: /^LAN-\d+$/ })
      .innerText();
    await commentForm().fill('And a comment');
    await detail().getByRole('button', { name: 'Comment', exact: true }).click();
    await detail().locator('.comment', { hasText: 'And a comment' }).waitFor();
    const onServer = async (): Promise<unknown[]> =>
      (await fetch(`${rest.url}/issues/${id}/comments`)).json() as Promise<unknown[]>; // a list, by its API
    let comments = await onServer();
    for (; comments.length === 0; comments = await onServer()) await page.waitForTimeout(50);
    expect(comments).toMatchObject([{ body: 'And a comment', author: { id: 'mira-lindqvist' } }]);
  });

  it('loads a project of 20,000 issues when it is opened, and lists it without the server from then on', async () => {
    await page.goto(app.url);
    const fleet = page.getByRole('link', { name: /^Fleet/ }).last();
    await fleet.getByText('Loaded when you open it').waitFor();
    await fleet.click();
    await page.getByText('of 20,000').waitFor({ timeout: 120_000 });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await rest.stop('SIGKILL');
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByText('1–25 of 20,000').waitFor();
    await page.getByRole('searchbox').fill('FLT-19999');
    await page.getByText('1–1 of 1').waitFor();
    expect(await page.locator('.row-id').allInnerTexts()).toEqual(['FLT-19999']);
    await bringBack();
  });

  it.each([
    [360, 640],
    [390, 844],
    [1280, 800],
  ])('the demo fits a screen of %i × %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    for (const address of [
      '/',
      '/projects/HAR',
      '/projects/HAR/issues/HAR-1',
      '/projects/HAR/new',
      '/people/mira-lindqvist',
    ]) {
      await page.goto(app.url + address);
      await page.locator('main h1:visible, main h2:visible').first().waitFor();
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(content).toBeLessThanOrEqual(screen);
    }
  });
});
