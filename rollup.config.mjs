import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dts } from 'rollup-plugin-dts';
import esbuild from 'rollup-plugin-esbuild';
import { entries } from './scripts/entries.mjs';
import { shortErrors } from './scripts/shortErrors.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// All entries are built as one graph: what two of them need becomes a shared chunk, so that no module (and no
// class that `instanceof` asks for) exists twice in an app.
const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, here(file)]));

const external = /^(?:immer|path-to-regexp|idb|react|react-dom|@testing-library\/react)(?:\/|$)/;
const externalToCommonJs = /^(?:immer|idb|react|react-dom|@testing-library\/react)(?:\/|$)/;

/** Plugins import `holdfast` as any user would; inside the repository that is the same graph's own module. */
const ownName = {
  name: 'own-name',
  resolveId(specifier) {
    if (specifier !== 'holdfast' && !specifier.startsWith('holdfast/')) return null;
    const entry = input[specifier.slice('holdfast/'.length) || 'index'];
    return entry ?? this.error(`${specifier} is not a public entry`);
  },
};

/**
 * path-to-regexp publishes an ES module only. Node 20.19 can `require()` it, but Jest, in whose CommonJS our users
 * test, cannot before Node 24.9: so the CommonJS build holds what it uses of it, with the licence that asks to be kept.
 */
const heldPathToRegexp = {
  name: 'held-path-to-regexp',
  resolveId: (specifier) =>
    specifier === 'path-to-regexp' ? fileURLToPath(import.meta.resolve(specifier)) : null,
  banner: ({ moduleIds }) =>
    moduleIds.some((id) => id.includes('path-to-regexp'))
      ? `/*! path-to-regexp\n${readFileSync(here('node_modules/path-to-regexp/LICENSE'), 'utf8').trim()}\n*/`
      : '',
};

const emptyDist = {
  name: 'empty-dist',
  buildStart: () => rmSync(here('dist'), { recursive: true, force: true }),
};

// A warning here (a missing export, a cycle, an unresolved import) is a fault in what would be published.
const onLog = (level, log, handle) => handle(level === 'warn' ? 'error' : level, log);

const outputFor = (format, extension) => ({
  dir: 'dist',
  format,
  entryFileNames: `[name].${extension}`,
  chunkFileNames: `chunks/[name]-[hash].${extension}`,
  generatedCode: 'es2015',
  // What needs React in entries that are used without it, too: in a file of its own, it can be left out, and React with it.
  manualChunks: (id) => {
    if (id.includes('/plugins/devtools/inspector/')) return 'inspectorPanel';
    return /\/plugins\/(?:outbox|devtools)\/(useOutbox|Inspector)\.tsx?$/.exec(id)?.[1];
  },
  onlyExplicitManualChunks: true,
  // No import of a chunk only to load it early: it would make bundlers keep more than an app uses.
  hoistTransitiveImports: false,
});

// `process.env.NODE_ENV` stays as written: the app's own build decides what development checks cost it.
const transform = esbuild({ target: 'es2022', tsconfig: here('tsconfig.json') });

export default [
  {
    input,
    external,
    onLog,
    plugins: [emptyDist, ownName, shortErrors, transform],
    output: [{ ...outputFor('esm', 'js'), sourcemap: true }],
  },
  {
    input,
    external: externalToCommonJs,
    onLog,
    plugins: [ownName, heldPathToRegexp, shortErrors, transform],
    output: [{ ...outputFor('cjs', 'cjs'), sourcemap: true, exports: 'named', esModule: true }],
  },
  {
    input,
    external,
    plugins: [ownName, dts({ tsconfig: here('tsconfig.json'), compilerOptions: { paths: {} } })],
    output: [outputFor('esm', 'd.ts'), outputFor('esm', 'd.cts')],
  },
];
