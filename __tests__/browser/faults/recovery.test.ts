import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable, type KillableBrowser } from '../killable.ts';
import type {} from '../scenarios/notesApp.tsx';
import { serve, type Site } from '../serve.ts';

/** How long the server is down, in seconds: several retries, also if their delays doubled. */
const OUTAGE = Number(process.env.OUTAGE ?? 12);
/** Where an outage is asked for, how soon entries are sent is a condition, too: a busy machine takes longer. */
const IS_TIMED = process.env.OUTAGE !== undefined;
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);

/** A server of notes that can be down: nothing listens on its port, as after a crash or during a deployment. */
class Api {
  /** The texts of created notes with the time of each, in ms since the epoch. */
  readonly created: { readonly text: string; readonly at: number }[] = [];
  #port = 0;
  #server: Server | undefined;

  get origin(): string {
    return `http://localhost:${this.#port}`;
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => {
      const { method, headers } = request;
      response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
      response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key');
      response.setHeader('Content-Type', 'application/json');
      if (method !== 'POST') {
        response.end('[]');
        return;
      }
      const at = Date.now();
      void text(request).then((body) => {
        const note = JSON.parse(body) as { text: string }; // as the page sends it
        this.created.push({ text: note.text, at });
        response.end(JSON.stringify({ ...note, id: String(this.created.length) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, 'localhost', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async down(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }
}

/** The largest difference of some times. */
const apart = (times: readonly number[]): number => Math.max(...times) - Math.min(...times);

describeInBrowser('a server that was down', () => {
  let site: Site;
  let api: Api;
  let browser: KillableBrowser;
  let context: BrowserContext;
  beforeAll(async () => {
    site = await serve({ notesApp: path.join(__dirname, '../scenarios/notesApp.tsx') });
  });
  beforeEach(async () => {
    api = new Api();
    await api.up();
    // By default, every page would count as visible.
    browser = await launchKillable(newProfile(), { noDefaults: true });
    context = browser.browser.contexts()[0]!;
  });
  afterEach(async () => {
    await browser.kill();
    await api.down();
  });
  afterAll(async () => {
    await site.close();
  });

  async function open(search: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${site.origin}/notesApp?api=${encodeURIComponent(api.origin)}${search}`);
    await page.waitForFunction(() => 'notesApp' in globalThis);
    return page;
  }

  const shows = async (page: Page, text: string): Promise<void> => {
    await page.waitForFunction((wanted) => document.body.innerText === wanted, text, { polling: 50 });
  };

  /** How long after a time the page first showed a text that begins so, in ms. */
  const shownAfter = (page: Page, time: number, text: string): Promise<number> =>
    page.evaluate(
      ([from, begin]) =>
        (notesApp.shown.find(({ text: said, at }) => at >= from && said.startsWith(begin))?.at ?? NaN) - from,
      [time, text] as const,
    );

  const pass = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time));

  it.each([
    ['with reachability()', '&reachability'],
    ['without it', ''],
  ])(
    'entries are sent in order, and soon, after the server is back, and both tabs show it together (%s)',
    async (_, search) => {
      const hidden = await open(search);
      const visible = await open(search);
      for (const page of [hidden, visible]) await page.evaluate(() => notesApp.read());
      await visible.bringToFront();
      expect(await hidden.evaluate(() => document.visibilityState)).toBe('hidden');
      const offline = search === '' ? 'connected' : 'offline';
      for (let round = 1; round <= ROUNDS; round++) {
        await api.down();
        for (const page of [hidden, visible]) await page.evaluate(() => notesApp.read());
        await visible.evaluate(() => notesApp.create('one'));
        await visible.evaluate(() => notesApp.create('two'));
        for (const page of [hidden, visible]) await shows(page, `${offline}, 2 to be sent`);
        await pass(OUTAGE * 1_000);
        // However busy the machine is, the next attempt is not scheduled later.
        expect(await visible.evaluate(() => notesApp.entries()[0]!.retryAt - Date.now())).toBeLessThanOrEqual(
          2_000,
        );
        const before = api.created.length;
        const back = Date.now();
        await api.up();
        for (const page of [hidden, visible]) await shows(page, 'connected, 0 to be sent');
        const created = api.created.slice(before);
        expect(created.map((note) => note.text)).toEqual(['one', 'two']);
        const sent = created[0]!.at - back;
        const times = (text: string): Promise<readonly number[]> =>
          Promise.all([visible, hidden].map((page) => shownAfter(page, back, text)));
        const finished = await times('connected, 0 to be sent');
        const figures = [
          `first entry sent after ${sent} ms`,
          `all shown as sent after ${finished.join(' and ')}`,
        ];
        let difference = apart(finished);
        if (search !== '') {
          const connected = await times('connected');
          figures.push(`connected after ${connected.join(' and ')}`);
          difference = Math.max(difference, apart(connected));
        }
        console.log(`down for ${OUTAGE} s: ${figures.join(', ')} ms (visible and hidden tab)`);
        if (!IS_TIMED) continue;
        expect(sent).toBeLessThanOrEqual(2_000);
        expect(difference).toBeLessThanOrEqual(1_000);
      }
    },
  );
});
