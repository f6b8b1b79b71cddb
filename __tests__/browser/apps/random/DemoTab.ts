import type { Locator, Page } from 'playwright-core';
import type { Browser } from '../../chromium.ts';

/** The projects that are used. */
export const PROJECTS = ['HAR', 'KEL'] as const;

/** One tab of the demo, and what a person does in it. */
export class DemoTab {
  readonly page: Page;
  readonly device: Browser;
  /** What its console and its errors say, beside the network's failures. */
  readonly problems: readonly string[];
  readonly #url: string;

  private constructor(page: Page, device: Browser, url: string, problems: readonly string[]) {
    this.page = page;
    this.device = device;
    this.#url = url;
    this.problems = problems;
  }

  /** @param url - the address of the app */
  static async open(device: Browser, url: string): Promise<DemoTab> {
    const page = await device.context.newPage();
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
    page.on('console', (message) => {
      const isNetwork = /Failed to load resource|blocked by CORS policy|HF_NETWORK/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isNetwork) problems.push(message.text());
    });
    const tab = new DemoTab(page, device, url, problems);
    await tab.showList(PROJECTS[0]);
    return tab;
  }

  get detail(): Locator {
    return this.page.locator('article.detail');
  }

  get rows(): Locator {
    return this.page.locator('[data-row]');
  }

  async showList(project: string, status = 'all'): Promise<void> {
    await this.page.goto(`${this.#url}/projects/${project}?status=${status}`);
    await this.page.locator('main').waitFor();
  }

  /** Opens one of the first issues of the list, unless an issue is open. Returns its id, as the page shows it. */
  async openIssue(place: number): Promise<string> {
    if ((await this.detail.count()) === 0) {
      await this.rows.first().waitFor();
      await this.rows.nth(place % Math.min(8, await this.rows.count())).click();
    }
    return this.detail.locator('.detail-id').innerText();
  }

  async comment(text: string): Promise<void> {
    await this.detail.getByPlaceholder('Write a comment…').fill(text);
    await this.detail.getByRole('button', { name: 'Comment', exact: true }).click();
    await this.detail.locator('.comment', { hasText: text }).waitFor();
  }

  async retitle(title: string): Promise<void> {
    const field = this.detail.getByLabel('Title');
    if ((await field.count()) === 0) await this.detail.getByRole('button', { name: 'Edit' }).click();
    await field.fill(title);
    await this.page.keyboard.press('Control+Enter');
    await this.detail.getByRole('heading', { name: title }).waitFor();
  }

  async setStatus(status: string): Promise<void> {
    await this.detail.getByLabel('Status').selectOption(status);
  }

  async create(project: string, title: string): Promise<void> {
    await this.page.goto(`${this.#url}/projects/${project}/new`);
    await this.page.locator('form.editor').getByLabel('Title').fill(title);
    await this.page.locator('form.editor').getByLabel('Description').fill(title);
    await this.page.getByRole('button', { name: 'Create issue' }).click();
    await this.detail.getByRole('heading', { name: title }).waitFor();
  }

  async remove(): Promise<void> {
    await this.detail.getByRole('button', { name: 'Delete', exact: true }).click();
    await this.page.getByRole('button', { name: 'Delete issue' }).click();
    await this.detail.waitFor({ state: 'detached' });
  }

  async refresh(): Promise<void> {
    await this.page.getByRole('button', { name: 'Refresh' }).click();
    await this.page.waitForFunction(() => document.querySelector('.is-refreshing') === null);
  }

  /** What the list shows, once it has settled. */
  async firstIssues(): Promise<readonly string[]> {
    await this.rows.first().waitFor();
    await this.page.locator('.list-scroll[aria-busy=false]').waitFor();
    return this.rows.evaluateAll((rows) =>
      rows.map((row) =>
        ['.row-id', '.row-text'].map((name) => row.querySelector(name)?.textContent).join(' '),
      ),
    );
  }

  /** Waits until nothing in the outbox can be sent any more. Returns what the outbox shows. */
  async sent(): Promise<string> {
    await this.page.evaluate(() => void dispatchEvent(new Event('online')));
    await this.page
      .locator('button[aria-label^="Outbox"]:not([aria-label*="waiting"])')
      .waitFor({ timeout: 120_000 });
    await this.page.keyboard.press('Escape');
    await this.page.locator('button[aria-label^="Outbox"]').click();
    const dialog = this.page.getByRole('dialog');
    const text = await dialog.innerText();
    await this.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    return text;
  }
}
