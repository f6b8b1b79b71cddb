import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, launch, type Browser } from '../chromium.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';
import { NoteServer } from './NoteServer.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
    held: IDBDatabase;
  }
}

describeInBrowser('a database that opens late', () => {
  let site: Site;
  let browser: Browser;
  const server = new NoteServer();
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request, response) => {
      if (request.url === '/blank') response.end();
      else server.respond(request, response);
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(address: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/${address}`);
    return page;
  }

  /** Keeps every page from opening a database, as a tab does that does not close an older version of it. */
  async function hold(name: string): Promise<() => Promise<void>> {
    const [holder, upgrader] = [await open('blank'), await open('blank')];
    await holder.evaluate(
      (each) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open(each);
          opening.onsuccess = () => {
            window.held = opening.result;
            resolve();
          };
        }),
      name,
    );
    await upgrader.evaluate(
      (each) =>
        new Promise<void>((resolve) => {
          const upgrade = indexedDB.open(each, 1_000);
          upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
          upgrade.onblocked = () => resolve();
        }),
      name,
    );
    return async () => {
      await holder.evaluate(() => window.held.close());
      await Promise.all([holder.close(), upgrader.close()]);
    };
  }

  it.each([
    ['with the rows', '', 'faults'],
    ['in a database of the outbox', '?alone', 'holdfast-outbox'],
  ])('queued mutations keep their order when the database opens late (%s)', async (_, search, name) => {
    server.reset();
    const first = await open(`faults${search}`);
    if (search === '') await first.evaluate(() => window.faults.store('row', 10, 100));
    for (const text of ['one', 'two']) await first.evaluate((each) => window.faults.created(each), text);
    await first.close();
    server.isUp = true;

    const release = await hold(name);
    const late = await open(`faults${search}`);
    expect(await late.evaluate(() => window.faults.drain())).toBe(false);
    if (search === '') expect(await late.evaluate(() => window.faults.state())).toBe('degraded');
    await late.evaluate(() => window.faults.create('three'));
    expect(server.received).toEqual([]);
    await release();
    await late.waitForFunction(() => window.faults.queued().length === 0, undefined, { polling: 50 });
    while (server.received.length < 3) await late.waitForTimeout(20);
    expect(await late.evaluate(() => window.faults.drain())).toBe(true);
    expect(server.received).toEqual(['one', 'two', 'three']);
    if (search === '') {
      await late.waitForFunction(() => window.faults.state() === 'working', undefined, { polling: 50 });
      await late.evaluate(() => window.faults.rest());
      await late.close();
      const next = await open('faults');
      const restored = await next.evaluate(() => window.faults.restored());
      expect(restored).toHaveLength(10 + 3);
      await next.close();
    } else await late.close();
  });
});
