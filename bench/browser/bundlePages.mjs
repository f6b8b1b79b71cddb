import { build } from 'esbuild';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';

const here = import.meta.dirname;

/** The libraries there are: the floor first, then ours, the others by name. */
export function libraryNames() {
  const names = readdirSync(join(here, 'adapters')).map((file) => file.replace('.mjs', ''));
  const first = ['floor', 'holdfast'];
  return [...first, ...names.filter((name) => !first.includes(name)).sort()];
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
    alias,
    // Its paths lead `holdfast` to the sources.
    tsconfig: join(here, '../../tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** Serves `/NAME`, an empty page that runs the library of that name. */
export async function servePages(names) {
  const scripts = new Map();
  for (const name of names)
    scripts.set(
      `/${name}.js`,
      await bundle(join(here, 'page.mjs'), { adapter: join(here, 'adapters', `${name}.mjs`) }),
    );
  return serve(scripts);
}

/** Serves `/NAME`, an empty page that runs one module. */
export async function servePage(name, entry) {
  return serve(new Map([[`/${name}.js`, await bundle(entry)]]));
}

/** @param {ReadonlyMap<string, string>} scripts - by path */
async function serve(scripts) {
  const server = createServer(({ url }, response) => {
    const script = scripts.get(url);
    if (script !== undefined)
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
    else if (scripts.has(`${url}.js`))
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`<!doctype html><meta charset="utf-8"><script type="module" src="${url}.js"></script>`);
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
