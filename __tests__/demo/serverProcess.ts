import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** The lines that it has printed on standard output. */
  lines(): readonly string[];
  /** What it has printed on standard error. */
  errors(): string;
  /** Ends it and resolves when it is gone. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void>;
}

/** Runs one of the demo's servers as a process of its own, as a person would. */
export async function startProcess(script: string, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  output.on('line', (line: string) => lines.push(line));
  const url = await firstUrl(child, output, () => errors);
  return {
    url,
    port: Number(new URL(url).port),
    lines: () => lines,
    errors: () => errors,
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

async function firstUrl(
  child: ChildProcess,
  lines: NodeJS.EventEmitter,
  errors: () => string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line: string) => {
      const url = /http:\S+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code ?? 'a signal'}.\n${errors()}`)));
  });
}

/** The REST server on its data file. */
export function startRestServer(dataFile: string, args: readonly string[] = []): Promise<ServerProcess> {
  return startProcess('demo/server/main.mjs', ['--port', '0', '--data', dataFile, ...args]);
}
