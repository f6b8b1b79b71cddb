import { describe, expect, it } from '@jest/globals';
import { build, transform } from '../support/esbuild.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rollup, type Plugin } from 'rollup';
import { consumer, installed, root } from './consumer.ts';

const define = { 'process.env.NODE_ENV': '"production"' };
const OWN = 'node_modules/holdfast/dist/';

/** What a bundler makes of an app that imports one export. */
interface Bundle {
  /** After minifying and gzip, without React. */
  readonly bytes: number;
  /** Files of the package with code in the bundle, as paths below `dist`. */
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}

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

async function withEsbuild(source: string): Promise<Bundle> {
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
}

/** What `exports` of the dependencies says. */
const dependencyFiles: Readonly<Record<string, string>> = {
  immer: 'node_modules/immer/dist/immer.mjs',
  idb: 'node_modules/idb/build/index.js',
  'path-to-regexp': 'node_modules/path-to-regexp/dist/index.js',
};

/** For Rollup, which resolves no packages by itself: the installed package, by its `exports` and `sideEffects`. */
function installedPackage(source: string): Plugin {
  // Its shape is checked with the package.
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, { import: { default: string } } | undefined>;
    sideEffects: boolean;
  };
  return {
    name: 'installed-package',
    resolveId(specifier) {
      if (specifier === 'app') return specifier;
      const dependency = dependencyFiles[specifier];
      if (dependency !== undefined) return path.join(root, dependency);
      const entry = manifest.exports[specifier.replace(/^holdfast/, '.')];
      return entry === undefined ? null : path.join(installed, entry.import.default);
    },
    load: (id) => (id === 'app' ? source : null),
    async transform(code, id) {
      if (id === 'app') return null;
      const { code: defined } = await transform(code, { define, target: 'es2022', format: 'esm' });
      return { code: defined, map: null, moduleSideEffects: manifest.sideEffects };
    },
  };
}

async function withRollup(source: string): Promise<Bundle> {
  const bundle = await rollup({
    input: 'app',
    external: /^react(?:-dom)?(?:\/|$)/,
    treeshake: { moduleSideEffects: 'no-external' },
    onLog: (level, log, handle) => {
      // "use client" is for bundlers with server components.
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level === 'warn' ? 'error' : level, log);
    },
    plugins: [installedPackage(source)],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  // Code that is loaded later is in chunks of its own.
  const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
  const codes = await Promise.all(
    chunks.map(({ code }) => transform(code, { minify: true, target: 'es2022', format: 'esm' })),
  );
  const used = chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([, { renderedLength }]) => renderedLength > 0);
  const own = new Set(chunks.map(({ fileName }) => fileName));
  return describeBundle(
    codes.map(({ code }) => code).join(''),
    used.map(([file]) => file),
    chunks.flatMap(({ imports }) => imports).filter((file) => !own.has(file)),
  );
}

const bundlers = { esbuild: withEsbuild, Rollup: withRollup };

/** Files in these folders of the build. */
const folders = (...names: string[]): RegExp => new RegExp(`^(?:_virtual|${names.join('|')})/.+[.]js$`);

/** `limit` in bytes: what has been reached plus 2 %. Lower it whenever the figure falls. */
const alone = [
  {
    name: 'Entity',
    from: 'holdfast',
    limit: 1_810,
    packages: [],
    modules: folders('src/schema', 'src/util'),
  },
  {
    name: 'Endpoint',
    from: 'holdfast',
    limit: 6_480,
    packages: [],
    modules: folders('src/schema', 'src/util', 'src/endpoint'),
  },
  {
    name: 'RestEndpoint',
    from: 'holdfast',
    limit: 7_600,
    packages: ['path-to-regexp'],
    modules: folders('src/schema', 'src/util', 'src/endpoint'),
  },
  {
    name: 'useSuspense',
    from: 'holdfast/react',
    limit: 1_550,
    packages: ['react'],
    modules: folders('src/react', 'src/controller', 'src/endpoint', 'src/schema', 'src/store', 'src/util'),
  },
  {
    name: 'AsyncBoundary',
    from: 'holdfast/react',
    limit: 920,
    packages: ['react', 'react/jsx-runtime'],
    modules: folders('src/react', 'src/controller', 'src/store', 'src/util'),
  },
  {
    name: 'indexedDB',
    from: 'holdfast/indexeddb',
    limit: 34_400,
    packages: ['idb'],
    modules: folders('src/schema', 'src/store', 'src/util', 'plugins/indexeddb', 'plugins/shared'),
  },
  {
    name: 'tabs',
    from: 'holdfast/tabs',
    limit: 6_750,
    packages: [],
    modules: folders('src/schema', 'src/store', 'src/util', 'plugins/tabs', 'plugins/shared'),
  },
];

describe.each(Object.entries(bundlers))('an app built with %s', (_name, bundle) => {
  it.each(alone)('a bundle that imports only $name contains only the code it needs', async (only) => {
    const { bytes, modules, packages } = await bundle(`export { ${only.name} } from '${only.from}';`);
    expect(modules.length).toBeGreaterThan(0);
    expect(modules.filter((file) => !only.modules.test(file))).toEqual([]);
    expect(packages).toEqual(only.packages);
    expect(bytes).toBeLessThanOrEqual(only.limit);
  });

  it.each(['holdfast', 'holdfast/react', 'holdfast/indexeddb', 'holdfast/outbox', 'holdfast/tabs'])(
    'a bundle that uses nothing of its import of %s contains no code of the package',
    async (entry) => {
      const { modules } = await bundle(`import * as all from '${entry}'; export const app = 1;`);
      expect(modules).toEqual([]);
    },
  );
});
