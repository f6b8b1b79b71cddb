/**
 * What keeping data on disk costs, in Chromium: part of `npm run bench:browser`, or
 * `node bench/browser/disk/run.mjs [--sizes=10000,100000] [--libraries=floor,holdfast] [--work=storeAll,…] [--rounds=3]`.
 *
 * Each library takes all the work in a profile of its own, on a real disk, and each piece of work in a page of its own.
 * Within a round the libraries take turns, beside the floor: a moment in which the machine was busy counts for all.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeOf, makeRows } from '../../data.mjs';
import { keepResults } from '../../results.mjs';
import { withBrowser, withProfile } from '../chromium.mjs';
import { recordTasks } from '../longestTask.mjs';
import { bundle, libraryNames, servePages } from '../servePages.mjs';
import { LIST } from './Adapter.mjs';
import { lines } from './lines.mjs';
import { showDiskTable } from './showDiskTable.mjs';
import { summarize } from './summarize.mjs';

const adapters = join(import.meta.dirname, 'adapters');

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    libraries: { type: 'string', default: libraryNames(adapters).join() },
    work: { type: 'string', default: lines.map(({ work }) => work).join() },
    rounds: { type: 'string', default: '3' },
  },
});
const names = options.libraries.split(',');
const asked = options.work.split(',');
const rounds = Number(options.rounds);

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

const ask = (page, work, size) => page.evaluate(([name, rows]) => globalThis.work[name](rows), [work, size]);

async function measure(context, profile, page, work, size) {
  const disk = join(profile, 'Default', 'IndexedDB');
  const before = sizeOf(disk);
  const { result: times, longest } = await recordTasks(context.browser(), page, () => ask(page, work, size));
  const bytes = sizeOf(disk) - before;
  return { times, longest, bytes };
}

/** Runs with a browser that has nothing on disk yet. */
function withEmptyBrowser(run) {
  return withProfile((profile) => withBrowser(profile, (context) => run(context, profile)));
}

/**
 * Checks that a library finds again what it stored and changed: one that does something else is not faster.
 *
 * @returns {Promise<string>} its title
 */
function check(origin, name) {
  const size = 3 * LIST;
  const expected = makeRows(size);
  for (let list = 0; list * LIST < size; list++) Object.assign(expected[list * LIST + 7], changeOf(list));
  return withEmptyBrowser(async (context) => {
    const inNewPage = async (work) => {
      const page = await newPage(context, `${origin}/${name}`);
      const found = await ask(page, work, size);
      await page.close();
      return found;
    };
    await inNewPage('prepareCheck');
    const lists = await inNewPage('readBack');
    deepStrictEqual(lists.flat(), expected, `${name} read something else than it stored`);
    strictEqual(await inNewPage('count'), size);
    return inNewPage('title');
  });
}

/** One library's way through all the work, with an empty disk at the start. */
function takeRound(origin, name, size, note) {
  return withEmptyBrowser(async (context, profile) => {
    let page;
    for (const line of lines) {
      const { work, before } = line;
      // Work that was not requested is skipped, except for the work that all other work needs.
      if (!asked.includes(work) && work !== 'storeAll' && work !== 'settle') continue;
      // What is left for idle time is left by the page that stored.
      if (work !== 'settle') {
        await page?.close();
        page = await newPage(context, `${origin}/${name}`);
        if (before !== undefined) {
          await ask(page, before, size);
          // It is left, as for another site.
          await page.goto('about:blank');
          await page.close();
          page = await newPage(context, `${origin}/${name}`);
        }
      }
      note(line, await measure(context, profile, page, work, size));
    }
  });
}

const scripts = {};
for (const name of names)
  scripts[name] = await bundle(join(import.meta.dirname, 'page.mjs'), {
    adapter: join(adapters, `${name}.mjs`),
  });
const site = await servePages(scripts);
const keep = keepResults('disk');
/** Work and size → line, and library → what each round gave. */
const measured = new Map();
try {
  const libraries = [];
  for (const name of names) libraries.push({ name, title: await check(site.origin, name) });
  for (let round = 0; round < rounds; round++) {
    for (const size of options.sizes.split(',').map(Number)) {
      for (const name of names) {
        if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round + 1}: ${size} ${name}`);
        await takeRound(site.origin, name, size, (line, taken) => {
          const key = `${line.work} ${size}`;
          if (!measured.has(key)) measured.set(key, { line, size, libraries: {} });
          (measured.get(key).libraries[name] ??= []).push(taken);
        });
        keep({ rounds: round + 1, libraries, results: summarize(measured.values()) });
      }
    }
    console.log(`\nafter ${round + 1} of ${rounds} rounds`);
    showDiskTable(summarize(measured.values()), libraries);
  }
} finally {
  site.close();
}
