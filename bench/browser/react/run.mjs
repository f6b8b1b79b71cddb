/**
 * React with 10,000 rows, in Chromium: part of `npm run bench:browser`, or
 * `node bench/browser/react/run.mjs [--libraries=floor,holdfast] [--work=ownHooks,…] [--rounds=3]`.
 *
 * Each piece of work has a page of its own. Within a round the libraries take turns, beside the floor: a moment in
 * which the machine was busy counts for all.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { install } from '../../prepare.mjs';
import { launchOptions } from '../chromium.mjs';
import { recordTasks } from '../longestTask.mjs';
import { lines } from './lines.mjs';
import { libraryNames, servePages } from './servePages.mjs';
import { showReactTable } from './showReactTable.mjs';
import { summarize } from './summarize.mjs';

const allWork = [...new Set(lines.map(({ work }) => work))];

const { values: options } = parseArgs({
  options: {
    libraries: { type: 'string', default: libraryNames().join() },
    work: { type: 'string', default: allWork.join() },
    rounds: { type: 'string', default: '3' },
  },
});
const names = options.libraries.split(',');
const asked = allWork.filter((work) => options.work.split(',').includes(work));
/** A page of a library, and what it asks of the browser. */
async function openPage(browser, address) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  const devtools = await page.context().newCDPSession(page);
  // The thread's own time: on a busy machine others run in between.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.exposeFunction('scriptTime', async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1_000;
  });
  await page.exposeFunction('heapUsed', async () => {
    for (let times = 0; times < 3; times++) await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize;
  });
  await page.goto(address);
  await page.waitForFunction(() => 'work' in globalThis);
  return page;
}

/** Does one piece of work in a page of its own. */
async function take(browser, origin, name, work) {
  const page = await openPage(browser, `${origin}/${name}`);
  const run = () => page.evaluate((asked) => globalThis.work[asked](), work);
  try {
    if (work !== 'burst' && work !== 'stream') return await run();
    const { result, longest } = await recordTasks(browser, page, run);
    for (const samples of Object.values(result)) for (const sample of samples) sample.longest = longest;
    return result;
  } finally {
    await page.close();
  }
}

/** Name of the line → library → samples. */
const taken = new Map(lines.map(({ name }) => [name, new Map()]));
const folder = join(import.meta.dirname, '..', '..', 'results');
const file = join(folder, `react-${new Date().toISOString().replaceAll(':', '-')}.json`);

/** Shows and keeps what there is by now: a run takes long, and may be ended early. */
function report(rounds) {
  const results = summarize(lines, taken);
  showReactTable(results, names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ rounds, results }, undefined, 2)}\n`);
}

install();
const site = await servePages(names);
let browser = await chromium.launch(launchOptions);

/** One library's samples of a piece of work. A page that closes costs its own samples, not the run. */
async function sample(name, work) {
  try {
    const result = await take(browser, site.origin, name, work);
    for (const [line, samples] of Object.entries(result)) {
      const libraries = taken.get(line);
      libraries.set(name, [...(libraries.get(name) ?? []), ...samples]);
    }
  } catch (error) {
    console.error(`\n${work} of ${name} is left out of this round: ${error}`);
    if (!browser.isConnected()) browser = await chromium.launch(launchOptions);
  }
}

try {
  const expected = await take(browser, site.origin, 'floor', 'check');
  for (const name of names)
    deepStrictEqual(
      await take(browser, site.origin, name, 'check'),
      expected,
      `${name} shows something else than the floor`,
    );
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const work of asked) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(turn + round) % names.length];
        if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round + 1}: ${work} ${name}`);
        await sample(name, work);
      }
    }
    console.log(`\nafter ${round + 1} of ${options.rounds} rounds`);
    report(round + 1);
  }
} finally {
  await browser.close();
  site.close();
}
