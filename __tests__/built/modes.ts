/** Apps that use the packed library, as bundlers deliver them to users (`production`) and to developers (`development`). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from '../support/esbuild.ts';
import { runWebpack } from './bundlers.ts';
import { consumer, root } from './consumer.ts';

export type Mode = 'production' | 'development';

/** All code of an app in one text, without that of its dependencies where the bundler can leave them out. */
export type BuildApp = (mode: Mode, source: string) => Promise<string>;

const DEPENDENCIES = /^(?:react|react-dom|immer|idb|path-to-regexp)(?:\/|$)/;

export const withEsbuild: BuildApp = async (mode, source) => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: consumer },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // That of the repository would take `holdfast` for its sources.
    tsconfigRaw: {},
    minifySyntax: true,
    charset: 'utf8',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    external: ['react', 'react-dom', 'immer', 'idb', 'path-to-regexp'],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

/** With its defaults for the mode, which are terser and constants for `production`. */
export const withWebpack: BuildApp = async (mode, source) => {
  const settings = { mode, externals: DEPENDENCIES, devtool: false as const };
  const [code = ''] = await runWebpack([source], settings, (_stats, files) =>
    Promise.resolve(files.join('\n')),
  );
  return code;
};

/** Vite is an ES module that Jest cannot load. Its program prints the code of the app. */
const vite = {
  production: (app: string, folder: string): string => `
    import { build } from 'vite';
    const { output } = await build({
      configFile: false,
      root: process.cwd(),
      logLevel: 'error',
      plugins: [${app}],
      build: {
        outDir: ${folder},
        write: false,
        rolldownOptions: {
          input: '/app.js',
          // An app has no exports; here they are what is used of the package.
          preserveEntrySignatures: 'strict',
          external: ${String(DEPENDENCIES)},
        },
      },
    });
    console.log(JSON.stringify(output.map(({ code }) => code).join('\\n')));`,
  // What a page gets from its server: the package in the bundles that the server makes of dependencies.
  development: (app: string, folder: string): string => `
    import { createServer } from 'vite';
    const server = await createServer({
      configFile: false,
      root: process.cwd(),
      logLevel: 'error',
      cacheDir: ${folder},
      plugins: [${app}],
      server: { port: 0, hmr: false },
      optimizeDeps: { include: ['', '/react', '/indexeddb', '/outbox', '/tabs'].map((name) => 'holdfast' + name) },
    });
    await server.listen();
    const loaded = new Map();
    async function load(url) {
      if (loaded.has(url)) return;
      loaded.set(url, '');
      const code = await (await fetch(url)).text();
      loaded.set(url, code);
      for (const [, file] of code.matchAll(/(?:from|import)\\s*"([./][^"]*)"/g)) await load(new URL(file, url).href);
    }
    await load('http://localhost:' + server.httpServer.address().port + '/app.js');
    await server.close();
    console.log(JSON.stringify([...loaded.values()].join('\\n')));`,
};

export const withVite: BuildApp = (mode, source) => {
  const folder = mkdtempSync(path.join(root, '.tmp/vite-'));
  const app = `{
    name: 'app',
    resolveId: (id) => (id === '/app.js' ? id : null),
    load: (id) => (id === '/app.js' ? ${JSON.stringify(source)} : null),
  }`;
  try {
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '--eval', vite[mode](app, JSON.stringify(folder))],
      {
        cwd: consumer,
        encoding: 'utf8',
        maxBuffer: 100_000_000,
        env: { ...process.env, NODE_ENV: mode, NODE_OPTIONS: '' },
      },
    );
    return Promise.resolve(JSON.parse(output) as string); // the program prints one text
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
