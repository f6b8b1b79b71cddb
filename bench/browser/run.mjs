/**
 * What keeping data on disk costs, in Chromium: `npm run bench:browser`, or
 * `node bench/browser/run.mjs [--sizes=10000,100000] [--libraries=floor,holdfast] [--work=storeAll,…] [--rounds=3]`.
 *
 * Each library takes all the work in a profile of its own, on a real disk, and each piece of work in a page of its own.
 * Within a round the libraries take turns, beside the floor: a moment in which the machine was busy counts for all.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeOf, makeRows } from '../data.mjs';
import { quantile } from '../measure.mjs';
import { install } from '../prepare.mjs';
import { LIST } from './Adapter.mjs';
import { libraryNames, servePages } from './bundlePages.mjs';
import { withBrowser, withProfile } from './chromium.mjs';
import { recordTasks } from './longestTask.mjs';
import { showDiskTable } from './showDiskTable.mjs';

const WORK = ['storeAll', 'settle', 'loadAll', 'firstScreen', 'changeOne'];

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    libraries: { type: 'string', default: libraryNames().join() },
    work: { type: 'string', default: WORK.join() },
    rounds: { type: 'string', default: '3' },
  },
});
const names = options.libraries.split(',');
const asked = options.work.split(',');

/** Bytes of all files in a folder. */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** A page that knows nothing yet of what is on disk. */
async function newPage(context, address) {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(address);
  await page.waitForFunction(() => 'work' in globalThis);
  return page;
}

async function measure(context, profile, page, work, size) {
  const disk = join(profile, 'Default', 'IndexedDB');
  const before = sizeOf(disk);
  const { result: times, longest } = await recordTasks(context.browser(), page, () =>
    page.evaluate(([name, rows]) => globalThis.work[name](rows), [work, size]),
  );
  const bytes = sizeOf(disk) - before;
  return { times, longest, bytes };
}

/** Runs with a browser that has nothing on disk yet. */
function withEmptyBrowser(run) {
  return withProfile((profile) => withBrowser(profile, (context) => run(context, profile)));
}

/** Checks that a library finds again what it stored and changed: one that does something else is not faster. */
async function check(origin, name) {
  const size = 3 * LIST;
  const expected = makeRows(size);
  for (let list = 0; list * LIST < size; list++) Object.assign(expected[list * LIST + 7], changeOf(list));
  await withEmptyBrowser(async (context) => {
    const inNewPage = async (work) => {
      const page = await newPage(context, `${origin}/${name}`);
      const found = await page.evaluate(([asked, rows]) => globalThis.work[asked](rows), [work, size]);
      await page.close();
      return found;
    };
    await inNewPage('prepareCheck');
    const lists = await inNewPage('readBack');
    deepStrictEqual(lists.flat(), expected, `${name} read something else than it stored`);
    strictEqual(await inNewPage('count'), size);
  });
}

/** One library's way through all the work, with an empty disk at the start. */
function takeRound(origin, name, size, note) {
  return withEmptyBrowser(async (context, profile) => {
    let page;
    for (const work of WORK) {
      // What is not asked for is skipped, apart from what everything else stands on.
      if (!asked.includes(work) && work !== 'storeAll' && work !== 'settle') continue;
      // What is left for idle time is left by the page that stored.
      if (work !== 'settle') {
        await page?.close();
        page = await newPage(context, `${origin}/${name}`);
      }
      note(work, await measure(context, profile, page, work, size));
    }
  });
}

install();
const site = await servePages(names);
for (const name of names) await check(site.origin, name);
/** Work and size → library → what each round gave. */
const measured = new Map();
for (let round = 0; round < Number(options.rounds); round++) {
  for (const size of options.sizes.split(',').map(Number)) {
    for (const name of names) {
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round + 1}: ${size} ${name}`);
      await takeRound(site.origin, name, size, (work, taken) => {
        const line = `${work} ${size}`;
        if (!measured.has(line)) measured.set(line, { work, size, libraries: {} });
        (measured.get(line).libraries[name] ??= []).push(taken);
      });
    }
  }
}
site.close();

const results = [...measured.values()].map(({ work, size, libraries }) => ({
  work,
  size,
  libraries: Object.fromEntries(
    Object.entries(libraries).map(([name, rounds]) => {
      const times = rounds.flatMap((round) => round.times);
      const median = (values) => quantile(values, 0.5);
      return [
        name,
        {
          median: median(times),
          p25: quantile(times, 0.25),
          p75: quantile(times, 0.75),
          longest: median(rounds.map((round) => round.longest)),
          bytes: median(rounds.map((round) => round.bytes)),
          samples: times.length,
        },
      ];
    }),
  ),
}));
showDiskTable(results, names);
const folder = join(import.meta.dirname, '..', 'results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `browser-${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify({ rounds: options.rounds, results }, undefined, 2)}\n`);
