/**
 * Production builds of the packed library by the bundlers that apps use. Each builds several apps at once, so that what
 * they have in common is done once.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rollup, type Plugin } from 'rollup';
import webpack, { type Configuration, type Stats, type StatsModule } from 'webpack';
import { build, transform } from '../support/esbuild.ts';
import { consumer, installed, root } from './consumer.ts';

const define = { 'process.env.NODE_ENV': '"production"' };
const OWN = 'node_modules/holdfast/dist/';
const REACT = /^react(?:-dom)?(?:\/|$)/;

/** What a bundler makes of an app. */
export interface Bundle {
  /** After minifying and gzip, without React. */
  readonly bytes: number;
  /** Files of the package with code in the bundle, as paths below `dist`. */
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}

/** Builds an app from each source text. */
export type Bundler = (sources: readonly string[]) => Promise<readonly Bundle[]>;

/** @param files - those with code in the bundle */
function describeBundle(code: string, files: readonly string[], imports: readonly string[]): Bundle {
  const used = files.map((file) => file.replaceAll('\\', '/'));
  const dependencies = used.flatMap(
    (file) => /node_modules\/(immer|idb|path-to-regexp)\//.exec(file)?.[1] ?? [],
  );
  return {
    bytes: gzipSync(code, { level: 9 }).length,
    modules: used.flatMap((file) => (file.includes(OWN) ? file.slice(file.indexOf(OWN) + OWN.length) : [])),
    packages: [...new Set([...dependencies, ...imports])].sort(),
  };
}

async function minified(bundle: string): Promise<string> {
  const { code } = await transform(bundle, {
    minify: true,
    treeShaking: true,
    target: 'es2022',
    format: 'esm',
  });
  return code;
}

export const withEsbuild: Bundler = (sources) =>
  Promise.all(
    sources.map(async (source) => {
      const { metafile, outputFiles } = await build({
        stdin: { contents: source, resolveDir: consumer },
        absWorkingDir: consumer,
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        format: 'esm',
        target: 'es2022',
        // That of the repository would take `holdfast` for its sources.
        tsconfigRaw: {},
        define,
        external: ['react', 'react-dom'],
      });
      const [output] = Object.values(metafile.outputs);
      const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      return describeBundle(
        outputFiles[0]?.text ?? '',
        used.map(([file]) => file),
        output?.imports.map((imported) => imported.path) ?? [],
      );
    }),
  );

/** What `exports` of the dependencies says. */
const dependencyFiles: Readonly<Record<string, string>> = {
  immer: 'node_modules/immer/dist/immer.mjs',
  idb: 'node_modules/idb/build/index.js',
  'path-to-regexp': 'node_modules/path-to-regexp/dist/index.js',
};

/**
 * For Rollup, which resolves no packages by itself: the installed package, by its `exports` and `sideEffects`. An app is
 * the module `app:<source>`.
 */
function installedPackage(): Plugin {
  // Its shape is checked with the package.
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, { import: { default: string } } | undefined>;
    sideEffects: boolean;
  };
  const transformed = new Map<string, Promise<string>>();
  const transformOnce = (id: string, code: string): Promise<string> => {
    const known =
      transformed.get(id) ??
      transform(code, { define, target: 'es2022', format: 'esm' }).then((result) => result.code);
    transformed.set(id, known);
    return known;
  };
  return {
    name: 'installed-package',
    resolveId(specifier) {
      if (specifier.startsWith('app:')) return specifier;
      const dependency = dependencyFiles[specifier];
      if (dependency !== undefined) return path.join(root, dependency);
      const entry = manifest.exports[specifier.replace(/^holdfast/, '.')];
      return entry === undefined ? null : path.join(installed, entry.import.default);
    },
    load: (id) => (id.startsWith('app:') ? id.slice('app:'.length) : null),
    async transform(code, id) {
      if (id.startsWith('app:')) return null;
      return { code: await transformOnce(id, code), map: null, moduleSideEffects: manifest.sideEffects };
    },
  };
}

