import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { describeInBrowser, launch, newProfile } from '../chromium.ts';
import { logsOf } from '../logsOf.ts';
import type { TornLogPage } from '../scenarios/tornLog.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly tornLog: TornLogPage;
  }
}

/** How LevelDB begins an entry: a checksum, how many bytes follow, and that they are all of the entry. */
const HEADER = Buffer.from([0x11, 0x22, 0x33, 0x44, 64, 0, 1]);

describeInBrowser(
  'a log that ends in the midst of an entry, as when the browser was killed as it wrote',
  () => {
    let site: Site;
    beforeAll(async () => {
      site = await serve({ tornLog: path.join(__dirname, '../scenarios/tornLog.ts') });
    });
    afterAll(async () => {
      await site.close();
    });

    /** What is on disk as the browser starts; then one note more is written, and the browser closed. */
    async function session(
      profile: string,
      note: string,
    ): Promise<Awaited<ReturnType<TornLogPage['write']>>> {
      const { context, close } = await launch(profile);
      const page = await context.newPage();
      await page.goto(`${site.origin}/tornLog`);
      const found = await page.evaluate((id) => window.tornLog.write(id), note);
      await close();
      return found;
    }

    it('a torn log loses nothing that is written later', async () => {
      const profile = newProfile();
      expect(await session(profile, 'first')).toEqual({ notes: [], told: [] });
      for (const log of logsOf(profile)) appendFileSync(log, HEADER);
      expect(await session(profile, 'second')).toEqual({ notes: ['first'], told: [] });
      expect(await session(profile, 'third')).toEqual({ notes: ['first', 'second'], told: [] });
    });

    it('the app is notified when the browser deletes a database that it cannot read', async () => {
      const profile = newProfile();
      await session(profile, 'first');
      for (const log of logsOf(profile)) appendFileSync(log, Buffer.concat([HEADER, Buffer.alloc(200)]));
      const { notes, told } = await session(profile, 'second');
      expect(notes).toEqual([]);
      expect(told).toEqual([
        expect.stringMatching(/^HF_STORAGE .*"notes": the browser has deleted it \(.+\); it is empty now/),
      ]);
      expect(await session(profile, 'third')).toEqual({ notes: ['second'], told: [] });
    });
  },
);
