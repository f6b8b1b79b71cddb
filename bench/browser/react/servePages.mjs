import { build } from 'esbuild';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const here = import.meta.dirname;

/** The libraries there are: the floor first, then ours, the others by name. */
export function libraryNames() {
  const names = readdirSync(join(here, 'adapters')).map((file) => file.replace('.jsx', ''));
  const first = ['floor', 'holdfast', 'holdfastSuspense'];
  return [...first, ...names.filter((name) => !first.includes(name)).sort()];
}

/** The script of a library's page, bundled as an app would: in production mode, development checks left out. */
async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'page.mjs')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minifySyntax: true,
    jsx: 'automatic',
    alias: {
      adapter: join(here, 'adapters', `${name}.jsx`),
      // One React for the page and the library.
      react: join(here, '../../node_modules/react'),
      '@babel/runtime/helpers/jsx': join(here, 'babelJsx.mjs'),
    },
    // Its paths lead `holdfast` to the sources.
    tsconfig: join(here, '../../../tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}

/** Serves `/NAME`, a page that runs the library of that name. */
export async function servePages(names) {
  const scripts = new Map();
  for (const name of names) scripts.set(`/${name}.js`, await bundle(name));
  const server = createServer(({ url }, response) => {
    // Isolated pages have a clock of 5 µs; others of 100.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    const script = scripts.get(url);
    if (script !== undefined)
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
    else if (scripts.has(`${url}.js`))
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
