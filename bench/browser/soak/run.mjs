/**
 * Heap of a page through what an hour of use does: changes, lists that are collected once they are left, and lists that
 * are read from disk again: part of `npm run bench:browser`, or `node bench/browser/soak/run.mjs [--minutes=60]`.
 *
 * The controller's clock and timers go faster; everything else is real. Each minute 20 of 100 lists of 100 rows are shown
 * and left, and 600 changes are made. Nothing that is stored gets more, so neither may the heap.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atMost, judge, say } from '../../marks.mjs';
import { keepResults } from '../../results.mjs';
import { usedHeap, withBrowser, withProfile } from '../chromium.mjs';
import { bundle, servePages } from '../servePages.mjs';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(options.minutes);

/** Minutes between two looks at the heap. By the first, every list has been collected and restored. */
const STEP = 10;
/** Rows that wait in the log for the next fold are in memory, now more of them, now fewer. */
const mark = atMost(1.2, { figure: 'heap', of: `that after ${STEP} minutes` });

const site = await servePages({ soak: await bundle(join(import.meta.dirname, 'page.mjs')) });
const keep = keepResults('soak');
const looks = [];
await withProfile((profile) =>
  withBrowser(profile, async (context) => {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    const devtools = await context.newCDPSession(page);
    await page.goto(`${site.origin}/soak`);
    await page.waitForFunction(() => 'soak' in globalThis);
    for (let from = 0; from < minutes; from += STEP) {
      const done = await page.evaluate(([at, some]) => globalThis.soak(at, some), [from, STEP]);
      looks.push({ minutes: from + STEP, heap: await usedHeap(devtools), ...done });
      keep({ looks, verdict: judge(mark, looks.at(-1).heap, looks[0].heap) });
    }
  }),
);
site.close();

console.table(
  looks.map(({ heap, ...done }) => ({
    ...done,
    'heap (MB)': (heap / 1e6).toFixed(2),
    'since the first (KB)': Math.round((heap - looks[0].heap) / 1e3),
  })),
);
console.log(say(judge(mark, looks.at(-1).heap, looks[0].heap)));