export const withRollup: Bundler = async (sources) => {
  const plugins = [installedPackage()];
  return Promise.all(
    sources.map(async (source) => {
      const bundle = await rollup({
        input: `app:${source}`,
        external: REACT,
        treeshake: { moduleSideEffects: 'no-external' },
        onLog: (level, log, handle) => {
          // "use client" is for bundlers with server components.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level === 'warn' ? 'error' : level, log);
        },
        plugins,
      });
      const { output } = await bundle.generate({ format: 'esm', entryFileNames: 'app.js' });
      await bundle.close();
      // Code that is loaded later is in chunks of its own.
      const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const codes = await Promise.all(chunks.map(({ code }) => minified(code)));
      const used = chunks
        .flatMap(({ modules }) => Object.entries(modules))
        .filter(([, { renderedLength }]) => renderedLength > 0);
      const own = new Set(chunks.map(({ fileName }) => fileName));
      return describeBundle(
        codes.join(''),
        used.map(([file]) => file),
        chunks.flatMap(({ imports }) => imports).filter((file) => !own.has(file)),
      );
    }),
  );
};

/**
 * Builds an app from each source text with webpack, in one run.
 *
 * @param settings - what they have beside their source
 * @param use - what to do with each build: its statistics, and its files, which are deleted afterwards
 */
export async function runWebpack<T>(
  sources: readonly string[],
  settings: Configuration,
  use: (stats: Stats, files: readonly string[]) => Promise<T>,
): Promise<readonly T[]> {
  const folder = mkdtempSync(path.join(root, '.tmp/webpack-'));
  const output = (nth: number): string => path.join(folder, String(nth));
  const configurations = sources.map((source, nth): Configuration => ({
    target: ['web', 'es2022'],
    context: consumer,
    entry: `data:text/javascript,${encodeURIComponent(source)}`,
    // The exports of an app stay, as those of the other bundlers do.
    output: { path: output(nth), module: true, library: { type: 'module' } },
    externalsType: 'module',
    performance: false,
    // With the paths of this repository's tsconfig, it would bundle the sources.
    resolve: { tsconfig: false },
    ...settings,
  }));
  const compiler = webpack(configurations);
  try {
    const all = await new Promise<readonly Stats[]>((resolve, reject) => {
      compiler.run((error, result) => {
        if (result === undefined) reject(error ?? new Error('webpack returned nothing'));
        else resolve(result.stats);
      });
    });
    return await Promise.all(
      all.map((stats, nth) => {
        if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
        const files = readdirSync(output(nth)).map((file) => path.join(output(nth), file));
        return use(
          stats,
          files.map((file) => readFileSync(file, 'utf8')),
        );
      }),
    );
  } finally {
    await promisify(compiler.close.bind(compiler))();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * With its own defaults for production, except for the minifier: terser would take three times as long as the rest.
 * `npm run test:everywhere` builds an app with it.
 */
export const withWebpack: Bundler = (sources) =>
  runWebpack(
    sources,
    { mode: 'production', externals: REACT, optimization: { minimize: false } },
    async (stats, files) => {
      const { modules = [] } = stats.toJson({
        all: false,
        modules: true,
        nestedModules: true,
        modulesSpace: Infinity,
        nestedModulesSpace: Infinity,
      });
      // Modules that are joined to one are below it. Those without code in the bundle are `orphan`.
      const single = ({ modules: joined, ...module }: StatsModule): StatsModule[] =>
        joined === undefined ? [module] : joined.flatMap(single);
      const used = modules.flatMap(single).filter(({ orphan }) => orphan !== true);
      const codes = await Promise.all(files.map(minified));
      return describeBundle(
        codes.join(''),
        used.flatMap(({ nameForCondition }) => nameForCondition ?? []),
        used.flatMap(({ identifier }) => /^external module "(.+)"$/.exec(identifier ?? '')?.[1] ?? []),
      );
    },
  );
