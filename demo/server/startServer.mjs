import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { corsHeaders } from './cors.mjs';
import { Database } from './Database.mjs';
import { findRoute } from './findRoute.mjs';
import { HttpError } from './HttpError.mjs';
import { createOnce } from './idempotency.mjs';
import { lockData } from './lockData.mjs';
import { readBody } from './readBody.mjs';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Answer } from './types.js' */

/**
 * @typedef {object} Logged
 * @property {string} method
 * @property {string} path
 * @property {string | undefined} key its Idempotency-Key
 * @property {number} status
 * @property {boolean} replayed whether it had been carried out before, under the same key
 * @property {unknown} body that was sent
 */

/**
 * @typedef {object} Options
 * @property {number} [port] 0 for any free one
 * @property {string} dataFile made, with seeded data, where there is none
 * @property {number} [latency] milliseconds before each answer
 * @property {readonly string[]} [origins] that may call besides those of this machine
 * @property {number} [bodyLimit] bytes
 * @property {(line: Logged) => void} [log] called with each request that may change something, after it has been carried out
 */

/**
 * Starts the tracker's REST server.
 *
 * @param {Options} options
 * @returns {Promise<{ url: string, port: number, close(): Promise<void> }>} `close` writes what is not written yet
 * @throws Error if another server uses the data file, or the port
 */
export async function startServer({
  port = 0,
  dataFile,
  latency = 0,
  origins = [],
  bodyLimit = 256 * 1024,
  log = () => undefined,
}) {
  const unlock = await lockData(dataFile);
  const database = await Database.open(dataFile, Date.now()).catch(async (error) => {
    await unlock();
    throw error;
  });
  const once = createOnce(database);

  const server = createServer((request, response) => {
    const cors = corsHeaders(request, origins);
    answer(request)
      .catch(toAnswer)
      .then(async ({ status, body, headers }) => {
        if (latency > 0) await wait(latency);
        send(request, response, { status, body, headers: { ...cors, ...headers } });
      })
      .catch((error) => {
        console.error(error);
        response.destroy();
      });
  });
  // Half-sent requests must not hold the server open.
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.on('clientError', (_error, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });

  /**
   * @param {IncomingMessage} request
   * @returns {Promise<Answer>}
   */
  async function answer(request) {
    const { method = 'GET', url = '/' } = request;
    if (method === 'OPTIONS') return { status: 204 };
    const { pathname, searchParams: search } = parse(url);
    const { handler, params } = findRoute(method, pathname);
    /** @type {unknown} */
    let sent;
    const carryOut = () =>
      handler({
        database,
        params,
        search,
        body: async () => {
          const read = await readBody(request, bodyLimit);
          sent = read;
          return read;
        },
      });
    if (method === 'GET' || method === 'HEAD') return carryOut();
    const key = request.headers['idempotency-key']?.toString();
    const given = await once(key, carryOut).catch(toAnswer);
    const replayed = given.headers?.['Idempotency-Replayed'] !== undefined;
    log({ method, path: pathname, key, status: given.status, replayed, body: sent });
    return given;
  }

  await new Promise((resolve, reject) => {
    server.once('error', (error) => void unlock().then(() => reject(error)));
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
      await database.flush();
      await unlock();
    },
  };
}

/** @param {string} url */
function parse(url) {
  try {
    // A path such as “//x” is not an address of another host here.
    return new URL(`http://localhost${url.startsWith('/') ? url : `/${url}`}`);
  } catch {
    throw new HttpError(400, 'The address is not well-formed.');
  }
}

/**
 * @param {unknown} error
 * @returns {Answer}
 */
function toAnswer(error) {
  if (error instanceof HttpError) {
    return { status: error.status, body: error.body, ...(error.headers && { headers: error.headers }) };
  }
  console.error(error);
  return { status: 500, body: new HttpError(500, 'Something went wrong on the server.').body };
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {Answer} answer
 */
function send(request, response, { status, body, headers }) {
  if (response.destroyed) return;
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'Cache-Control': 'no-store',
    ...(body !== undefined && {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
