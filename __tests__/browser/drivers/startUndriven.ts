import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A browser that no driver controls: the test only sees what its page sends. */
export interface UndrivenBrowser {
  /** Kills all of its processes at once, as a crash or an empty battery does. */
  kill(): Promise<void>;
}

/**
 * Starts a browser in a process group of its own, so that its children die with it.
 *
 * @param environment - variables for its processes, beside those of this one
 */
export function startUndriven(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): UndrivenBrowser {
  const child = spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  return {
    async kill() {
      const isAlive = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && isAlive) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
