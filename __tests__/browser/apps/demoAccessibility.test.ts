import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startProcess, startRestServer, type ServerProcess } from '../../demo/serverProcess.ts';
import { faults } from '../axe.ts';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';

describeInBrowser('the accessibility of the demo', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-demo-accessibility-'));
  let rest: ServerProcess;
  let app: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
    rest = await startRestServer(path.join(folder, 'db.json'));
    app = await startProcess('demo/server/serveApp.mjs', ['--port', '0', '--api', rest.url]);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([rest.stop('SIGTERM'), app.stop('SIGTERM')]);
    rmSync(folder, { recursive: true, force: true });
  });

  const shoot = async (page: Page, name: string) => {
    const shots = process.env.SCREENSHOTS;
    if (shots !== undefined)
      await page.screenshot({ path: path.join(shots, `${name}.png`), animations: 'disabled' });
  };

  /** How each thing to look at is reached. */
  const screens: Record<string, (page: Page) => Promise<void>> = {
    projects: async (page) => {
      await page.goto(app.url);
      await page.locator('[data-row]').first().waitFor();
      await page.getByRole('region', { name: 'New here?' }).waitFor();
    },
    issue: async (page) => {
      await page.goto(`${app.url}/projects/HAR`);
      await page.locator('[data-row]').first().click();
      await page.getByPlaceholder('Write a comment…').waitFor();
    },
    filters: async (page) => {
      await page.goto(`${app.url}/projects/HAR?q=qqqqq&label=bug`);
      await page.getByRole('heading', { name: 'No issues match “qqqqq”' }).waitFor();
      const filters = page.getByRole('button', { name: 'Filters' });
      if (await filters.isVisible()) await filters.click();
      await page.getByLabel('Sort by').waitFor();
    },
    'new issue': async (page) => {
      await page.goto(`${app.url}/projects/HAR/new`);
      await page.getByRole('textbox', { name: 'Title' }).fill('x'.repeat(201));
      await page.getByText('201 / 200').waitFor();
    },
    editor: async (page) => {
      await page.goto(`${app.url}/projects/HAR/issues/HAR-1`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Title' }).waitFor();
    },
    'delete an issue': async (page) => {
      await page.goto(`${app.url}/projects/HAR/issues/HAR-1`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete HAR-1?' }).waitFor();
    },
    storage: async (page) => {
      await page.goto(app.url);
      await page.locator('[data-row]').first().waitFor();
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('button', { name: 'On this device' }).click();
      await page.getByRole('dialog', { name: 'On this device' }).waitFor();
    },
    missing: async (page) => {
      await page.goto(`${app.url}/nowhere`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    },
    person: async (page) => {
      await page.goto(`${app.url}/people/grace-holloway`);
      await page.locator('[data-row]').first().waitFor();
    },
    people: async (page) => {
      await page.goto(`${app.url}/people`);
      await page.locator('[data-row]').first().waitFor();
    },
    help: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
    outbox: async (page) => {
      await page.goto(`${app.url}/people`);
      await page.locator('[data-row]').first().waitFor();
      await page.keyboard.press('o');
      await page.getByRole('dialog').waitFor();
    },
    inspector: async (page) => {
      await page.goto(`${app.url}/?devtools`);
      await page.locator('[data-row]').first().waitFor();
      await page.getByRole('region', { name: 'Holdfast inspector' }).waitFor();
    },
  };

  // Each device and each scheme once: together, all four combinations take minutes.
  it.each([
    { device: 'desktop', colorScheme: 'light', width: 1280, height: 800 },
    { device: 'phone', colorScheme: 'dark', width: 390, height: 844 },
  ] as const)(
    'the demo has no accessibility fault on a $device in $colorScheme',
    async ({ device, colorScheme, width, height }) => {
      const page = await browser.context.newPage();
      await page.setViewportSize({ width, height });
      // Nothing is half faded in when its contrast is measured.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, reach] of Object.entries(screens)) {
        await reach(page);
        // Nor half faded out, as a list is while it is refetched.
        await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
        expect([name, await faults(page)]).toEqual([name, []]);
        await shoot(page, `demo-${device}-${colorScheme}-${name}`);
        // Nothing is wider than the screen.
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      await page.close();
    },
  );

  it('hints are shown until the user closes them, and again on request', async () => {
    const page = await browser.context.newPage();
    await page.goto(app.url);
    const hints = page.getByRole('region', { name: 'New here?' });
    await hints.getByRole('button', { name: 'Close these hints' }).click();
    await hints.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-row]').first().waitFor();
    expect(await hints.count()).toBe(0);
    await page.goto(`${app.url}/people`);
    await page.locator('[data-row]').first().waitFor();
    await page.getByRole('link', { name: 'What to try' }).click();
    await hints.waitFor();
    await page.close();
  });

  it('the inspector loads only on request, and stays in the tab', async () => {
    const page = await browser.context.newPage();
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.url());
    });
    await page.goto(app.url);
    await page.locator('[data-row]').first().waitFor();
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((url) => url.includes('devtools'))).toEqual([]);
    await page.getByRole('link', { name: 'Inspector', exact: true }).click();
    const inspector = page.getByRole('region', { name: 'Holdfast inspector' });
    await inspector.waitFor();
    await page.goto(`${app.url}/people`);
    await inspector.waitFor();
    // The tab is cut off from the network, and says so.
    await inspector.getByRole('switch').click();
    await page.getByText('You are offline.').waitFor();
    await page.close();
  });
});
