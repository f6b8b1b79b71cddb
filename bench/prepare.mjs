import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from '../scripts/install.mjs';
import { binary } from '../scripts/run.mjs';

const here = import.meta.dirname;

/** Where the adapters are bundled to, each with its library. */
export const bundles = join(root, '.tmp', 'bench');

/** Builds the library as it is published. */
export function buildLibrary() {
  execFileSync(process.execPath, [binary('rollup'), '-c', '--silent'], { cwd: root, stdio: 'inherit' });
}

/** The adapters there are: ours first, the others by name. */
export function adapterNames() {
  const names = readdirSync(join(here, 'adapters')).map((file) => file.replace('.mjs', ''));
  return ['holdfast', ...names.filter((name) => name !== 'holdfast').sort()];
}

/**
 * Bundles adapters with their libraries as an app would: in production mode, development checks left out.
 *
 * @param {readonly string[]} names
 * @param {string} [dist] - the build of Holdfast to measure, where it is not the repository's own
 */
export async function bundle(names, dist = join(root, 'dist')) {
  await build({
    entryPoints: names.map((name) => join(here, 'adapters', `${name}.mjs`)),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    target: 'node20',
    minifySyntax: true,
    alias: { holdfast: resolve(dist, 'index.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
}
