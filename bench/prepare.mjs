import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..');

/** Where the adapters are bundled to, each with its library. */
export const bundles = join(root, '.tmp', 'bench');

const npm = (folder, ...args) =>
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });

/** Installs the locked dependencies of the repository and of the bench where they are missing or outdated. */
export function install() {
  for (const folder of [root, here]) {
    // npm writes this file at the end of each install.
    const installed = join(folder, 'node_modules', '.package-lock.json');
    const lockfile = join(folder, 'package-lock.json');
    if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) npm(folder, 'ci');
  }
}

/** Builds the library as it is published. */
export function buildLibrary() {
  npm(root, 'run', '--silent', 'build');
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
  const esbuild = await import('esbuild'); // may have been installed only now
  await esbuild.build({
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
