import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

/** @import { ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

/** The address that the build writes into the page and the service worker. */
const builtFor = 'http://localhost:8081';

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/**
 * Serves the built app.
 *
 * @param {object} options
 * @param {string} options.root folder of the build
 * @param {number} [options.port] 0 for any free one
 * @param {string} [options.api] address of the REST server. It is written into the page and into the service worker;
 *   a worker of other bytes is a new version to the browser, so that a moved server also reaches the cached shell.
 * @returns {Promise<{ url: string, port: number, close(): Promise<void> }>}
 */
export async function startStatic({ root, port = 0, api = builtFor }) {
  const server = createServer((request, response) => {
    serve(request.method ?? 'GET', request.url ?? '/', response).catch((error) => {
      console.error(error);
      if (!response.headersSent) plain(response, 500, 'Something went wrong.');
      else response.destroy();
    });
  });

  /**
   * @param {string} method
   * @param {string} url
   * @param {ServerResponse} response
   */
  async function serve(method, url, response) {
    if (method !== 'GET' && method !== 'HEAD')
      return plain(response, 405, 'Only GET and HEAD.', { Allow: 'GET, HEAD' });
    const path = toPath(url);
    if (path === undefined) return plain(response, 400, 'The address is not well-formed.');
    const found = await fileAt(join(root, path));
    // Addresses of screens have no file: the app itself shows what belongs there, or that nothing does.
    const file = found ?? (extname(path) === '' ? await fileAt(join(root, 'index.html')) : undefined);
    if (!file) return plain(response, 404, 'Not found.');

    const name = file.slice(normalize(root).length).split(sep).join('/');
    const headers = {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      // Names under assets/ carry a hash of what is in them.
      'Cache-Control': /^\/?assets\//.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...(name.endsWith('sw.js') && { 'Service-Worker-Allowed': '/' }),
    };
    if (method === 'HEAD') return void response.writeHead(200, headers).end();
    if (api !== builtFor && (name.endsWith('index.html') || name.endsWith('sw.js'))) {
      const text = await readFile(file, 'utf8');
      return void response.writeHead(200, headers).end(text.replaceAll(builtFor, api));
    }
    response.writeHead(200, headers);
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  }

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () => resolve(undefined));
  });
  const actual = /** @type {AddressInfo} */ (server.address()).port;
  return {
    url: `http://localhost:${actual}`,
    port: actual,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * @param {string} url
 * @returns {string | undefined} a path that cannot leave the folder
 */
function toPath(url) {
  try {
    const decoded = decodeURIComponent(new URL(url, builtFor).pathname);
    return decoded.includes('\0') ? undefined : normalize(decoded);
  } catch {
    return undefined;
  }
}

/** @param {string} path */
async function fileAt(path) {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return fileAt(join(path, 'index.html'));
  return found?.isFile() ? path : undefined;
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {string} text
 * @param {Record<string, string>} [headers]
 */
function plain(response, status, text, headers) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(text);
}
