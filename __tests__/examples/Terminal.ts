import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';

/** The environment of a developer's terminal, without the variables of npm and Jest. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:NODE_ENV|NODE_OPTIONS|JEST_.*|npm_(?:package|lifecycle|config_local).*)$/.test(name),
  ),
);

/** Runs commands in a folder, as typed into a terminal there. */
export class Terminal {
  readonly #cwd: string;
  readonly #running = new Map<string, { child: ChildProcess; ended: Promise<void>; output: () => string }>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Runs a command to its end and gives what it printed. */
  async run(command: string, variables: Record<string, string> = {}): Promise<string> {
    const { child, output, ended } = this.#spawn(command, variables);
    await ended;
    if (child.exitCode !== 0) throw new Error(`${command} failed:\n${output()}`);
    return output();
  }

  /** Starts a command that keeps running, and waits until `url` responds. */
  async start(command: string, url: string, variables: Record<string, string> = {}): Promise<void> {
    const started = this.#spawn(command, variables);
    this.#running.set(command, started);
    await until(() => {
      if (started.child.exitCode !== null) throw new Error(`${command} ended:\n${started.output()}`);
      return answers(url);
    });
  }

  /** Waits until a running command has printed a text. */
  async printed(command: string, text: string): Promise<void> {
    await until(() => this.#running.get(command)?.output().includes(text) ?? false);
  }

  /** Ctrl+C. */
  async interrupt(command: string): Promise<void> {
    const running = this.#running.get(command);
    this.#running.delete(command);
    if (running?.child.pid === undefined) return;
    process.kill(-running.child.pid, 'SIGINT'); // the whole group, as a terminal does
    await running.ended;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((command) => this.interrupt(command)));
  }

  #spawn(command: string, variables: Record<string, string> = {}) {
    const child = spawn(command, {
      cwd: this.#cwd,
      shell: true,
      detached: true,
      env: {
        ...environment,
        ...variables,
        ...{
          npm_config_prefer_offline: 'true',
          npm_config_audit: 'false',
          npm_config_fund: 'false',
          npm_config_fetch_retries: '0',
        },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        printed += String(data);
      });
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
    return { child, ended, output: () => printed };
  }
}

/** Resolves once the condition holds; the time limit of the test ends it otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** A free port. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
