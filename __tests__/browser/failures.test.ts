import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from './chromium.ts';
import type {} from './scenarios/notesApp.tsx';
import { serve, type Site } from './serve.ts';

/** What a mutation meets in place of its response: this status, with a body of JSON or a web page. */
interface Fault {
  readonly status: number;
  readonly body?: unknown;
  readonly after?: number;
  readonly page?: string;
}

const UNAVAILABLE: Fault = { status: 503 };

/** A server of notes on another origin than the page. */
class OtherOrigin {
  /** What the next mutations meet, one each. */
  faults: Fault[] = [];
  /** What every mutation meets beyond those. */
  outage: Fault | undefined;
  /** Whether preflight responses allow the header with the key. */
  allowsKey = true;
  /** The mutations that have reached it. */
  readonly mutations: { readonly body: unknown; readonly key: unknown; readonly at: number }[] = [];
  /** The texts that it has accepted. */
  readonly accepted: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    const { method, headers } = request;
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH');
    const allowed = this.allowsKey ? 'Content-Type, Idempotency-Key' : 'Content-Type';
    response.setHeader('Access-Control-Allow-Headers', allowed);
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    response.setHeader('Content-Type', 'application/json');
    if (method !== 'POST' && method !== 'PATCH') {
      response.end(JSON.stringify([{ id: '1', text: 'old' }]));
      return;
    }
    void text(request).then((json) => {
      const body = JSON.parse(json) as { readonly text: string }; // as the page sends it
      this.mutations.push({ body, key: headers['idempotency-key'], at: Date.now() });
      const fault = this.faults.shift() ?? this.outage;
      if (fault === undefined) this.accepted.push(body.text);
      if (fault?.after !== undefined) response.setHeader('Retry-After', fault.after);
      if (fault?.page !== undefined) response.setHeader('Content-Type', 'text/html');
      const id = method === 'PATCH' ? '1' : `new-${this.mutations.length}`;
      const answer =
        fault?.page ?? JSON.stringify(fault === undefined ? { id, ...body } : (fault.body ?? {}));
      response.writeHead(fault?.status ?? 200).end(answer);
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

describeInBrowser('a mutation that a server on another origin does not accept', () => {
  let site: Site;
  let browser: Browser;
  let api: OtherOrigin;
  let page: Page;
  let opened = 0;
  beforeAll(async () => {
    site = await serve({ notesApp: path.join(__dirname, 'scenarios/notesApp.tsx') });
    browser = await launch();
  });
  beforeEach(async () => {
    api = new OtherOrigin();
    const origin = await api.start();
    page = await browser.context.newPage();
    opened += 1;
    await page.goto(`${site.origin}/notesApp?api=${encodeURIComponent(origin)}&name=${opened}`);
    await page.waitForFunction(() => 'notesApp' in globalThis);
    await page.evaluate(() => notesApp.read());
  });
  afterEach(async () => {
    await page.close();
    await api.stop();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const status = async (wanted: string): Promise<void> => {
    await page.waitForFunction((one) => notesApp.entries()[0]?.status === one, wanted, { polling: 20 });
  };
  const entry = () => page.evaluate(() => notesApp.entries()[0]!);
  const sent = async (): Promise<void> => {
    await page.waitForFunction(() => notesApp.entries().length === 0, undefined, { polling: 20 });
  };

  it('a mutation that meets a 429 is sent again when Retry-After has passed', async () => {
    api.outage = { status: 429, after: 3 };
    await page.evaluate(() => notesApp.create('new'));
    await status('retrying');
    expect((await entry()).error).toMatchObject({ reason: 'rate-limited', status: 429 });
    api.outage = undefined;
    await sent();
    const [first, second] = api.mutations;
    expect(new Set(api.mutations.map(({ key }) => key)).size).toBe(1);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(3_000);
  });

  it('a mutation whose header the server does not allow is reported as blocked once, and sent when it is allowed', async () => {
    api.allowsKey = false;
    await page.evaluate(() => notesApp.create('new'));
    await status('blocked');
    expect(await entry()).toMatchObject({ error: { reason: 'blocked' } });
    expect(api.mutations).toEqual([]);
    api.allowsKey = true;
    await sent();
    expect(api.mutations.map(({ body }) => body)).toEqual([{ text: 'new' }]);
    expect(await page.evaluate(() => notesApp.problems)).toEqual(['HF_OUTBOX_BLOCKED']);
  });

  it('a mutation that gets a web page is sent again with its key until the API responds', async () => {
    api.outage = { status: 200, page: '<!doctype html><title>Sign in to this network</title>' };
    await page.evaluate(() => notesApp.create('new'));
    await status('retrying');
    expect((await entry()).error).toMatchObject({ reason: 'web-page' });
    api.outage = undefined;
    await sent();
    expect(new Set(api.mutations.map(({ key }) => key)).size).toBe(1);
    expect(api.accepted).toEqual(['new']);
  });

  it('a mutation that is too large is a dead letter until it is edited', async () => {
    api.faults = [UNAVAILABLE, { status: 413, body: { limit: 3 } }];
    await page.evaluate(() => notesApp.create('much too long'));
    await status('failed');
    const { key, error } = await entry();
    expect(error).toMatchObject({ reason: 'too-large', status: 413, body: { limit: 3 } });
    expect(await page.evaluate(() => notesApp.texts())).toEqual(['old']);
    expect(await page.evaluate((one) => notesApp.edit(one, 'new'), key)).toBe(true);
    await sent();
    expect(api.mutations.at(-1)?.body).toEqual({ text: 'new' });
    expect(await page.evaluate(() => notesApp.texts())).toEqual(['new', 'old']);
  });

  it.each([
    [409, 'mine', 'ours', 1],
    [412, 'theirs', 'theirs', 0],
    [409, [{ id: '1' }, { text: 'merged' }], 'merged', 1],
  ] as const)(
    'a mutation that meets a %s waits until a person has decided: %j',
    async (code, choice, text, more) => {
      api.faults = [UNAVAILABLE, { status: code, body: { id: '1', text: 'theirs' } }];
      await page.evaluate(() => notesApp.update('1', 'ours'));
      await status('conflict');
      const { key, theirs, error } = await entry();
      expect([theirs, error?.status]).toEqual([{ id: '1', text: 'theirs' }, code]);
      const before = api.mutations.length;
      await page.evaluate(([one, version]) => notesApp.resolve(one, version), [key, choice] as const);
      await sent();
      expect(await page.evaluate(() => notesApp.texts())).toEqual([text]);
      const later = api.mutations.slice(before);
      expect(later.map(({ body }) => body)).toEqual(more === 0 ? [] : [{ text }]);
      expect(later.map((one) => one.key)).not.toContain(api.mutations[0]?.key);
    },
  );
});
