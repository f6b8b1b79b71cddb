import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ConduitServer } from '../../conduit/ConduitServer.ts';
import { startProcess, type ServerProcess } from '../../demo/serverProcess.ts';
import { freePort } from '../../examples/Terminal.ts';
import { seriousFaults } from '../axe.ts';
import { describeInBrowser, launch } from '../chromium.ts';

const api = new ConduitServer();
const out = mkdtempSync(path.join(tmpdir(), 'holdfast-conduit-app-'));
let app: ServerProcess | undefined;
let port: string;

async function startApp(): Promise<void> {
  const flags = ['--port', port, '--api', api.url, '--out', out];
  app ??= await startProcess('examples/conduit/start.mjs', flags);
}
async function stopApp(): Promise<void> {
  await app?.stop('SIGKILL');
  app = undefined;
}

const home = () => `http://localhost:${port}/`;

/** A browser of its own, with one tab that shows all articles. */
async function open(): Promise<{
  page: Page;
  complaints: string[];
  newTab(): Promise<Page>;
  close(): Promise<void>;
}> {
  const { context, close } = await launch();
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(error.error().message));
  const newTab = async (): Promise<Page> => {
    const tab = await context.newPage();
    await tab.goto(home());
    await preview(tab, 'The slowest ferry').waitFor();
    return tab;
  };
  const page = await newTab();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return { page, complaints, newTab, close };
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password').fill('password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: username }).waitFor();
}
async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign up' }).waitFor();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const preview = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const unsent = (page: Page, text: string) => page.getByRole('link', { name: text, exact: true });
const sent = (page: Page) => page.locator('.unsent').waitFor({ state: 'detached' });
/** What the browser does when it finds a network: the app then asks for its server at once. */
const tellOnline = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('online')));

async function publish(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'New article' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('What is it about?').fill('In short.');
  await page.getByLabel('Text').fill('At length.');
  await page.getByLabel('Tags').fill('tools');
  await page.getByRole('button', { name: 'Publish' }).click();
  await heading(page, title).waitFor();
}
async function rename(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Publish' }).click();
  await heading(page, title).waitFor();
}
async function comment(page: Page, body: string): Promise<void> {
  await page.getByLabel('Your comment').fill(body);
  await page.getByRole('button', { name: 'Post comment' }).click();
  await page.getByText(body).waitFor();
}
const pathOf = (page: Page) => new URL(page.url()).pathname;

