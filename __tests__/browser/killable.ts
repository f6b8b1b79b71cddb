import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type ConnectOverCDPOptions } from 'playwright-core';
import { browserArguments, executablePath, showWhenFailed } from './chromium.ts';

export interface KillableBrowser {
  readonly browser: Browser;
  /**
   * Kills all of its processes at once, as a crash or an empty battery does.
   *
   * @returns whether it had died before
   */
  kill(): Promise<boolean>;
  /** Whether it has died. */
  isDead(): boolean;
  /** Settles when it has died. */
  readonly exited: Promise<unknown>;
}

/**
 * A browser whose process the test itself has started, so that it may kill it.
 *
 * @param options - how to connect to it
 * @param environment - variables for its processes, beside those of this one
 */
export async function launchKillable(
  profile: string,
  options: ConnectOverCDPOptions = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<KillableBrowser> {
  if (executablePath === undefined) throw new Error('No Chromium found; use describeInBrowser');
  const own = [`--user-data-dir=${profile}`, '--remote-debugging-port=0', '--headless', 'about:blank'];
  const child = spawn(executablePath, [...browserArguments, ...own], {
    // A process group of its own, so that its children die with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<boolean> => {
    const wasDead = isDead();
    if (child.pid !== undefined && !wasDead) process.kill(-child.pid, 'SIGKILL');
    await exited;
    return wasDead;
  };
  try {
    const browser = await chromium.connectOverCDP(await debuggerOf(child.stderr), options);
    for (const context of browser.contexts()) void exited.then(showWhenFailed(context));
    return { browser, isDead, kill, exited };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The address that a starting browser prints. */
async function debuggerOf(stderr: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stderr });
  const told: string[] = [];
  for await (const line of lines) {
    const address = /DevTools listening on (\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
    told.push(line);
  }
  throw new Error(`The browser did not start: ${told.join('\n')}`);
}
