/**
 * Builds `app.js` for production by each bundler, and runs what comes of it where there is no `process`. Prints one line
 * for each. Installed and started by `scripts/packagesEverywhere.mjs`.
 */
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import { Parcel } from '@parcel/core';
import { build as esbuild } from 'esbuild';
import Metro from 'metro';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';

process.env.NODE_ENV = 'production';
const here = import.meta.dirname;
const entry = path.join(here, 'app.js');
const out = path.join(here, 'out');
const require = createRequire(import.meta.url);

const bundlers = {
  // Without `tsconfigRaw` it would take `holdfast` for this repository's sources.
  async esbuild(file) {
    await esbuild({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      outfile: file,
      logLevel: 'error',
      tsconfigRaw: {},
    });
  },
  async rollup(file) {
    const bundle = await rollup({
      input: entry,
      plugins: [
        replace({ 'process.env.NODE_ENV': '"production"', preventAssignment: true }),
        nodeResolve({ browser: true }),
        commonjs(),
      ],
      // Rollup warns about every "use client", which only frameworks use.
      onwarn({ code, message }) {
        if (code !== 'MODULE_LEVEL_DIRECTIVE') assert.fail(message);
      },
    });
    await bundle.write({ file, format: 'iife' });
  },
  async vite(file) {
    await vite({
      root: here,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: path.dirname(file),
        emptyOutDir: false,
        rollupOptions: { input: entry, output: { format: 'iife', entryFileNames: path.basename(file) } },
      },
    });
  },
  async webpack(file) {
    const output = { path: path.dirname(file), filename: path.basename(file) };
    // As for esbuild.
    const options = { mode: 'production', entry, output, resolve: { tsconfig: false }, performance: false };
    const stats = await new Promise((resolve, reject) => {
      webpack(options, (error, done) => (error ? reject(error) : resolve(done)));
    });
    assert.equal(stats.hasErrors() || stats.hasWarnings(), false, stats.toString());
  },
  async parcel(file) {
    const { bundleGraph } = await new Parcel({
      entries: entry,
      defaultConfig: require.resolve('@parcel/config-default'),
      mode: 'production',
      shouldDisableCache: true,
      targets: {
        main: {
          distDir: path.dirname(file),
          distEntry: path.basename(file),
          context: 'browser',
          outputFormat: 'global',
          engines: { browsers: 'last 1 Chrome version' },
        },
      },
    }).run();
    assert.equal(bundleGraph.getBundles().length, 1);
  },
  /** Without `exports`, which Metro knew nothing of for long, and with them. */
  metro: (file) => metro(file, false),
  metroWithExports: (file) => metro(file, true),
};

async function metro(file, unstable_enablePackageExports) {
  const defaults = await Metro.loadConfig({ cwd: here, projectRoot: here });
  const config = {
    ...defaults,
    projectRoot: here,
    watchFolders: [here],
    reporter: { update() {} },
    resolver: { ...defaults.resolver, useWatchman: false, unstable_enablePackageExports },
    // React Native's preset for Babel does the same.
    transformer: {
      ...defaults.transformer,
      getTransformOptions: () =>
        Promise.resolve({ transform: { experimentalImportSupport: true, inlineRequires: false } }),
    },
  };
  const { code } = await Metro.runBuild(config, {
    entry: 'app.js',
    dev: false,
    minify: true,
    platform: 'web',
  });
  writeFileSync(file, code);
}

/** What a page has, and nothing of Node's. */
const { URL, URLSearchParams, AbortController, Headers, Response, Event, EventTarget } = globalThis;
const page = { URL, URLSearchParams, AbortController, Headers, Response, Event, EventTarget, queueMicrotask };

let failed = 0;
const wanted = process.argv.slice(2);
for (const [name, bundle] of Object.entries(bundlers)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = path.join(out, `${name}.js`);
  const started = performance.now();
  try {
    await bundle(file);
    const code = readFileSync(file, 'utf8');
    const window = vm.createContext({ ...page, setTimeout, clearTimeout, structuredClone, console });
    vm.runInContext('globalThis.window = globalThis.self = globalThis', window);
    vm.runInContext(code, window);
    const result = await window.result;
    assert.equal(result.title, 'Article 5');
    assert.match(result.error, /No fixture answers/);
    assert.equal(result.code.code, 'HF_NO_COLLECTION');
    // As in production, and nothing of what only development says.
    assert.match(result.code.message, /docs\/errors\.md#hf_no_collection/);
    assert.doesNotMatch(code, /has no Collection in its schema/);
    // Metro defines `process` in its first line.
    assert.doesNotMatch(code.replace(/^var __BUNDLE_START_TIME__.*/, ''), /process\.env\.NODE_ENV/);
    assert.doesNotMatch(code, /static\s*\{/);
    const package_ = name.replace('WithExports', '');
    const { version } = require(`${package_}/package.json`);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`ok     ${name} ${version}: ${(code.length / 1000).toFixed(0)} kB, ${seconds} s`);
  } catch (error) {
    failed += 1;
    console.log(
      `FAILED ${name}: ${error.stack}${error.diagnostics ? JSON.stringify(error.diagnostics) : ''}`,
    );
  }
}
process.exit(failed === 0 ? 0 : 1);
