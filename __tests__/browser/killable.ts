import { createInterface } from 'node:readline';
import { chromium, type Browser, type ConnectOverCDPOptions } from 'playwright-core';
import { browserArguments, executablePath, showWhenFailed } from './chromium.ts';
import { startProcessGroup, type ProcessGroup } from './drivers/startProcessGroup.ts';

export interface KillableBrowser extends Omit<ProcessGroup, 'stderr'> {
  readonly browser: Browser;
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
  const args = [...browserArguments, ...own];
  const { stderr, ...group } = startProcessGroup(executablePath, args, environment, 'pipe');
  try {
    const browser = await chromium.connectOverCDP(await debuggerOf(stderr!), options);
    for (const context of browser.contexts()) void group.exited.then(showWhenFailed(context));
    return { browser, ...group };
  } catch (error) {
    await group.kill();
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
