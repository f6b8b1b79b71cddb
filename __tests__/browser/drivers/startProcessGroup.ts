import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process with all that it has started. */
export interface ProcessGroup {
  readonly stderr: ChildProcess['stderr'];
  /**
   * Kills all of them at once, as a crash or an empty battery does.
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
 * Starts a program in a process group of its own, so that its children die with it.
 *
 * @param environment - variables for its processes, beside those of this one
 * @param stderr - what becomes of its messages
 */
export function startProcessGroup(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stderr: 'ignore' | 'pipe' = 'ignore',
): ProcessGroup {
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'ignore', stderr],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    stderr: child.stderr,
    async kill() {
      const wasDead = isDead();
      if (child.pid !== undefined && !wasDead) process.kill(-child.pid, 'SIGKILL');
      await exited;
      return wasDead;
    },
    isDead,
    exited,
  };
}
