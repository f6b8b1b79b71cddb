import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../../plugins/shared/withTimeout.ts';
import { describeInBrowser, newProfile } from '../chromium.ts';
import { launchKillable } from '../killable.ts';
import { logsOf } from '../logsOf.ts';
import type { KillsPage, WriteKind } from '../scenarios/kills.ts';
import { serve, type Site } from '../serve.ts';

declare const kills: KillsPage;

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 6);

/** The kill comes at most this long after the first acknowledged write, in ms. */
const WITHIN = Number(process.env.FAULT_WITHIN ?? 120);

/** How LevelDB begins an entry: a checksum, how many bytes follow, and that they are all of the entry. */
const HEADER = Buffer.from([0x11, 0x22, 0x33, 0x44, 64, 0, 1]);

/** How long a browser may take to do what it always does, in ms. */
const PATIENCE = 60_000;

/** Waits until something that the browser does by itself has happened. */
async function until(isDone: () => boolean, what: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!isDone()) {
    if (Date.now() > end) throw new Error(`Not within ${PATIENCE} ms: ${what}`);
    await pause(5);
  }
}

/** What a visit writes; `nothing`: only what an earlier visit has left to compact. */
const KINDS: readonly (WriteKind | 'nothing')[] = [
  'flush',
  'outbox',
  'compaction',
  'nothing',
  'unload',
  'reset',
  'foreign',
];

/** Compiles what kills the browser in the midst of a write; undefined where there is no C compiler. */
function compiled(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = path.join(folder, 'killInWrite.so');
  try {
    execFileSync(
      'cc',
      ['-shared', '-fPIC', '-O1', '-o', library, path.join(__dirname, 'killInWrite.c'), '-ldl'],
      { stdio: 'ignore' },
    );
    return library;
  } catch {
    return undefined;
  }
}

describeInBrowser('a browser that is killed in the midst of a write', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ kills: path.join(__dirname, '../scenarios/kills.ts') }, (request, response) => {
      if (request.url === '/blank') response.end();
      else request.socket.destroy();
    });
  });
  afterAll(async () => {
    await site.close();
  });

  const story = async (): Promise<void> => {
    const profile = newProfile();
    const folder = newProfile();
    const arming = path.join(folder, 'armed');
    const library = compiled(folder);
    const kept = { rows: new Set<string>(), outbox: new Set<string>() };
    let torn = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      const kind = KINDS[round < KINDS.length ? round : Math.floor(Math.random() * KINDS.length)] ?? 'flush';
      const acknowledged = kind === 'outbox' ? kept.outbox : kept.rows;
      rmSync(arming, { force: true });
      const logs = logsOf(profile);
      const { browser, isDead, kill, exited } = await launchKillable(
        profile,
        {},
        library === undefined ? {} : { LD_PRELOAD: library, KILL_IN_WRITE: arming },
      );
      try {
        const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
        await page.goto(`${site.origin}/kills${kind === 'outbox' ? '?outbox' : ''}`);
        const found = await withTimeout(
          PATIENCE,
          page.evaluate(() => kills.found()),
          `Nothing restored (${kind})`,
        );
        expect({ kind, round, isWiped: found.isWiped }).toEqual({ kind, round, isWiped: false });
        expect(found.ids).toEqual(expect.arrayContaining([...acknowledged]));
        if (kind === 'reset') acknowledged.clear();
        // What acknowledges nothing cannot wait for the new log that Chromium begins after a start, so this does.
        if (kind === 'nothing' || kind === 'unload' || kind === 'foreign')
          await until(
            () => !logs.some((log) => existsSync(log)),
            `a new log instead of ${logs.join()} (${kind})`,
          );
        const arm = (): void => writeFileSync(arming, String(Math.floor(Math.random() * 3)));
        if (kind === 'nothing') {
          arm();
          await Promise.race([exited, pause(1_500)]);
        } else {
          const id = `note-${round}`;
          if (kind === 'unload') arm();
          const writing = page
            .evaluate(([each, name]) => kills.write(each, name), [kind, id] as const)
            .then(
              () => true,
              () => false,
            );
          const isAcknowledged = await withTimeout(PATIENCE, writing, `Nothing written (${kind})`);
          if (isAcknowledged && kind !== 'reset' && kind !== 'foreign' && kind !== 'unload')
            acknowledged.add(id);
          arm();
          // The first visit shows that what kills it works.
          if (round === 0 && library !== undefined)
            await until(
              isDead,
              `a kill during a write, which was ${isAcknowledged ? '' : 'not '}acknowledged`,
            );
          else await Promise.race([exited, pause(WITHIN)]);
        }
      } finally {
        if (await kill()) torn += 1;
        if (process.env.FAULT_ROUNDS !== undefined)
          console.log(`${kind}: ${torn} of ${round + 1} in a write`);
      }
      // As the kill would have left it, had it come in the midst of a write.
      if (library === undefined) for (const log of logsOf(profile)) appendFileSync(log, HEADER);
    }
  };
  it(
    `a kill during a write neither wipes a database nor loses an acknowledged write, ${ROUNDS} times in a row`,
    story,
    Math.max(180_000, ROUNDS * 30_000),
  );
});
