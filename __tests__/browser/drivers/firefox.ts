import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import puppeteer, { type Browser as PuppeteerBrowser, type Page as PuppeteerPage } from 'puppeteer-core';
import type { Browser, BrowserEngine, UndrivenBrowser } from '../browsers.ts';
import { asPage, DrivenPage } from './DrivenPage.ts';
import { executable } from './executable.ts';
import { startProcessGroup } from './startProcessGroup.ts';

/** Longer than anything that a test evaluates, in ms. */
const PROTOCOL_TIMEOUT = 110_000;

const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  // Of pages that were visited, Firefox may load another copy, in a hidden window with storage of its own.
  'browser.pagethumbnails.capturing_disabled': true,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'termsofuse.bypassNotification': true,
  'toolkit.startup.max_resumed_crashes': -1,
};

const firefox = executable('FIREFOX', ['/usr/bin/firefox-esr'], ['firefox-esr', 'firefox']);

class FirefoxPage extends DrivenPage {
  readonly #page: PuppeteerPage;

  constructor(page: PuppeteerPage) {
    super();
    this.#page = page;
  }

  goto(url: string): Promise<unknown> {
    return this.#page.goto(url);
  }

  reload(): Promise<unknown> {
    return this.#page.reload();
  }

  async close({ runBeforeUnload = false } = {}): Promise<void> {
    await this.#page.close({ runBeforeUnload });
  }

  bringToFront(): Promise<void> {
    return this.#page.bringToFront();
  }

  protected typeText(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  protected async run(expression: string): Promise<string | undefined> {
    return (await this.#page.evaluate(expression)) as string | undefined; // what `expression` gives
  }
}

/** So that nothing of the home folder is used or changed. */
function environmentOf(profile: string): Readonly<Record<string, string>> {
  return { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' };
}

function open(profile: string, url: string): UndrivenBrowser {
  const preferences = Object.entries(PREFERENCES).map(
    (entry) => `user_pref(${entry.map((part) => JSON.stringify(part)).join()});`,
  );
  writeFileSync(path.join(profile, 'user.js'), preferences.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, url];
  return startProcessGroup(firefox!, args, environmentOf(profile));
}

async function launch(profile: string, preferences: Readonly<Record<string, unknown>>): Promise<Browser> {
  const browser: PuppeteerBrowser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox!,
    headless: true,
    userDataDir: profile,
    protocolTimeout: PROTOCOL_TIMEOUT,
    extraPrefsFirefox: { ...PREFERENCES, ...preferences },
    env: { ...process.env, ...environmentOf(profile) },
  });
  return {
    context: { newPage: async () => asPage(new FirefoxPage(await browser.newPage())) },
    close: () => browser.close(),
  };
}

export const engine: BrowserEngine = {
  isPresent: firefox !== undefined && existsSync(firefox),
  hint: 'install Firefox, or name it in the variable FIREFOX',
  launch,
  open,
};
