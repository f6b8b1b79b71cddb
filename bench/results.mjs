import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'results');

/**
 * Where a run keeps what it has measured.
 *
 * @param {string} part - of the bench, the beginning of the file's name
 * @returns {(measured: object) => void} rewrites the file, with a description of the machine: a run calls it again
 *   and again, since it takes long and may be ended early
 */
export function keepResults(part) {
  const began = new Date().toISOString();
  const machine = {
    began,
    commit: commit(),
    node: process.version,
    processors: cpus().map(({ model }) => model),
    // Beside what else the machine did: figures of a busy one are worth little.
    loadBefore: loadavg()[0],
  };
  const file = join(folder, `${part}-${began.replaceAll(':', '-')}.json`);
  mkdirSync(folder, { recursive: true });
  return (measured) => {
    writeFileSync(file, `${JSON.stringify({ ...machine, ...measured }, undefined, 2)}\n`);
  };
}

/** What is checked out; nothing for a copy that is no checkout. */
function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
