import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { seriousFaults } from '../axe.ts';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import type { DevtoolsWindow } from '../scenarios/devtools.tsx';
import { serve, type Site } from '../serve.ts';

const authors = ['Ada', 'Grace', 'Edsger', 'Barbara'].map((name, index) => ({ id: String(index), name }));
const articles = Array.from({ length: 30 }, (_, index) => ({
  id: String(index),
  title: `What we learned about kelp, part ${index}`,
  isRead: index % 3 === 0,
  author: authors[index % authors.length],
}));

const TABS = ['Results', 'Rows', 'Requests', 'Commits', 'Outbox', 'Storage'];

describeInBrowser('the inspector', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let asked: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    const url = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked.push(`${request.method ?? ''} ${url}`);
    const id = /^\/api\/articles\/(.+)$/.exec(url)?.[1];
    const article = articles[Number(id)];
    const body =
      id === undefined
        ? url === '/api/authors'
          ? authors
          : articles
        : article && { ...article, ...(JSON.parse(sent || '{}') as object) };
    response.statusCode = body === undefined ? 404 : 200;
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(body ?? { message: 'not found' }));
  }

  beforeAll(async () => {
    site = await serve(
      { devtools: path.join(__dirname, '../scenarios/devtools.tsx') },
      (request, response) => {
        void answer(request, response);
      },
    );
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  afterEach(async () => {
    // The next page begins in the default state.
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  let visits = 0;
  beforeEach(async () => {
    asked = [];
    visits += 1;
    page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    // A database of its own for each test.
    await page.goto(`${site.origin}/devtools?${visits}`);
    await page.getByText('What we learned about kelp, part 29').waitFor();
  });

  const inspector = () => page.getByRole('region', { name: 'Holdfast inspector' });
  const open = () => page.getByRole('button', { name: 'Open the Holdfast inspector' }).click();
  const tab = (name: string) => inspector().getByRole('tab', { name });
  const shoot = async (name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined)
      await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
  };

  const faults = () => seriousFaults(page, { fromShadowDom: ['holdfast-inspector', 'div'] });

  for (const [device, size] of Object.entries({
    desktop: { width: 1280, height: 800 },
    phone: { width: 390, height: 844 },
  })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`the inspector has no serious accessibility fault on a ${device} in ${colorScheme}`, async () => {
        await page.setViewportSize(size);
        // Nothing is half faded in when its contrast is measured.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await faults()).toEqual([]);
        await shoot(`${device}-${colorScheme}-closed`);
        await open();
        await page.evaluate(() => {
          const { controller, endpoints } = window as unknown as DevtoolsWindow;
          void controller.fetch(endpoints.partialUpdate, { id: '2' }, { title: 'Kelp, revised' });
        });
        for (const name of TABS) {
          await tab(name).click();
          if (name === 'Outbox') await inspector().getByRole('switch').click();
          if (name === 'Outbox')
            await page.evaluate(async () => {
              const { controller, endpoints } = window as unknown as DevtoolsWindow;
              await controller.fetch(endpoints.partialUpdate, { id: '3' }, { title: 'Written offline' });
            });
          expect([name, await faults()]).toEqual([name, []]);
          await shoot(`${device}-${colorScheme}-${name}`);
          const first = inspector().getByRole('listitem').getByRole('button').first();
          if (name === 'Storage') continue;
          await first.click();
          expect([name, await faults()]).toEqual([name, []]);
          await shoot(`${device}-${colorScheme}-${name}-detail`);
        }
        // Nothing is wider than the screen.
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          size.width,
        );
      });
    }
  }

  it("the inspector and the page do not affect each other's styles", async () => {
    await open();
    const style = (of: string) =>
      inspector()
        .getByRole('button', { name: of })
        .evaluate((button) => {
          const { backgroundColor, letterSpacing, paddingTop, fontSize } = getComputedStyle(button);
          return { backgroundColor, letterSpacing, paddingTop, fontSize };
        });
    expect(await style('Clear')).toEqual({
      backgroundColor: 'rgb(255, 255, 255)',
      letterSpacing: 'normal',
      paddingTop: '0px',
      fontSize: '12px',
    });
    expect(await page.locator('h1').evaluate((title) => getComputedStyle(title).fontFamily)).toBe('serif');
  });

  it('the inspector can be used by keyboard alone', async () => {
    await page.keyboard.press('Alt+Shift+H');
    await inspector().waitFor();
    await tab('Results').focus();
    await page.keyboard.press('ArrowRight');
    expect(await tab('Rows').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await inspector().waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('holdfast-inspector');
    await page.keyboard.press('Enter');
    await inspector().waitFor();
    // It is open, with the same tab, after a reload.
    await page.reload();
    await inspector().waitFor();
    expect(await tab('Rows').getAttribute('aria-selected')).toBe('true');
  });

  it('the offline switch of the inspector blocks requests, and reports the page as offline', async () => {
    await open();
    await inspector().getByRole('switch').click();
    asked = [];
    const outcome = await page.evaluate(async () => {
      const { controller, endpoints } = window as unknown as DevtoolsWindow;
      const error: unknown = await controller
        .fetch(endpoints.get, { id: '7' })
        .catch((reason: unknown) => reason);
      return { ...(error as { status: number }), isOnline: controller.environment.isOnline };
    });
    expect(outcome).toMatchObject({ status: 0, isOnline: false });
    expect(asked).toEqual([]);
    await inspector().getByRole('switch').click();
    expect(
      await page.evaluate(() => (window as unknown as DevtoolsWindow).controller.environment.isOnline),
    ).toBe(true);
  });

  it('the inspector shows and searches 100,000 rows', async () => {
    await open();
    await tab('Rows').click();
    await page.evaluate(() => (window as unknown as DevtoolsWindow).fill(100_000));
    await inspector().getByLabel('Table').selectOption('Article');
    await inspector().getByText('The first 100 of 100,0').waitFor();
    const rows = inspector().getByRole('list', { name: 'Rows of Article' }).getByRole('listitem');
    expect(await rows.count()).toBe(100);
    await inspector().getByRole('searchbox', { name: 'Search rows' }).fill('News 99999');
    await inspector().getByText('News 99999').waitFor();
    expect(await rows.count()).toBe(1);
    await tab('Commits').click();
    await inspector().getByText('100,001 rows').first().click();
    await inspector().getByText('It was too much').waitFor();
  });
});
