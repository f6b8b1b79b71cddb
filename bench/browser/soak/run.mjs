/**
 * Heap of a page through what an hour of use does: changes, lists that are collected once they are left, and lists that
 * are read from disk again: part of `npm run bench:browser`, or `node bench/browser/soak/run.mjs [--minutes=60]`.
 *
 * The controller's clock and timers go faster; everything else is real. Each minute 20 of 100 lists of 100 rows are shown
 * and left, and 600 changes are made. Nothing that is stored gets more, so neither may the heap.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../../prepare.mjs';
import { servePage } from '../bundlePages.mjs';
import { withBrowser, withProfile } from '../chromium.mjs';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(options.minutes);

/** Minutes between two looks at the heap. By the first, every list has been collected and restored. */
const STEP = 10;

install();
const site = await servePage('soak', join(import.meta.dirname, 'page.mjs'));
const taken = await withProfile((profile) =>
  withBrowser(profile, async (context) => {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    const devtools = await context.newCDPSession(page);
    await page.goto(`${site.origin}/soak`);
    await page.waitForFunction(() => 'soak' in globalThis);
    const looks = [];
    for (let from = 0; from < minutes; from += STEP) {
      const done = await page.evaluate(([at, some]) => globalThis.soak(at, some), [from, STEP]);
      for (let times = 0; times < 3; times++) await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      looks.push({ minutes: from + STEP, heap: usedSize, ...done });
    }
    return looks;
  }),
);
site.close();

console.table(
  taken.map(({ heap, ...done }) => ({
    ...done,
    'heap (MB)': (heap / 1e6).toFixed(2),
    'since the first (KB)': Math.round((heap - taken[0].heap) / 1e3),
  })),
);
const folder = join(import.meta.dirname, '../../results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `soak-${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify(taken, undefined, 2)}\n`);
