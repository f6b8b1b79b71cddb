import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describeInBrowser, launch, newProfile } from '../chromium.ts';
import type { FaultsPage } from '../scenarios/faults.ts';
import { serve, type Site } from '../serve.ts';

declare global {
  interface Window {
    readonly faults: FaultsPage;
  }
}

/** The files in which a Chromium with this profile keeps large records, largest first. */
function recordFiles(profile: string): string[] {
  const folder = path.join(profile, 'Default/IndexedDB');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('.indexeddb.blob'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort((left, right) => statSync(right).size - statSync(left).size);
}

describeInBrowser('a file of a large record that is lost', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ faults: path.join(__dirname, '../scenarios/faults.ts') }, (request) =>
      request.socket.destroy(),
    );
  });
  afterAll(async () => {
    await site.close();
  });

  /** Runs something in a page of a browser with this profile, which is closed afterwards. */
  async function visit<T>(profile: string, run: (page: FaultsPage) => Promise<T>, search = ''): Promise<T> {
    const { context, close } = await launch(profile);
    const page = await context.newPage();
    await page.goto(`${site.origin}/faults${search}`);
    const result = (await page.evaluate(`(${String(run)})(window.faults)`)) as T; // what `run` gives there
    await close();
    return result;
  }

  const look = (
    profile: string,
  ): Promise<{ ids: readonly string[]; problems: readonly string[]; state: string }> =>
    visit(profile, async (page) => {
      const ids = await page.restored();
      await page.rest();
      // What is lost is deleted in the background.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { ids, problems: page.problems, state: page.state() };
    });

  it('a lost file of a log record loses only the rows of that record', async () => {
    const profile = newProfile();
    await visit(profile, async (page) => {
      await page.store('large', 20, 10_000);
      await page.store('small', 5, 100);
    });
    const [file] = recordFiles(profile);
    expect(file).toBeDefined();
    rmSync(file ?? '');
    const found = await look(profile);
    expect(found).toMatchObject({ problems: [expect.stringContaining('(log 1)')], state: 'working' });
    expect(found.ids).toHaveLength(5);
    expect(found.state).toBe('working');
    expect(found.problems).toEqual([expect.stringContaining('(log 1)')]);
    // It was taken away, so nothing is wrong any more.
    const next = await look(profile);
    expect(next.ids).toHaveLength(5);
    expect(next.problems).toEqual([]);
  });

  it('a lost file of a shard loses only the rows of that shard', async () => {
    const profile = newProfile();
    await visit(profile, async (page) => {
      await page.store('row', 1_100, 6_000);
      // Compaction happens in the background.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    });
    const files = recordFiles(profile);
    expect(files.length).toBeGreaterThan(20);
    rmSync(files[3] ?? '');
    const found = await look(profile);
    expect(found).toMatchObject({ problems: [expect.stringContaining('(shards ["Note",')] });
    expect(found.ids.length).toBeGreaterThan(1_000);
    expect(found.ids.length).toBeLessThan(1_100);
    expect(found.problems).toEqual([expect.stringContaining('(shards ["Note",')]);
    expect(found.state).toBe('working');
    expect(
      await visit(profile, async (page) => {
        await page.restored();
        await page.store('row', 1_100, 100);
        return page.problems;
      }),
    ).toEqual([]);
    expect((await look(profile)).ids).toHaveLength(1_100);
  });

  it.each(['', '?alone'])('a lost file hides no other queued mutation (%s)', async (search) => {
    const profile = newProfile();
    await visit(
      profile,
      async (page) => {
        page.create('small');
        page.create('large', 300_000);
        page.create('last');
        await new Promise((resolve) => setTimeout(resolve, 1_500));
      },
      search,
    );
    const [file] = recordFiles(profile);
    expect(file).toBeDefined();
    rmSync(file ?? '');
    const found = await visit(
      profile,
      async (page) => {
        // The start has read the outbox.
        while (page.queued().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
        await page.drain();
        return { queued: page.queued(), problems: page.problems };
      },
      search,
    );
    expect(found).toMatchObject({ queued: ['small', 'last'] });
    expect(found.problems).toContainEqual(expect.stringMatching(/can no longer (be )?read/));
  });
});
