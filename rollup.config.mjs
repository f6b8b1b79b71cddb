import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dts } from 'rollup-plugin-dts';
import esbuild from 'rollup-plugin-esbuild';
import { entries } from './scripts/entries.mjs';
import { entryFolders } from './scripts/entryFolders.mjs';
import { guardedMode } from './scripts/guardedMode.mjs';
import { namedDeclarations } from './scripts/namedDeclarations.mjs';
import { shortErrors } from './scripts/shortErrors.mjs';
import { staticBlocks } from './scripts/staticBlocks.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// All entries are built as one graph: what two of them need becomes a shared chunk, so that no module (and no
// class that `instanceof` asks for) exists twice in an app.
const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, here(file)]));

const external = /^(?:immer|path-to-regexp|idb|react|react-dom)(?:\/|$)/;
const externalToCommonJs = /^(?:immer|idb|react|react-dom)(?:\/|$)/;

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
 * Packages that a build holds, each with the licence that asks to be kept.
 *
 * @param {Readonly<Record<string, string>>} files - what each of them is taken from, and where its licence is
 */
const holding = (files) => ({
  name: 'holding',
  resolveId: (specifier) => (Object.hasOwn(files, specifier) ? here(files[specifier]) : null),
  banner: ({ moduleIds }) =>
    Object.keys(files)
      .filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)))
      .map((name) => `/*! ${name}\n${readFileSync(here(`node_modules/${name}/LICENSE`), 'utf8').trim()}\n*/`)
      .join('\n'),
});

/**
 * path-to-regexp publishes an ES module only. Node 20.19 can `require()` it, but Jest, in whose CommonJS our users
 * test, cannot before Node 24.9: so the CommonJS build holds what it uses of it.
 */
const inCommonJs = { 'path-to-regexp': 'node_modules/path-to-regexp/dist/index.js' };

/** Nothing resolves the names of packages for a page without a bundler. */
const inBrowsers = {
  ...inCommonJs,
  immer: 'node_modules/immer/dist/immer.production.mjs',
  idb: 'node_modules/idb/build/index.js',
};

const emptyDist = {
  name: 'empty-dist',
  buildStart: () => rmSync(here('dist'), { recursive: true, force: true }),
};

// A warning here (a missing export, a cycle, an unresolved import) is a fault in what would be published.
const onLog = (level, log, handle) => handle(level === 'warn' ? 'error' : level, log);

const outputFor = (format, extension, dir = 'dist') => ({
  dir,
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

/**
 * The ES modules stay apart, as in the sources: with `sideEffects: false`, a bundler leaves out each module that an app
 * does not import. From one file with all of them it removes little, because classes and tables that are made at
 * module level look like effects.
 */
const preserved = {
  dir: 'dist',
  format: 'esm',
  preserveModules: true,
  entryFileNames: '[name].js',
  generatedCode: 'es2015',
  hoistTransitiveImports: false,
};

/** Modules with components and hooks: a server component may name what they export, and cannot run it. */
const needsReact = /\/(?:src\/react(?:\/|\.ts$)|plugins\/outbox\/useOutbox|plugins\/devtools\/[Ii]nspector)/;
const clientDirective = ({ moduleIds }) =>
  moduleIds.some((id) => needsReact.test(id)) ? "'use client';" : '';

/** @param {import('rollup-plugin-esbuild').Options} [more] */
const transform = (more) => esbuild({ target: 'es2022', tsconfig: here('tsconfig.json'), ...more });

// For pages without a bundler, as from a CDN. Elsewhere `process.env.NODE_ENV` stays: the app's own build decides what
// development checks cost it.
const production = {
  define: { 'process.env.NODE_ENV': '"production"' },
  minify: true,
};

/** What an app's users load. */
const inputOfApps = Object.fromEntries(
  Object.entries(input).filter(([name]) => name !== 'testing' && name !== 'devtools'),
);

const builds = [
  {
    input,
    external,
    onLog,
    // As `sideEffects` of the package says. Otherwise modules import others whose code they do not need, only to run them.
    treeshake: { moduleSideEffects: false },
    plugins: [emptyDist, entryFolders, ownName, shortErrors, staticBlocks, guardedMode, transform()],
    output: [{ ...preserved, sourcemap: true, banner: clientDirective }],
  },
  {
    input,
    external: externalToCommonJs,
    onLog,
    plugins: [ownName, holding(inCommonJs), shortErrors, staticBlocks, transform()],
    output: [
      {
        ...outputFor('cjs', 'cjs'),
        sourcemap: true,
        exports: 'named',
        esModule: true,
        banner: clientDirective,
      },
    ],
  },
  {
    input: inputOfApps,
    external: /^react(?:\/|$)/,
    onLog,
    plugins: [ownName, holding(inBrowsers), shortErrors, staticBlocks, transform(production)],
    output: [outputFor('esm', 'js', 'dist/browser')],
  },
  {
    input,
    external,
    plugins: [
      ownName,
      dts({ tsconfig: here('tsconfig.json'), compilerOptions: { paths: {} } }),
      namedDeclarations,
    ],
    output: ['d.ts', 'd.cts'].map((extension) => ({
      ...outputFor('esm', extension),
      minifyInternalExports: false, // the names of types stay
    })),
  },
];

/** With `--configEsmOnly` it builds just the ES modules, which is what the demo needs. */
export default ({ configEsmOnly = false }) => (configEsmOnly ? builds.slice(0, 1) : builds);
