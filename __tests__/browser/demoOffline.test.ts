import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startProcess, type ServerProcess } from '../demo/serverProcess.ts';
import { executablePath, launch, newProfile } from './chromium.ts';
import { launchKillable } from './killable.ts';
import { savedDemo } from './savedDemo.ts';

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

/** Changes an issue while the app's server is stopped: on a port that the app, which may try at any time, does not know. */
async function changeElsewhere(id: string, change: object): Promise<void> {
  const elsewhere = await startProcess('demo/server/main.mjs', ['--port', '0', '--data', dataFile]);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(change);
  const response = await fetch(`${elsewhere.url}/issues/${id}`, { method: 'PATCH', headers, body });
  await elsewhere.stop('SIGTERM');
  expect(response.status).toBe(200);
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

/** A number as the app writes it: “1,080”. */
const numberIn = (text = '') => Number(text.replaceAll(',', ''));

/** How many issues of the project are open, how many there are, and how many match what the list shows. */
async function counts(page: Page): Promise<[open: number, total: number, listed: number]> {
  const heading = await page
    .locator('.list-heading')
    .getByText(/open of/)
    .innerText();
  const footer = await page.locator('.list-footer .pages').innerText();
  const [, open, total] = /([\d,]+) open of ([\d,]+)/.exec(heading) ?? [];
  const [, listed] = /of ([\d,]+)/.exec(footer) ?? [];
  return [numberIn(open), numberIn(total), numberIn(listed)];
}

interface IssueOnServer {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly status: string;
  readonly priority: string;
  readonly project: string;
  readonly assignee: string | null;
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

async function issuesOnServer(): Promise<Map<string, IssueOnServer>> {
  const response = await fetch(`${rest.url}/changes`);
  const { issues } = (await response.json()) as { issues: IssueOnServer[] }; // by its API
  return new Map(issues.map((issue) => [issue.id, issue]));
}

interface Filters {
  readonly status?: string;
  readonly assignee?: string;
  readonly label?: string;
  readonly q?: string;
  readonly sort?: string;
  readonly page?: number;
}

/** What the screen of the project `HAR` shows. */
interface Shown {
  readonly ids: readonly string[];
  readonly counts: readonly number[];
  /** The open issues of each project, in the sidebar. */
  readonly sidebar: readonly number[];
}

const closedStatuses = ['done', 'canceled'];
const priorities = ['urgent', 'high', 'medium', 'low', 'none'];
const isOpen = ({ status }: IssueOnServer) => !closedStatuses.includes(status);

/** The plain way: filter, sort and slice. */
function expectedOf(
  known: ReadonlyMap<string, IssueOnServer>,
  { status = 'open', assignee, label, q = '', sort = '-updatedAt', page = 1 }: Filters,
): Shown {
  const all = [...known.values()];
  const own = all.filter(({ project }) => project === 'HAR');
  const hasStatus = (issue: IssueOnServer) =>
    status === 'all' ||
    issue.status === status ||
    (status === 'open' && isOpen(issue)) ||
    (status === 'closed' && !isOpen(issue));
  const listed = own.filter(
    (issue) =>
      hasStatus(issue) &&
      (assignee === undefined || (issue.assignee ?? 'none') === assignee) &&
      (label === undefined || issue.labels.includes(label)) &&
      q.split(' ').every((word) => `${issue.id} ${issue.title} ${issue.body}`.toLowerCase().includes(word)),
  );
  const compare = (left: string | number, right: string | number) =>
    left < right ? -1 : left > right ? 1 : 0;
  const rank = ({ priority }: IssueOnServer) => priorities.indexOf(priority);
  listed.sort((left, right) => {
    const byTime = sort.includes('createdAt')
      ? compare(left.createdAt, right.createdAt)
      : compare(left.updatedAt, right.updatedAt);
    const byPriority = sort === 'priority' ? compare(rank(left), rank(right)) : 0;
    const isAscending = sort === 'updatedAt' || sort === 'createdAt';
    return byPriority || (isAscending ? byTime : -byTime) || compare(left.id, right.id);
  });
  return {
    ids: listed.slice((page - 1) * 25, page * 25).map(({ id }) => id),
    counts: [own.filter(isOpen).length, own.length, listed.length],
    sidebar: [...new Set(all.map(({ project }) => project))]
      .map((id) => all.filter((issue) => issue.project === id && isOpen(issue)).length)
      .sort((left, right) => left - right),
  };
}

async function shownOn(page: Page): Promise<Shown> {
  // After a start, counts appear once all issues are in memory.
  await page.waitForFunction(() => {
    const projects = [...document.querySelectorAll('.nav-item[href^="/projects/"]')];
    // All but the large project, whose issues are not on this device.
    const counts = projects.filter((item) => item.querySelector('.nav-count') !== null);
    return projects.length > 1 && counts.length === projects.length - 1;
  });
  const sidebar = await page.locator('.nav-item[href^="/projects/"] .nav-count').allInnerTexts();
  return {
    ids: await page.locator('.row-id').allInnerTexts(),
    counts: await counts(page),
    sidebar: sidebar.map((text) => numberIn(text.split('\n')[0])).sort((left, right) => left - right),
  };
}

async function shoot(page: Page, name: string): Promise<void> {
  const shots = process.env.SCREENSHOTS;
  if (shots !== undefined) await page.screenshot({ path: path.join(shots, `${name}.png`) });
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
  await savedDemo(page);
  return ids;
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

  it('offline changes survive reloads and a closed browser, and are sent in order, once', async () => {
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
    await rows(page).filter({ hasText: 'Edited in the tunnel' }).waitFor({ state: 'detached' });
    await openIssue(page, deleted);
    await detail(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await detail(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Outbox, 5 waiting' }).waitFor();
    // One more is filed, one of those is closed, and one is gone that was open.
    expect(await counts(page)).toEqual([openBefore - 1, totalBefore, listed - 1]);
    await first.close();

    const second = await launch(profile);
    const [left, right] = [await second.context.newPage(), await second.context.newPage()];
    for (const tab of [left, right]) {
      await tab.goto(`${app.url}/projects/HAR?status=all`);
      await tab.getByText('You are offline').waitFor();
      await rows(tab).filter({ hasText: 'Filed in the tunnel' }).locator('[data-mark=waiting]').waitFor();
      const edited = rows(tab).filter({ hasText: 'Edited in the tunnel' });
      await edited.getByLabel('Done').waitFor();
      await edited.locator('[data-mark=waiting]').waitFor();
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

  it('offline lists are filtered, searched, sorted, paged and counted on the device, and match the server once it is back', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    const [changed] = (await visit(page, 1)) as [string];
    const known = await issuesOnServer();
    const theirs = [...known.values()].filter(
      ({ id, project, status }) => project === 'HAR' && status === 'todo' && id !== changed,
    );
    const [closedByThem, deletedByThem] = theirs as [IssueOnServer, IssueOnServer];
    // Changes that this device has not heard of when the server goes.
    await fetch(`${rest.url}/issues/${closedByThem.id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"status":"done"}',
    });
    await fetch(`${rest.url}/issues/${deletedByThem.id}`, { method: 'DELETE' });
    await rest.stop('SIGTERM');

    const search = page.getByRole('search', { name: 'Issues' });
    const shows = async (filters: Filters) => {
      await page.locator('.list-scroll[aria-busy=false]').waitFor();
      expect([filters, await shownOn(page)]).toEqual([filters, expectedOf(known, filters)]);
    };
    await page.goto(`${app.url}/projects/HAR`);
    await rows(page).nth(24).waitFor();
    await shows({});
    await page.getByRole('link', { name: 'Next page' }).click();
    await shows({ page: 2 });
    await search.getByRole('link', { name: 'Closed' }).click();
    await shows({ status: 'closed' });
    await search.getByLabel('Sort by').selectOption('createdAt');
    await shows({ status: 'closed', sort: 'createdAt' });
    await search.getByRole('link', { name: 'All' }).click();
    await search.getByLabel('Sort by').selectOption('priority');
    await shows({ status: 'all', sort: 'priority' });
    await page.getByRole('link', { name: 'Next page' }).click();
    await shows({ status: 'all', sort: 'priority', page: 2 });
    const [word = '', other = ''] = known.get(changed)!.title.split(' ');
    await search.getByRole('searchbox').fill(`${other} ${word.toUpperCase()}`);
    await search.getByRole('searchbox').press('Enter');
    await shows({ status: 'all', sort: 'priority', q: `${word} ${other}`.toLowerCase() });
    await search.getByRole('button', { name: 'Clear filters' }).click();
    await search.getByLabel('Sort by').selectOption('-updatedAt');
    await search.getByLabel('Assignee').selectOption('none');
    await search.getByLabel('Label').selectOption('bug');
    await shows({ status: 'all', assignee: 'none', label: 'bug' });

    // An edit moves its issue between the lists, and a new issue joins them.
    await page.goto(`${app.url}/projects/HAR/issues/${changed}?status=done`);
    await detail(page).getByLabel('Status').selectOption('done');
    await detail(page).locator('[data-mark=waiting]').first().waitFor();
    const now = new Date().toISOString();
    known.set(changed, { ...known.get(changed)!, status: 'done', updatedAt: now });
    await shows({ status: 'done' });
    await page.goto(`${app.url}/projects/HAR/new`);
    await page.locator('form.editor').getByLabel('Title').fill('Zebra crossing');
    await page.locator('form.editor').getByLabel('Priority').selectOption('urgent');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await detail(page).getByRole('heading', { name: 'Zebra crossing' }).waitFor();
    const filed = { id: 'New', title: 'Zebra crossing', body: '', status: 'triage', priority: 'urgent' };
    const project = 'HAR';
    const time = { createdAt: now, updatedAt: new Date().toISOString() };
    known.set('New', { ...filed, ...time, project, assignee: null, labels: [] });
    await shows({});
    await search.getByRole('searchbox').fill('zebra');
    await search.getByRole('searchbox').press('Enter');
    await shows({ q: 'zebra' });
    // Beside an open issue, the list has no room for all filters.
    await search.getByRole('button', { name: 'Filters' }).click();
    await search.getByRole('button', { name: 'Clear filters' }).click();
    await search.getByLabel('Sort by').selectOption('priority');
    await shows({ sort: 'priority' });
    await shoot(page, 'demo-offline-list');

    await startRest();
    await tellOnline(page);
    await page.getByRole('button', { name: 'Outbox', exact: true }).waitFor();
    await page.locator('.row-id').getByText('New', { exact: true }).waitFor({ state: 'detached' });
    await search.getByRole('link', { name: 'All' }).click();
    await search.getByLabel('Sort by').selectOption('-updatedAt');
    // The response with the changes of others arrives after that of the own ones.
    const closed = rows(page).filter({ has: page.getByText(closedByThem.id, { exact: true }) });
    await closed.getByLabel('Done').waitFor();
    const current = await issuesOnServer();
    expect(current.has(deletedByThem.id)).toBe(false);
    for (const status of ['all', 'open', 'closed']) {
      const name = `${status[0]!.toUpperCase()}${status.slice(1)}`;
      await search.getByRole('link', { name, exact: true }).click();
      await page.locator('.list-scroll[aria-busy=false]').waitFor();
      expect([status, await shownOn(page)]).toEqual([status, expectedOf(current, { status })]);
    }
    expect(steps().filter((step) => !step.startsWith('GET'))).toEqual([
      `PATCH /issues/${changed} 200`,
      'POST /issues 201',
    ]);
    await shoot(page, 'demo-back-online');
    await close();
  });

  it('a mutation is executed once when the browser is killed before the response arrives', async () => {
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

  it('the service worker sends queued mutations while no page is open', async () => {
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
      tag: 'holdfast-demo:mira-lindqvist',
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

  it('a user can resolve a conflict and a rejected mutation', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    const [id] = (await visit(page, 1)) as [string];
    await rest.stop('SIGTERM');
    await page.keyboard.press('e');
    await detail(page).getByLabel('Title').fill('Mine');
    await page.keyboard.press('Control+Enter');
    await detail(page).getByRole('heading', { name: 'Mine' }).waitFor();
    await file(page, 'x'.repeat(201));
    await changeElsewhere(id, { title: 'Theirs' });
    await startRest();
    await tellOnline(page);
    await failed(page).getByText('2').waitFor();

    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Must not be longer than 200 characters').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.entry-failed').getByLabel('Title').fill('Short enough');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: `Two versions of ${id}` });
    // Cancelling leaves both versions where they are.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('radio', { name: 'Combine both' }).check();
    await dialog.getByLabel('Title, combined').fill('Ours');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Everything is saved on the server').waitFor();
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
