import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { browserName, describeInBrowser, newProfile, open } from '../browsers.ts';
import { logsOf } from '../logsOf.ts';
import { serve, type Site } from '../serve.ts';
import { cellsAt, pksOf, type StoredStamps } from '../stampedRows.ts';

/** Chromium, which has lost data this way, is killed more often. */
const KILLS = Number(process.env.KILLS ?? (browserName === 'chromium' ? 30 : 6));

describeInBrowser('a browser that is killed while it writes', () => {
  let site: Site;
  let durable = 0;
  let onStored: (stored: StoredStamps) => void = () => undefined;

  async function receive(request: IncomingMessage): Promise<void> {
    const stamp = /^\/durable\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (stamp !== undefined) durable = Math.max(durable, Number(stamp));
    if (request.url === '/stored') onStored(JSON.parse(await text(request)) as StoredStamps); // what the page has sent
  }

  beforeAll(async () => {
    site = await serve({ stamps: path.join(__dirname, '../scenarios/stamps.ts') }, (request, response) => {
      void receive(request).finally(() => response.writeHead(204).end());
    });
  });
  afterAll(async () => {
    await site.close();
  });

  it('a killed browser restarts with a consistent state that is never older than the last flush', async () => {
    const profile = newProfile();
    let written = 0;
    for (let kill = 0; kill <= KILLS; kill++) {
      const logs = logsOf(profile);
      const stored = new Promise<StoredStamps>((resolve) => (onStored = resolve));
      const browser = await open(profile, `${site.origin}/stamps`);
      try {
        const { cells, list, problem } = await stored;
        expect(problem).toBeUndefined();
        const stamp = cells['always-0'] ?? 0;
        expect(cells).toEqual(stamp === 0 ? {} : cellsAt(stamp));
        expect(list).toEqual(stamp === 0 ? undefined : pksOf(stamp));
        expect(stamp).toBeGreaterThanOrEqual(durable);
        if (kill > 0) expect(stamp).toBeGreaterThan(written);
        written = stamp;
        // Some time after the first promise. Of a log that a kill left unfinished nothing can be read after another one,
        // so not before Chromium has left it, which it does soon after the first write.
        while (durable <= written || logs.some((log) => existsSync(log))) await pause(5);
        await pause(Math.random() * 300);
      } finally {
        await browser.kill();
      }
    }
  });
});
