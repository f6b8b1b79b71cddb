import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable, type KillableBrowser } from '../killable.ts';
import type {} from '../scenarios/notesApp.tsx';
import { serve, type Site } from '../serve.ts';

const TABS = 5;
const STEPS = Number(process.env.FAULT_ROUNDS ?? 25);

/** A note as the server has it. */
interface StoredNote {
  readonly id: string;
  readonly text: string;
}

/** A server that remembers idempotency keys, and ends some connections before or after it has created a note. */
class UnreliableServer {
  readonly notes: StoredNote[] = [];
  /** How many requests came again with a known key. */
  repeated = 0;
  /** The most requests that it has handled at once. */
  mostAtOnce = 0;
  isReliable = false;
  #inFlight = 0;
  readonly #answers = new Map<unknown, StoredNote>();
  readonly #server: Server = createServer((request, response) => {
    const { method, headers } = request;
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key');
    response.setHeader('Content-Type', 'application/json');
    if (method !== 'POST') {
      response.end(JSON.stringify(this.notes));
      return;
    }
    this.#inFlight += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#inFlight);
    response.on('close', () => (this.#inFlight -= 1));
    const weather = this.isReliable ? 1 : Math.random();
    if (weather < 0.1) {
      response.destroy();
      return;
    }
    void text(request).then((body) => {
      const key = headers['idempotency-key'];
      const known = this.#answers.get(key);
      if (known !== undefined) this.repeated += 1;
      const given = JSON.parse(body) as { readonly text: string }; // as the page sends it
      const note = known ?? { id: String(this.notes.length + 1), text: given.text };
      if (known === undefined) this.notes.push(note);
      this.#answers.set(key, note);
      if (weather < 0.2) response.destroy();
      else setTimeout(() => response.end(JSON.stringify(note)), Math.random() * 30);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', resolve));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  isFrozen: boolean;
}

const pass = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time));
const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;

describeInBrowser('five tabs of one app', () => {
  let site: Site;
  let api: UnreliableServer;
  let browser: KillableBrowser;
  let context: BrowserContext;
  let address = '';
  /** How long a page took at most until it was ready, in ms. */
  let slowestStart = 0;
  beforeAll(async () => {
    site = await serve({ notesApp: path.join(__dirname, '../scenarios/notesApp.tsx') });
    api = new UnreliableServer();
    address = `${site.origin}/notesApp?api=${encodeURIComponent(await api.start())}`;
    // By default, every page would count as visible, and such a page is not frozen.
    browser = await launchKillable(newProfile(), { noDefaults: true });
    context = browser.browser.contexts()[0]!;
    context.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await browser.kill();
    await api.stop();
    await site.close();
  });

  async function open(): Promise<Tab> {
    const page = await context.newPage();
    const begin = performance.now();
    await page.goto(address);
    await page.waitForFunction(() => 'notesApp' in globalThis, undefined, { polling: 50 });
    slowestStart = Math.max(slowestStart, performance.now() - begin);
    await page.evaluate(() => notesApp.read());
    return { page, session: await context.newCDPSession(page), isFrozen: false };
  }

  async function freeze(tab: Tab, isFrozen: boolean): Promise<void> {
    tab.isFrozen = isFrozen;
    await tab.session.send('Page.setWebLifecycleState', { state: isFrozen ? 'frozen' : 'active' });
  }

  it('five tabs that are killed and frozen send each mutation once, lose none, and show the same in the end', async () => {
    let tabs: Tab[] = [];
    for (let nth = 0; nth < TABS; nth++) tabs.push(await open());
    /** What the promise of `fetch` has confirmed. */
    const acknowledged: string[] = [];
    const counts = { created: 0, killed: 0, frozen: 0 };
    for (let step = 0; step < STEPS; step++) {
      const awake = tabs.filter(({ isFrozen }) => !isFrozen);
      for (let nth = 0; nth < 3; nth++) {
        const { page } = anyOf(awake);
        const said = `note ${(counts.created += 1)}`;
        page
          .evaluate((one) => notesApp.create(one), said)
          .then(
            () => acknowledged.push(said),
            // Its page was killed before.
            () => undefined,
          );
      }
      await pass(Math.random() * 200);
      const tab = anyOf(tabs);
      const event = Math.random();
      if (event < 0.25 && awake.length > 1) {
        counts.killed += 1;
        // The answer to the command never comes.
        tab.session.send('Page.crash').catch(() => undefined);
        await tab.page.waitForEvent('crash');
        await tab.page.close();
        tabs = tabs.filter((each) => each !== tab);
        const next = await open();
        tabs.push(next);
      } else if (tab.isFrozen) await freeze(tab, false);
      else if (event < 0.6 && awake.length > 2) {
        counts.frozen += 1;
        await anyOf(awake.filter((each) => each !== tab)).page.bringToFront();
        await freeze(tab, true);
      }
    }
    for (const tab of tabs) if (tab.isFrozen) await freeze(tab, false);
    api.isReliable = true;
    for (const { page } of tabs)
      await page.waitForFunction(() => notesApp.entries().length === 0, undefined, { polling: 50 });
    const made = api.notes.map((note) => note.text).sort();
    for (const { page } of tabs)
      await page.waitForFunction((count) => notesApp.texts().length >= count, made.length, { polling: 50 });
    console.log(
      `${TABS} tabs: ${counts.created} mutations, ${acknowledged.length} confirmed, ${made.length} on the server, ${api.repeated} repeated requests; ${counts.killed} tabs killed, ${counts.frozen} frozen; ${api.mostAtOnce} requests at once; a page was ready after ${Math.round(slowestStart)} ms at most`,
    );
    expect(made).toEqual([...new Set(made)]);
    expect(acknowledged.filter((said) => !made.includes(said))).toEqual([]);
    for (const { page } of tabs) expect(await page.evaluate(() => notesApp.texts())).toEqual(made);
  });
});