describeInBrowser('the Conduit example', () => {
  beforeAll(async () => {
    await api.start();
    port = await freePort();
  });
  beforeEach(async () => {
    await api.stop();
    await api.startFresh();
    await startApp();
  });
  afterAll(async () => {
    await stopApp();
    await api.end();
    rmSync(out, { recursive: true, force: true });
  });

  it('Conduit reopens without a server, shows what was written offline, and sends it in order', async () => {
    const { page, complaints, close } = await open();
    await signIn(page, 'ada');
    await preview(page, 'The slowest ferry').waitFor();
    await page.getByRole('link', { name: 'The slowest ferry' }).click();
    await page.getByLabel('Your comment').waitFor();
    await Promise.all([api.stop(), stopApp()]);

    await publish(page, 'In the tunnel');
    await comment(page, 'Dark here');
    await page.getByText('You are offline').waitFor();
    await unsent(page, '2 unsent').waitFor();
    await page.reload();
    await heading(page, 'In the tunnel').waitFor();
    await page.getByText('Dark here').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await preview(page, 'In the tunnel').getByText('not sent yet').waitFor();
    await page.getByRole('link', { name: 'The slowest ferry' }).click();
    await page.getByText('Nobody taught me this').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'In the tunnel' }).click();
    await page.getByText('Dark here').waitFor();

    await api.start();
    await tellOnline(page);
    await sent(page);
    expect(await api.mutations()).toEqual([
      'POST /articles 201',
      'POST /articles/in-the-tunnel/comments 201',
    ]);
    await page.waitForURL('**/article/in-the-tunnel');
    await page.getByText('Dark here').waitFor();
    expect(await page.getByText('not sent yet').count()).toBe(0);
    await api.stop();
    // The disk lists the comment under the new slug.
    await page.reload();
    await page.getByText('Dark here').waitFor();
    await comment(page, 'Still dark');
    await api.start();
    await startApp();
    await tellOnline(page);
    await sent(page);
    await page.reload();
    for (const text of ['Dark here', 'Still dark']) await page.getByText(text).waitFor();
    const asked = (await api.log()).map(({ path: requested }) => requested);
    expect(asked.filter((requested) => requested.includes('optimistic-'))).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('Conduit keeps two tabs in sync when a title changes offline, and sends a comment to the new slug', async () => {
    const { page, complaints, newTab, close } = await open();
    await signIn(page, 'ada');
    await publish(page, 'First draft');
    await comment(page, 'Begun');
    const other = await newTab();
    await other.getByRole('link', { name: 'First draft' }).click();
    await other.getByText('Begun').waitFor();
    await api.change({ clearLog: true });
    await api.stop();

    await rename(page, 'Final version');
    await comment(page, 'Much better');
    await heading(other, 'Final version').waitFor();
    await other.getByText('Much better').waitFor();
    await comment(other, 'From the other tab');
    await page.getByText('From the other tab').waitFor();
    expect(pathOf(page)).toBe('/article/first-draft');

    await api.start();
    await tellOnline(page);
    for (const tab of [page, other]) {
      await sent(tab);
      await tab.waitForURL('**/article/final-version');
      for (const text of ['Begun', 'Much better', 'From the other tab']) await tab.getByText(text).waitFor();
    }
    expect(await api.mutations()).toEqual([
      'PUT /articles/first-draft 200',
      'POST /articles/final-version/comments 201',
      'POST /articles/final-version/comments 201',
    ]);
    await page.getByRole('link', { name: 'Home' }).click();
    await preview(page, 'Final version').waitFor();
    expect(await preview(page, 'First draft').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('Conduit asks a user with an expired token to sign in again, and then sends their mutations', async () => {
    const { page, complaints, close } = await open();
    await signIn(page, 'ada');
    await preview(page, 'The slowest ferry').waitFor();
    await api.change({ expireTokens: true });
    await api.stop();
    await publish(page, 'In the tunnel');
    await api.start();
    await tellOnline(page);
    await page.getByText('You have been signed out').waitFor();
    await unsent(page, '1 unsent').waitFor();
    await page.reload();
    await heading(page, 'In the tunnel').waitFor();

    await page.getByRole('status').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await sent(page);
    await preview(page, 'In the tunnel').waitFor();
    expect(await page.getByText('not sent yet').count()).toBe(0);
    const made = (await api.log()).filter((line) => line.method === 'POST' && line.path === '/articles');
    expect(made.at(-1)).toMatchObject({ user: 'ada', status: 201 });
    expect(complaints).toEqual([]);
    await close();
  });

  it('Conduit keeps the data of two users on one device apart', async () => {
    const { page, complaints, close } = await open();
    await signIn(page, 'ada');
    await preview(page, 'The slowest ferry').waitFor();
    await api.stop();
    await publish(page, 'By Ada');
    await signOut(page);
    await api.start();
    await tellOnline(page);
    await signIn(page, 'ben');
    await preview(page, 'The slowest ferry').waitFor();
    expect(await preview(page, 'By Ada').count()).toBe(0);
    expect(await page.locator('.unsent').count()).toBe(0);
    await publish(page, 'By Ben');
    await page.waitForURL('**/article/by-ben');
    await signOut(page);
    await signIn(page, 'ada');
    await preview(page, 'By Ada').waitFor();
    await sent(page);

    const requests = (await api.log()).filter(({ path: asked }) => asked !== '/users/login');
    const firstOf = (user: string) => requests.findIndex((line) => line.user === user);
    // One after the other, never one in the time of another.
    const users = requests.map(({ user }) => user).filter((user, place, all) => user !== all[place - 1]);
    expect(users.filter((user) => user !== null)).toEqual(['ben', 'ada']);
    expect(firstOf('ben')).toBeLessThan(firstOf('ada'));
    const made = requests.filter(({ method }) => method === 'POST');
    expect(made.map(({ user, body, status }) => [user, status, body])).toMatchObject([
      ['ben', 201, { article: { title: 'By Ben' } }],
      ['ada', 201, { article: { title: 'By Ada' } }],
    ]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('Conduit names the header that a server does not allow, and continues to read', async () => {
    const { page, complaints, close } = await open();
    await signIn(page, 'ada');
    await api.change({ corsHeaders: 'Content-Type, Authorization' });
    await publish(page, 'Not allowed');
    await page.getByRole('status').getByText('Idempotency-Key').waitFor();
    expect(await page.getByText('You are offline').count()).toBe(0);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'weather' }).first().click();
    await preview(page, 'Fog, from inside').waitFor();

    await unsent(page, '1 unsent').click();
    await api.change({ corsHeaders: 'Content-Type, Authorization, Idempotency-Key' });
    // The outbox may try again by itself first, which takes the button away.
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    await Promise.race([tryAgain.click().catch(() => undefined), sent(page)]);
    await sent(page);
    await page.getByText('Everything you did is on the server').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('each Conduit screen is accessible, wide and narrow', async () => {
    const { page, close } = await open();
    await signIn(page, 'ada');
    await preview(page, 'The slowest ferry').waitFor();
    await api.stop();
    await publish(page, 'In the tunnel');
    for (const width of [1200, 375]) {
      await page.setViewportSize({ width, height: 800 });
      for (const screen of ['/', '/unsent', '/editor', '/settings', '/login', '/register', '/nowhere']) {
        await page.goto(home() + screen.slice(1));
        await page.getByRole('heading').first().waitFor();
        expect(await seriousFaults(page)).toEqual([]);
      }
      const overflow = () => document.documentElement.scrollWidth - innerWidth;
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
    await close();
  });
});
