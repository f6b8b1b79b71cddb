import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Browser, BrowserEngine, UndrivenBrowser } from '../browsers.ts';
import { asPage, DrivenPage, PATIENCE } from './DrivenPage.ts';
import { executable } from './executable.ts';
import { startProcessGroup } from './startProcessGroup.ts';
import { WebDriver, type Call } from './WebDriver.ts';

const driver = executable('WEBKIT_DRIVER', [], ['WebKitWebDriver']);
const miniBrowser = executable('WEBKIT', miniBrowsers(), []);
const xvfb = executable('XVFB', [], ['Xvfb']);
const hasDisplay = process.env.DISPLAY !== undefined || xvfb !== undefined;

/** How often the page is asked whether what runs there has ended, in ms. */
const INTERVAL = 15;

/** Where Debian's library packages have put it. */
function miniBrowsers(): string[] {
  return ['/usr/lib', '/usr/libexec']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => path.join(folder, name))])
    .flatMap((folder) =>
      ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0'].map((name) =>
        path.join(folder, name, 'MiniBrowser'),
      ),
    );
}

class WebKitPage extends DrivenPage {
  readonly #driver: WebDriver;
  readonly #window: string;
  #runs = 0;

  constructor(driver: WebDriver, window: string) {
    super();
    this.#driver = driver;
    this.#window = window;
  }

  goto(url: string): Promise<unknown> {
    return this.#here((call) => call('POST', '/url', { url }));
  }

  reload(): Promise<unknown> {
    return this.#here((call) => call('POST', '/refresh'));
  }

  async close(): Promise<void> {
    await this.#here((call) => call('DELETE', '/window'));
  }

  async bringToFront(): Promise<void> {
    await this.#here(() => Promise.resolve());
  }

  protected async typeText(text: string): Promise<void> {
    await this.#here(async (call) => {
      const element = Object.values((await call('GET', '/element/active')) as object)[0] as string; // §11.1
      await call('POST', `/element/${element}/value`, { text });
    });
  }

  /** Not by an asynchronous script, which would keep every other page waiting until it has ended. */
  protected async run(expression: string): Promise<string | undefined> {
    const name = `run${(this.#runs += 1)}`;
    await this.#execute(`
      const run = (globalThis.${name} = {});
      Promise.resolve()
        .then(() => (0, eval)(arguments[0]))
        .then((value) => (run.value = value), (error) => (run.error = String(error?.stack ?? error)))
        .then(() => (run.hasEnded = true));`, [expression]); // oxfmt-ignore
    const end = Date.now() + 2 * PATIENCE;
    for (;;) {
      const run = (await this.#execute(
        `const run = globalThis.${name}; if (run?.hasEnded) delete globalThis.${name}; return run ?? null`,
      )) as { hasEnded?: true; value?: string; error?: string } | null; // see above
      if (run === null) throw new Error(`The page was left while it ran ${expression}`);
      if (run.error !== undefined) throw new Error(run.error);
      if (run.hasEnded) return run.value ?? undefined;
      if (Date.now() > end) throw new Error(`The page has not ended ${expression}`);
      await this.waitForTimeout(INTERVAL);
    }
  }

  #execute(script: string, args: readonly unknown[] = []): Promise<unknown> {
    return this.#here((call) => call('POST', '/execute/sync', { script, args }));
  }

  /** Makes calls in this page's window. */
  #here<T>(calls: (call: Call) => Promise<T>): Promise<T> {
    return this.#driver.inTurn(async (call) => {
      await call('POST', '/window', { handle: this.#window });
      return calls(call);
    });
  }
}

/** A virtual display: MiniBrowser needs one. */
async function display(): Promise<{ readonly name: string; close(): void }> {
  const { DISPLAY } = process.env;
  if (DISPLAY !== undefined) return { name: DISPLAY, close: () => undefined };
  const child = spawn(
    xvfb!,
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }, // oxfmt-ignore
  );
  const close = (): void => void child.kill();
  process.on('exit', close);
  const chosen = child.stdio[3] as Readable; // a pipe, see above
  for await (const number of createInterface({ input: chosen })) return { name: `:${number}`, close };
  throw new Error('Xvfb did not start');
}

/** Variables for the browser. */
function environmentOf(profile: string, displayName: string): Readonly<Record<string, string>> {
  return {
    DISPLAY: displayName,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    HOME: profile,
  };
}

async function open(profile: string, url: string): Promise<UndrivenBrowser> {
  const { name, close } = await display();
  const browser = startProcessGroup(miniBrowser!, [url], environmentOf(profile, name));
  return {
    async kill() {
      await browser.kill();
      close();
    },
  };
}

async function launch(profile: string): Promise<Browser> {
  const { name, close } = await display();
  const environment = { ...process.env, ...environmentOf(profile, name) };
  const session = await WebDriver.start(driver!, environment, {
    'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
  });
  // The session ends with its last window.
  const first = await session.inTurn((call) => call('GET', '/window'));
  return {
    context: {
      newPage: () =>
        session.inTurn(async (call) => {
          await call('POST', '/window', { handle: first });
          // A window rather than a tab, so that all of them are visible.
          const { handle } = (await call('POST', '/window/new', { type: 'window' })) as { handle: string }; // §10.5
          return asPage(new WebKitPage(session, handle));
        }),
    },
    close: async () => {
      await session.quit();
      close();
    },
  };
}

export const engine: BrowserEngine = {
  isPresent: driver !== undefined && miniBrowser !== undefined && hasDisplay,
  hint: "install WebKitGTK's WebKitWebDriver and MiniBrowser, and Xvfb (Debian: webkit2gtk-driver xvfb)",
  launch,
  open,
};
