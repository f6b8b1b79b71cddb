import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startProcess, startRestServer, type ServerProcess } from '../demo/serverProcess.ts';
import { seriousFaults } from './axe.ts';
import { describeInBrowser, launch, type Browser } from './chromium.ts';

describeInBrowser('the demo, for whoever opens it', () => {
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
      await page.getByRole('complementary', { name: 'New here?' }).waitFor();
    },
    issue: async (page) => {
      await page.goto(`${app.url}/projects/HAR`);
      await page.locator('[data-row]').first().click();
      await page.getByPlaceholder('Write a comment…').waitFor();
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

  for (const [device, viewport] of Object.entries({
    desktop: { width: 1280, height: 800 },
    phone: { width: 390, height: 844 },
  })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`the demo has no serious accessibility fault on a ${device} in ${colorScheme}`, async () => {
        const page = await browser.context.newPage();
        await page.setViewportSize(viewport);
        // Nothing is half faded in when its contrast is measured.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const [name, reach] of Object.entries(screens)) {
          await reach(page);
          // Nor half faded out, as a list is while it is refetched.
          await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
          expect([name, await seriousFaults(page)]).toEqual([name, []]);
          await shoot(page, `demo-${device}-${colorScheme}-${name}`);
          // Nothing is wider than the screen.
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
            viewport.width,
          );
        }
        await page.close();
      });
    }
  }

  it('hints are shown until the user closes them, and again on request', async () => {
    const page = await browser.context.newPage();
    await page.goto(app.url);
    const hints = page.getByRole('complementary', { name: 'New here?' });
    await hints.getByRole('button', { name: 'Close these hints' }).click();
    await hints.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-row]').first().waitFor();
    expect(await hints.count()).toBe(0);
    await page.goto(`${app.url}/people`);
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'What to try' }).click();
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
