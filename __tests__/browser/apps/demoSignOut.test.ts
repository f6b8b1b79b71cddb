import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startProcess, type ServerProcess } from '../../demo/serverProcess.ts';
import { seriousFaults } from '../axe.ts';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import { savedDemo } from '../savedDemo.ts';

describeInBrowser('the demo on a shared device', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-demo-sign-out-'));
  let rest: ServerProcess;
  let restPort = 0;
  let app: ServerProcess;
  let browser: Browser;
  let page: Page;

  /** On the port that the app knows. */
  async function startRest(): Promise<void> {
    const own = ['--port', String(restPort), '--data', path.join(folder, 'db.json'), '--log'];
    rest = await startProcess('demo/server/main.mjs', own);
    restPort = rest.port;
  }

  beforeAll(async () => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
    await startRest();
    app = await startProcess('demo/server/serveApp.mjs', ['--port', '0', '--api', rest.url]);
  });
  beforeEach(async () => {
    browser = await launch();
    page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterEach(async () => {
    await browser.close();
  });
  afterAll(async () => {
    await Promise.all([rest.stop('SIGTERM'), app.stop('SIGTERM')]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** The requests that changed something, in order. */
  const changes = () =>
    rest
      .lines()
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { method: string; path: string; body: object }); // as the server writes it

  const rows = () => page.locator('[data-row]');
  const signOut = () => page.getByRole('button', { name: 'Sign out', exact: true });
  const signInPage = () => page.getByRole('heading', { name: 'Sign in' });
  const outbox = (name: string) => page.getByRole('button', { name, exact: true });
  const isSignedInAs = (name: string) => page.locator('.me-name', { hasText: name }).waitFor();

  async function signIn(name: string): Promise<void> {
    await page.getByRole('button', { name }).click();
    await isSignedInAs(name);
  }

  async function openProject(): Promise<void> {
    await page.goto(`${app.url}/projects/HAR`);
    await rows().nth(24).waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await savedDemo(page);
  }

  async function file(title: string): Promise<void> {
    await page.goto(`${app.url}/projects/HAR/new`);
    await page.locator('form.editor').getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.locator('article.detail').getByRole('heading', { name: title }).waitFor();
  }

  /** How often the stored data name an issue of the project, by database. */
  const storedIssues = () =>
    page.evaluate(async () => {
      const stored: Record<string, number> = {};
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => {
            resolve(opening.result);
          };
          opening.onerror = () => {
            reject(new Error(name));
          };
        });
        let text = '';
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          text += await new Promise<string>((resolve) => {
            all.onsuccess = () => {
              resolve(JSON.stringify(all.result));
            };
          });
        }
        database.close();
        stored[name] = text.split('HAR-').length - 1;
      }
      return stored;
    });

  it('sign-out deletes the data at once if the server has everything', async () => {
    await openProject();
    await isSignedInAs('Mira Lindqvist');
    while (!Object.values(await storedIssues()).some((issues) => issues > 1000))
      await page.waitForTimeout(50);
    await signOut().click();
    await signInPage().waitFor();
    expect(Object.values(await storedIssues()).filter((issues) => issues > 0)).toEqual([]);
    expect(await seriousFaults(page)).toEqual([]);
    // A reload does not sign in again.
    await page.reload();
    await signInPage().waitFor();
    await signIn('Priya Raghavan');
    await openProject();
  });

  it('sign-out shows unsent changes first, and the next user sees none of them, even offline', async () => {
    await openProject();
    await rest.stop('SIGTERM');
    await file('Secret of Mira');
    await page.goto(`${app.url}/projects/HAR/new`);
    await page.locator('form.editor').getByLabel('Title').fill('Half a thought of Mira');
    await outbox('Outbox, 1 waiting').waitFor();

    await signOut().click();
    const dialog = page.getByRole('dialog', { name: '1 change is not sent yet' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await outbox('Outbox, 1 waiting').waitFor();

    await signOut().click();
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('The server can’t be reached.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign out anyway' }).click();
    await signInPage().waitFor();

    await signIn('Priya Raghavan');
    for (const visit of ['first', 'again']) {
      await page.goto(`${app.url}/projects/HAR`);
      await page.getByText('You are offline').waitFor();
      // Nothing is on the device for her, so the list cannot be shown.
      await page.locator('.list-scroll').getByText('The server can’t be reached.').waitFor();
      expect([visit, await rows().count()]).toEqual([visit, 0]);
      await outbox('Outbox').waitFor();
    }

    await startRest();
    await page.goto(`${app.url}/projects/HAR/new`);
    const title = page.locator('form.editor').getByLabel('Title');
    await title.waitFor();
    expect(await title.inputValue()).toBe('');
    await file('Filed by Priya');
    await page.locator('.detail-id', { hasText: /^HAR-\d+$/ }).waitFor();
    await outbox('Outbox').waitFor();
    expect(await page.getByText('Secret of Mira').count()).toBe(0);
    // Neither page nor worker has sent what Mira left.
    expect(changes()).toMatchObject([{ body: { title: 'Filed by Priya', author: 'priya-raghavan' } }]);

    await signOut().click();
    await signInPage().waitFor();
    await signIn('Mira Lindqvist');
    await page.goto(`${app.url}/projects/HAR`);
    const own = rows().filter({ hasText: 'Secret of Mira' });
    await own.getByText(/^HAR-\d+$/).waitFor();
    expect(changes()).toMatchObject([
      { body: { title: 'Filed by Priya', author: 'priya-raghavan' } },
      { body: { title: 'Secret of Mira', author: 'mira-lindqvist' } },
    ]);
    await page.goto(`${app.url}/projects/HAR/new`);
    await title.waitFor();
    expect(await title.inputValue()).toBe('Half a thought of Mira');
  });

  it('sign-out sends unsent changes on request', async () => {
    await openProject();
    await rest.stop('SIGTERM');
    await file('Sent on the way out');
    await outbox('Outbox, 1 waiting').waitFor();
    await signOut().click();
    const dialog = page.getByRole('dialog', { name: '1 change is not sent yet' });
    await startRest();
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await signInPage().waitFor();
    expect(changes()).toMatchObject([{ method: 'POST', body: { title: 'Sent on the way out' } }]);
  });

  it('sign-out and sign-in apply to all tabs', async () => {
    const other = await browser.context.newPage();
    await openProject();
    await other.goto(`${app.url}/people`);
    await other.locator('[data-row]').first().waitFor();
    await signOut().click();
    await signInPage().waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn('Jonah Whitfield');
    await other.locator('.me-name', { hasText: 'Jonah Whitfield' }).waitFor();
  });
});
