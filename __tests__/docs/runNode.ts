import { spawn } from 'node:child_process';
import { root } from './blocks.ts';

/** Runs Node, and returns its output; empty if it succeeded in silence. */
export function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // Such as that of Node 26 where something looks for `localStorage`, as msw does.
    const all = ['--disable-warning=ExperimentalWarning', ...args];
    const child = spawn(process.execPath, all, { cwd: root, timeout: 200_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (output += data.toString()));
    }
    child.on('close', (code, signal) => {
      resolve(code === 0 ? output : output || `ended by ${String(signal ?? code)}`);
    });
  });
}
