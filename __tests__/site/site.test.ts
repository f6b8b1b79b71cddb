import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../browser/chromium.ts';

const built = path.join(__dirname, '../../docs/.vitepress/dist');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const docs = path.join(__dirname, '../../docs');

/** The addresses of all pages, and of two of the API reference. */
const PAGES = [
  '/',
  ...[...readFileSync(path.join(docs, '.vitepress/pages.mjs'), 'utf8').matchAll(/\[\s*'([\w/]+)\.md',/g)].map(
    ([, page = '']) => `/${page.replace(/README$/, '')}`,
  ),
  ...readdirSync(path.join(docs, 'decisions'))
    .filter((file) => file !== 'README.md')
    .map((file) => `/decisions/${file.replace('.md', '')}`),
  '/api/',
  '/api/holdfast/classes/Controller',
];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/** The built site, as a host with addresses without `.html` serves it. */
function serveSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const file = [name, `${name}.html`].map((end) => path.join(built, end)).find((end) => existsSync(end));
    if (file?.startsWith(built) !== true) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    response.setHeader('content-type', type).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('the built documentation', () => {
  it('the built documentation has the texts for programs', () => {
    const full = readFileSync(path.join(built, 'llms-full.txt'), 'utf8');
    expect(full).toContain('## HF_PK_MISSING');
    for (const [, page = ''] of readFileSync(path.join(built, 'llms.txt'), 'utf8').matchAll(/\]\((\S+)\)/g))
      expect([page, existsSync(path.join(built, page))]).toEqual([page, true]);
  });
});

describeInBrowser('the documentation in a browser', () => {
  let server: Server;
  let browser: Browser;
  let origin = '';

  beforeAll(async () => {
    server = await serveSite();
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  async function open(width: number, scheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    return page;
  }

  /**
   * Serious faults by axe, what is wider than the screen, errors in the console, images that are not there, and on a wide
   * screen code that scrolls.
   */
  async function faultsOf(page: Page, address: string): Promise<string[]> {
    const faults: string[] = [];
    const note = (error: Error): number => faults.push(error.message);
    page.on('pageerror', note);
    await page.goto(origin + address, { waitUntil: 'load' });
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      // The line above has put it there.
      const { axe } = globalThis as unknown as {
        axe: { run(where: Document, options: object): Promise<AxeResults> };
      };
      // Without describing everything that is right.
      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
      const { scrollWidth, clientWidth } = document.documentElement;
      const scrolling = [...document.querySelectorAll('.vp-doc pre')]
        .filter((pre) => pre.scrollWidth > pre.clientWidth)
        .map((pre) => `scrolls: ${pre.textContent.slice(0, 100)}`);
      const broken = [...document.images].filter(({ naturalWidth }) => naturalWidth === 0);
      return [
        ...serious,
        ...(scrollWidth > clientWidth ? [`wider than the screen by ${scrollWidth - clientWidth}`] : []),
        ...broken.map(({ src }) => `no image ${src}`),
        ...(innerWidth < 1280 ? [] : scrolling),
      ];
    });
    page.off('pageerror', note);
    return [...faults, ...found];
  }

  describe.each([
    [390, 'dark', PAGES],
    [1280, 'light', PAGES],
    [390, 'light', PAGES.slice(0, 2)],
    [1280, 'dark', PAGES.slice(0, 2)],
  ] as const)('%i wide, %s', (width, scheme, addresses) => {
    let page: Page;
    beforeAll(async () => {
      page = await open(width, scheme);
    });
    afterAll(() => page.close());

    it.each(addresses)('%s is accessible and fits', async (address) => {
      expect(await faultsOf(page, address)).toEqual([]);
    });
  });

  it('the search finds a page and opens it', async () => {
    const page = await open(1280, 'light');
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('temporary pks');
    await page.locator('.result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/offline|optimistic/);
    await page.close();
  });

  it.each([
    ['install', /\/install/],
    ['defaults', /\/defaults/],
    ['total', /\/pagination#totals/],
    ['wrapped', /#wrapped-bodies/],
    ['snake_case', /\/realApi#names-in-snake-case/],
    ['renew token', /\/auth#renewing-a-token/],
    ['version number', /\/offline#version-numbers/],
    ['dataExpiryLength', /\/(?!api\/)[a-z]+#/i],
    ['gcTime', /\/(?!api\/)[a-z]+#/i],
  ])('the search ranks the guide first for "%s"', async (words, address) => {
    const page = await open(1280, 'light');
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill(words);
    const first = page.locator('.result').first();
    await first.waitFor();
    expect(await first.getAttribute('href')).toMatch(address);
    await page.close();
  });

  it('the documentation draws diagrams', async () => {
    const page = await open(1280, 'light');
    await page.goto(`${origin}/optimistic`);
    const diagram = page.getByRole('img', { name: 'The confirmed state lies at the bottom.' });
    expect(await diagram.getByText('head: what readers see').count()).toBeGreaterThan(0);
    await page.close();
  });
});
