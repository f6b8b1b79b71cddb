import { afterAll, describe } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from './drivers/DrivenPage.ts';
import { engine as chromium } from './drivers/chromium.ts';
import { engine as firefox } from './drivers/firefox.ts';
import { engine as webkit } from './drivers/webkit.ts';

export type { Page } from './drivers/DrivenPage.ts';

/** A browser with one profile: its pages share IndexedDB, caches and service workers. */
export interface Browser {
  readonly context: { newPage(): Promise<Page> };
  close(): Promise<void>;
}

/** A browser that no driver controls: the test sees only what its page sends. */
export interface UndrivenBrowser {
  /** Kills all of its processes at once, as a crash or an empty battery does. */
  kill(): Promise<unknown>;
}

/** A browser that the tests can run in. */
export interface BrowserEngine {
  readonly isPresent: boolean;
  /** What to do where it is not. */
  readonly hint: string;
  /**
   * Starts it.
   *
   * @param profile - an empty folder
   * @param preferences - of Firefox, by name, or of Chromium, as in its file `Preferences`
   */
  launch(profile: string, preferences: Readonly<Record<string, unknown>>): Promise<Browser>;
  /** Starts it without a driver, with one page. What it stores is there again after the next `open(profile, …)`. */
  open(profile: string, url: string): UndrivenBrowser | Promise<UndrivenBrowser>;
}

const engines = { chromium, firefox, webkit };

/** The browser that these tests run in: what the variable `BROWSER` says, else Chromium. */
export const browserName = (process.env.BROWSER ?? 'chromium') as keyof typeof engines;

const engine = engines[browserName];

if (!engine.isPresent) {
  const message = `There is no ${browserName}: ${engine.hint}`;
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`${message}; its tests are skipped.`);
}

/** What a test leaves open, because it failed say, is closed after the last. */
const closers = new Set<() => Promise<unknown>>();
const profiles: string[] = [];

/** An empty folder for a browser to keep its state in, deleted after the last test. */
export function newProfile(): string {
  const profile = mkdtempSync(path.join(tmpdir(), `holdfast-${browserName}-`));
  profiles.push(profile);
  return profile;
}

/** Starts the browser with an empty profile. */
export async function launch(preferences: Readonly<Record<string, unknown>> = {}): Promise<Browser> {
  const { context, close } = await engine.launch(newProfile(), preferences);
  return { context, close: closing(close) };
}

/** Starts the browser without a driver, with one page. What it stores is there again after the next `open(profile, …)`. */
export async function open(profile: string, url: string): Promise<UndrivenBrowser> {
  const { kill } = await engine.open(profile, url);
  return { kill: closing(kill) };
}

function closing<T>(close: () => Promise<T>): () => Promise<T> {
  const run = (): Promise<T> => {
    closers.delete(run);
    return close();
  };
  closers.add(run);
  return run;
}

/** `describe` where there is such a browser, a skipped one elsewhere. */
export const describeInBrowser = engine.isPresent ? describe : describe.skip;

afterAll(async () => {
  await Promise.all([...closers].map((close) => close()));
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});
