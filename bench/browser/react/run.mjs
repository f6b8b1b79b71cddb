/**
 * React with 10,000 rows, in Chromium: part of `npm run bench:browser`, or
 * `node bench/browser/react/run.mjs [--libraries=floor,holdfast] [--work=ownHooks,…] [--rounds=3]`.
 *
 * Each piece of work has a page of its own. Within a round the libraries take turns, beside the floor: a moment in
 * which the machine was busy counts for all.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { keepResults } from '../../results.mjs';
import { launchOptions, usedHeap } from '../chromium.mjs';
import { recordTasks } from '../longestTask.mjs';
import { bundle, libraryNames, servePages } from '../servePages.mjs';
import { lines } from './lines.mjs';
import { showReactTable } from './showReactTable.mjs';
import { summarize } from './summarize.mjs';

const here = import.meta.dirname;
const adapters = join(here, 'adapters');
const allWork = [...new Set(lines.map(({ work }) => work))];

const { values: options } = parseArgs({
  options: {
    libraries: { type: 'string', default: libraryNames(adapters).join() },
    work: { type: 'string', default: allWork.join() },
    rounds: { type: 'string', default: '3' },
  },
});
/** What each piece of work needs of a library. */
const needs = new Map(lines.map(({ work, needs = 'useIds' }) => [work, needs]));
/** The floor is what the others are compared with. */
const names = [...new Set(['floor', ...options.libraries.split(',')])];
const rounds = Number(options.rounds);
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
  await page.exposeFunction('heapUsed', () => usedHeap(devtools));
  await page.goto(address);
  await page.waitForFunction(() => 'work' in globalThis);
  return page;
}

/** The work of which the longest task is measured. */
const traced = new Set(['burst', 'stream', 'window', 'windowOnceAFrame']);

/** Does one piece of work in a page of its own. */
async function take(browser, origin, name, work) {
  const page = await openPage(browser, `${origin}/${name}`);
  const run = () => page.evaluate((asked) => globalThis.work[asked](), work);
  try {
    if (!traced.has(work)) return await run();
    const { result, longest } = await recordTasks(browser, page, run);
    for (const samples of Object.values(result)) for (const sample of samples) sample.longest = longest;
    return result;
  } finally {
    await page.close();
  }
}

/** Name of the line → library → samples. */
const taken = new Map(lines.map(({ name }) => [name, new Map()]));
const keep = keepResults('react');
const libraries = [];

const scripts = {};
for (const name of names)
  scripts[name] = await bundle(join(here, 'page.mjs'), {
    adapter: join(adapters, `${name}.jsx`),
    // One React for the page and the library.
    react: join(here, '../../node_modules/react'),
    '@babel/runtime/helpers/jsx': join(here, 'babelJsx.mjs'),
  });
const site = await servePages(scripts);
let browser = await chromium.launch(launchOptions);

/** One library's samples of a piece of work. A page that closes costs its own samples, not the run. */
async function sample(name, work) {
  try {
    const result = await take(browser, site.origin, name, work);
    for (const [line, samples] of Object.entries(result)) {
      const ofLine = taken.get(line);
      ofLine.set(name, [...(ofLine.get(name) ?? []), ...samples]);
    }
  } catch (error) {
    console.error(`\n${work} of ${name} is left out of this round: ${error}`);
    if (!browser.isConnected()) browser = await chromium.launch(launchOptions);
  }
}

try {
  const expected = await take(browser, site.origin, 'floor', 'check');
  for (const name of names) {
    const shown = await take(browser, site.origin, name, 'check');
    for (const [list, of] of Object.entries(shown))
      deepStrictEqual(of, expected[list], `${name} shows something else than the floor`);
    const [title, can] = [
      await take(browser, site.origin, name, 'title'),
      await take(browser, site.origin, name, 'can'),
    ];
    libraries.push({ name, title, can });
  }
  for (let round = 0; round < rounds; round++) {
    for (const work of asked) {
      const able = libraries.filter(({ can }) => can.includes(needs.get(work)));
      for (let turn = 0; turn < able.length; turn++) {
        const { name } = able[(turn + round) % able.length];
        if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round + 1}: ${work} ${name}`);
        await sample(name, work);
      }
      // A run takes long, and may be ended early.
      keep({ rounds: round + 1, libraries, results: summarize(lines, taken) });
    }
    console.log(`\nafter ${round + 1} of ${rounds} rounds`);
    showReactTable(summarize(lines, taken), libraries);
  }
} finally {
  await browser.close();
  site.close();
}
