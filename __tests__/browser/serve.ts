import { build as esbuild } from '../support/esbuild.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const root = path.join(__dirname, '../..');

export interface Site {
  /** Such as `http://localhost:41234`. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves one page for each script: `/NAME` is an empty page that runs the TypeScript file `scripts[NAME]` as a
 * module, bundled with the library's sources; `/NAME.js` is the script alone, for workers. The icon
 * is empty: a browser may ask for it at any time. Any other request goes to `answer`, the scenario's REST server.
 */
export async function serve(
  scripts: Readonly<Record<string, string>>,
  answer: (request: IncomingMessage, response: ServerResponse) => void = notFound,
): Promise<Site> {
  const code = new Map<string, string>();
  for (const [name, file] of Object.entries(scripts)) code.set(`/${name}.js`, await bundle(file));

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const script = code.get(pathname);
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
    } else if (code.has(`${pathname}.js`)) {
      const page = `<!doctype html><meta charset="utf-8"><title>test</title><div id="root"></div>`;
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`${page}<script type="module" src="${pathname}.js"></script>`);
    } else if (pathname === '/favicon.ico') {
      response.writeHead(204).end();
    } else {
      answer(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

/** By file: a test file may serve the same pages for each of its tests. */
const bundles = new Map<string, Promise<string>>();

function bundle(file: string): Promise<string> {
  let found = bundles.get(file);
  if (found === undefined) bundles.set(file, (found = build(file)));
  return found;
}

async function build(file: string): Promise<string> {
  const { outputFiles } = await esbuild({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    // tsconfig.json's paths lead `holdfast` to the sources.
    tsconfig: path.join(root, 'tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"development"' },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
