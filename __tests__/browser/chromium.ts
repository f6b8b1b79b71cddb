import { afterAll, describe } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function findChromium(): string | undefined {
  const inPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  const wanted = process.env.CHROMIUM;
  if (wanted !== undefined && wanted !== '') return wanted;
  return ['/usr/bin/chromium', ...inPath, ...places].find((file) => existsSync(file));
}

/** The browser that the tests run in: what `CHROMIUM` names, else a Chromium or Chrome found on this machine. */
export const executablePath = findChromium();

if (executablePath === undefined) {
  const message = 'No Chromium found: install one or name it in the variable CHROMIUM';
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`${message}; the browser tests are skipped.`);
}

/** Of several such lists, the browser takes the last one: this one also has what Playwright's has. */
const disabledFeatures = [
  // The suggestions below the address bar, which no test sees: they are pages, loaded at each start for about a second.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** How the browser is started. */
export const browserArguments = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  /** One profile: its pages share IndexedDB, caches and service workers. */
  readonly context: BrowserContext;
  /** Closes the browser. What its profile stored is there again after the next `launch(profile)`. */
  close(): Promise<void>;
}

const open = (globalThis.openContexts = new Set<BrowserContext>());

/**
 * Where a test fails, its environment says what the pages of this browser show.
 *
 * @returns forgets the browser, since it is closed
 */
export function showWhenFailed(context: BrowserContext): () => void {
  open.add(context);
  return () => void open.delete(context);
}

const profiles: string[] = [];

/** An empty folder for a browser to keep its state in, deleted when the test file is done. */
export function newProfile(): string {
  const profile = mkdtempSync(path.join(tmpdir(), 'holdfast-chromium-'));
  profiles.push(profile);
  return profile;
}

/**
 * Starts a headless Chromium with an empty profile of its own, or with the one of an earlier browser. What a test
 * leaves open, because it failed say, is closed when the test file is done.
 */
export async function launch(profile = newProfile()): Promise<Browser> {
  if (executablePath === undefined) throw new Error('No Chromium found; use describeInBrowser');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: browserArguments,
  });
  context.setDefaultTimeout(120_000);
  context.on('close', showWhenFailed(context));
  return { context, close: () => context.close() };
}

/** `describe` where there is a Chromium, a skipped one elsewhere. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

afterAll(async () => {
  await Promise.all([...open].map((context) => context.close()));
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});
