import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (file) => file !== undefined && existsSync(file),
);

/** How Chromium is started, as playwright takes it. */
export const launchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
};

/**
 * Runs with an empty profile on a real disk, which is removed at the end.
 *
 * @param {(profile: string) => Promise<T>} run
 * @returns {Promise<T>}
 * @template T
 */
export async function withProfile(run) {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    return await run(profile);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Runs with a browser of that profile.
 *
 * @param {string} profile
 * @param {(context: import('playwright-core').BrowserContext) => Promise<T>} run
 * @returns {Promise<T>}
 * @template T
 */
export async function withBrowser(profile, run) {
  const context = await chromium.launchPersistentContext(profile, launchOptions);
  try {
    return await run(context);
  } finally {
    await context.close();
  }
}

/**
 * What a page holds on to.
 *
 * @param {import('playwright-core').CDPSession} devtools - of the page
 * @returns {Promise<number>} bytes
 */
export async function usedHeap(devtools) {
  for (let times = 0; times < 3; times++) await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}
