import { build } from 'esbuild';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, parse } from 'node:path';

const here = import.meta.dirname;

/** The libraries that a folder has adapters of: the floor first, then ours, the others by name. */
export function libraryNames(folder) {
  const names = readdirSync(folder).map((file) => parse(file).name);
  const isOurs = (name) => name.startsWith('holdfast');
  const place = (name) => (name === 'floor' ? 0 : isOurs(name) ? 1 : 2);
  return names.sort((left, right) => place(left) - place(right) || (left < right ? -1 : 1));
}

/**
 * A page's script, bundled as an app would: in production mode, development checks left out.
 *
 * @param {string} entry - path of its module
 * @param {Readonly<Record<string, string>>} [alias] - what some imports stand for
 * @returns {Promise<string>}
 */
export async function bundle(entry, alias = {}) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minifySyntax: true,
    jsx: 'automatic',
    alias,
    // Its paths lead `holdfast` to the sources.
    tsconfig: join(here, '../../tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/**
 * Serves pages that are empty but for a script.
 *
 * @param {Readonly<Record<string, string>>} scripts - by the page's name: that of `bench` is at `/bench`
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function servePages(scripts) {
  const files = new Map(Object.entries(scripts).map(([name, script]) => [`/${name}.js`, script]));
  const server = createServer(({ url }, response) => {
    // Isolated pages have a clock of 5 µs; others of 100.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    const script = files.get(url);
    if (script !== undefined)
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
    else if (files.has(`${url}.js`))
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`<!doctype html><meta charset="utf-8"><body><script type="module" src="${url}.js"></script>`);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
