import type { Plugin } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import { build } from '../support/esbuild.ts';
import { root } from './blocks.ts';
import { runNode } from './runNode.ts';

const folder = path.join(root, '.tmp/docs');

/** The library's entries, by the names that examples import. */
const entries = Object.fromEntries(
  Object.entries(compilerOptions.paths).map(([name, [file = '']]) => [name, path.join(root, file)]),
);
const names = [
  ...Object.keys(entries),
  ...['@testing-library/dom', '@testing-library/react', 'jsdom', 'msw', 'msw/node'],
  ...['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'react-dom/server'],
];

/** For Node's `--import`: provides the dependencies in `globalThis.dependencies`. */
export const loader: string = path.join(__dirname, 'loadDependencies.mjs');

/**
 * Writes the library and the large packages that pages import into one file, with V8's code cache beside it. Each page
 * runs in its own Node process, which would otherwise spend a second on compiling jsdom, msw and React.
 */
export async function buildDependencies(): Promise<void> {
  await build({
    stdin: {
      // Each is evaluated when it is first imported, as it would be without the bundle.
      contents: `module.exports = {${names.map((name) => `get '${name}'() { return require('${name}'); }`).join()}};`,
      resolveDir: root,
    },
    outfile: path.join(folder, 'dependencies.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    minifyWhitespace: true,
    external: ['canvas'], // jsdom works without it
    jsx: 'automatic',
    alias: entries,
    plugins: [withoutSyncRequests],
    logLevel: 'silent',
  });
  // V8 would accept the cache of other code of the same length.
  rmSync(path.join(folder, 'dependencies.cjs.cache'), { force: true });
  const output = await runNode(['--import', loader, path.join(__dirname, 'cacheDependencies.mjs')]);
  if (output !== '') throw new Error(output);
}

/** Only synchronous requests of jsdom need this worker, which is a file of its own. */
const withoutSyncRequests: Plugin = {
  name: 'withoutSyncRequests',
  setup({ onLoad }) {
    onLoad({ filter: /XMLHttpRequest-impl\.js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace('require.resolve("./xhr-sync-worker.js")', 'undefined'),
    }));
  },
};

/** Has a page's bundle import the dependencies from the file above. */
export const fromDependencies: Plugin = {
  name: 'dependencies',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path: name }) =>
      names.includes(name) ? { path: name, namespace: 'dependency' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'dependency' }, ({ path: name }) => ({
      contents: `module.exports = globalThis.dependencies['${name}'];`,
    }));
  },
};
