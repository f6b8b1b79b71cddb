import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(__dirname, '../..');

/** A folder in which `holdfast` is installed from its own tarball; `scripts/pack.mjs` lays it out. */
export const consumer = path.join(root, '.tmp/consumer');
export const installed = path.join(consumer, 'node_modules/holdfast');

if (!existsSync(installed)) {
  throw new Error('The built package is not there; run: npm test -- build built');
}

/** Runs a program in plain Node, as an app that installed the package would, and returns what it printed as JSON. */
export function run(
  format: 'module' | 'commonjs',
  program: string,
  nodeOptions: readonly string[] = [],
): unknown {
  const output = execFileSync(
    process.execPath,
    [...nodeOptions, `--input-type=${format}`, '--eval', program],
    {
      cwd: consumer,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
    },
  );
  return JSON.parse(output);
}
