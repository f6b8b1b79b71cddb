/**
 * Starts the demo, as it is built for production, in a browser that was not running, with many rows stored by an earlier
 * visit: part of `npm run bench:browser`, or
 * `node bench/browser/coldStart/run.mjs [--rows=100000] [--rounds=5] [--throttle=1]`.
 *
 * The rows are stored through the library, with the demo's own classes. The first visit after that, which puts the app
 * shell into the service worker, is not measured.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../../demo/build.mjs';
import { startServer } from '../../../demo/server/startServer.mjs';
import { startStatic } from '../../../demo/server/startStatic.mjs';
import { spread } from '../../measure.mjs';
import { buildLibrary } from '../../prepare.mjs';
import { keepResults } from '../../results.mjs';
import { withBrowser, withProfile } from '../chromium.mjs';
import { recordTasks } from '../longestTask.mjs';
import { bundle } from '../servePages.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    /** How many times slower the processor is made to seem. */
    throttle: { type: 'string', default: '1' },
  },
});
const root = join(import.meta.dirname, '../../..');

/** Stores the rows from a page of the demo's origin. */
async function store(context, app, api, script) {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error));
  // A file that the browser shows as text, so that nothing of the app runs beside.
  await page.goto(`${app}/sw.js`);
  await page.evaluate((content) => {
    const { document } = globalThis;
    document.head.append(Object.assign(document.createElement('meta'), { name: 'api', content }));
  }, api);
  await page.addScriptTag({ content: script, type: 'module' });
  await page.waitForFunction(() => 'storeIssues' in globalThis);
  const project = await page.evaluate((rows) => globalThis.storeIssues(rows), Number(options.rows));
  await page.evaluate(() => globalThis.settled());
  await page.close();
  return project;
}

/** Notes in the page, before anything of it runs, when it shows issues and when all is restored. */
function watch() {
  const { document, MutationObserver } = globalThis;
  performance.mark('bench:start');
  let isRestoring = false;
  new MutationObserver(() => {
    if (document.querySelector('ul.rows li') !== null && globalThis.listShown === undefined)
      globalThis.listShown = performance.now();
    const isShown = document.querySelector('.restore-line') !== null;
    if (isRestoring && !isShown && globalThis.restoredAt === undefined) {
      globalThis.restoredAt = performance.now();
      performance.mark('bench:end');
    }
    isRestoring ||= isShown;
  }).observe(document, { childList: true, subtree: true });
}

async function visit(context, address) {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.addInitScript(watch);
  if (Number(options.throttle) > 1) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(options.throttle) });
  }
  const { result, longest } = await recordTasks(context.browser(), page, async () => {
    await page.goto(address);
    await page.waitForFunction(() => globalThis.restoredAt !== undefined, undefined, { timeout: 120_000 });
    await page.waitForFunction(() => globalThis.listShown !== undefined);
    return page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      list: globalThis.listShown,
      restored: globalThis.restoredAt,
    }));
  });
  await page.waitForFunction(() => navigator.serviceWorker.ready.then(() => true));
  return { ...result, longest };
}

buildLibrary();
await buildIfNeeded();
const script = await bundle(join(import.meta.dirname, 'store.mjs'));
const keep = keepResults('coldStart');
const visits = [];

const summary = () =>
  Object.fromEntries(
    Object.keys(visits[0]).map((name) => [name, spread(visits.map((taken) => taken[name]))]),
  );

await withProfile(async (profile) => {
  const server = await startServer({ dataFile: join(profile, 'server.json') });
  const app = await startStatic({ root: join(root, 'demo/dist'), api: server.url });
  try {
    const project = await withBrowser(profile, (context) => store(context, app.url, server.url, script));
    const address = `${app.url}/projects/${project}`;
    await withBrowser(profile, (context) => visit(context, address));
    for (let round = 0; round < Number(options.rounds); round++) {
      visits.push(await withBrowser(profile, (context) => visit(context, address)));
      keep({ ...options, results: summary(), visits });
    }
  } finally {
    await app.close();
    await server.close();
  }
});

const said = {
  paint: 'first contentful paint',
  list: 'the list of issues is shown',
  restored: 'all rows are in memory',
  longest: 'longest task until then',
};
console.log(`cold start of the demo, ${Number(options.rows).toLocaleString('en')} rows stored (ms)`);
for (const [name, { median, p25, p75 }] of Object.entries(summary()))
  console.log(`${said[name].padEnd(28)} ${median.toFixed(0)} (${p25.toFixed(0)}–${p75.toFixed(0)})`);
