import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from './ApiError.mjs';
import { Database } from './Database.mjs';
import { findRoute } from './routes.mjs';
import { defaults, faultOf } from './settings.mjs';
import { Tokens } from './Tokens.mjs';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Answer } from './routes.mjs' */
/** @import { Settings } from './settings.mjs' */

/** The path that every route of the API begins with. */
const prefix = '/api';

const portalPage = '<!doctype html><title>Welcome</title><h1>Sign in to the Wi-Fi of the ferry</h1>';

/**
 * A request as the log has it.
 *
 * @typedef {object} Logged
 * @property {string} method
 * @property {string} path without the prefix, with the query
 * @property {string | null} user whose token it carried, if that was valid
 * @property {string | null} key its `Idempotency-Key`
 * @property {unknown} body
 * @property {number} status 0 where there was no answer
 * @property {string} [fault] what went wrong on purpose
 * @property {boolean} [replayed] whether the answer was given to the same key before
 */

/**
 * Starts the server of the API.
 *
 * @param {{ port?: number, file?: string, log?: (line: Logged) => void } & Partial<Settings>} options
 * @returns {Promise<{ url: string, port: number, close(): Promise<void> }>}
 */
export async function startServer({ port = 0, file, log: print = () => undefined, ...own }) {
  const settings = { ...defaults, ...own };
  const database = new Database(file);
  const tokens = new Tokens(database.tokens);
  /** @type {Logged[]} */
  const log = [];

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function serve(request, response) {
    const { headers } = request;
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const url = new URL(request.url ?? '/', 'http://localhost');
    const text = await read(request);
    if (url.pathname === '/control') {
      send(response, { status: 200, body: control(method, parse(text)) }, cors(true));
      return;
    }
    if (method === 'OPTIONS') {
      // A preflight is no request of the app, so nothing goes wrong with it on purpose.
      response.writeHead(204, cors(settings.cors)).end();
      return;
    }
    const path = url.pathname.slice(prefix.length);
    const viewerOf = () => {
      const id = tokens.userOf(headers.authorization);
      return id === undefined ? undefined : database.users.find((user) => user.id === id);
    };
    const fault = faultOf(settings, method, path);
    /** @type {Logged} */
    const line = {
      method,
      path: path + url.search,
      user: attempt(viewerOf)?.username ?? null,
      key: headers['idempotency-key']?.toString() ?? null,
      body: parse(text),
      status: 0,
      ...(fault && { fault }),
    };
    log.push(line);

    const isCarriedOut = fault === undefined || fault === 'dropAfter';
    const answer = isCarriedOut ? carryOut() : refusal(fault);
    const isAnswered = fault !== 'dropBefore' && fault !== 'dropAfter' && fault !== 'hang';
    if (isAnswered) line.status = answer.status;
    print(line);
    if (fault === 'hang') return;
    if (settings.latency > 0) await wait(settings.latency);
    if (!isAnswered) response.destroy();
    else if (fault === 'portal')
      response.writeHead(200, { 'Content-Type': 'text/html', ...cors(true) }).end(portalPage);
    else send(response, answer, cors(settings.cors));

    /** @returns {Answer} */
    function carryOut() {
      const key = settings.idempotency && line.key !== null ? `${line.user} ${line.key}` : undefined;
      const before = key === undefined ? undefined : database.answers[key];
      if (before !== undefined) {
        line.replayed = true;
        return before;
      }
      try {
        if (!url.pathname.startsWith(`${prefix}/`)) throw new ApiError(404, { route: ['not found'] });
        const { handle, params } = findRoute(method, path);
        const given = handle({
          database,
          params,
          search: url.searchParams,
          body: Object(line.body),
          viewer: viewerOf(),
          listsBodies: settings.listBodies,
          issue: (user) => tokens.issue(user.id, settings.tokenLifetime),
        });
        if (method !== 'GET') {
          // What is refused changed nothing and may be sent again.
          if (key !== undefined) database.answers[key] = { status: given.status, body: given.body };
          database.save();
        }
        return given;
      } catch (error) {
        if (error instanceof ApiError) return { status: error.status, body: { errors: error.errors } };
        console.error(error);
        return { status: 500, body: { errors: { server: ['has a defect'] } } };
      }
    }
  }

  /**
   * What tests and curious people change and look at while it runs.
   *
   * @param {string} method
   * @param {any} body
   */
  function control(method, body) {
    if (method === 'PATCH') {
      const { expireTokens, clearLog, ...changes } = body;
      Object.assign(settings, changes);
      if (expireTokens) {
        tokens.expireAll();
        database.save();
      }
      if (clearLog) log.length = 0;
    }
    return { settings, log };
  }

  /** @param {boolean} isAllowed */
  function cors(isAllowed) {
    if (!isAllowed) return {};
    return {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, PATCH',
      'Access-Control-Allow-Headers': settings.corsHeaders,
      // Browsers would remember what is not true any more once a setting has changed.
      'Access-Control-Max-Age': '0',
    };
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () => resolve(undefined));
  });
  const actual = /** @type {AddressInfo} */ (server.address()).port;
  return {
    url: `http://localhost:${actual}${prefix}`,
    port: actual,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @param {string} fault @returns {Answer} */
function refusal(fault) {
  return fault === 'error'
    ? { status: 503, body: { errors: { server: ['is overloaded'] } } }
    : { status: 200 };
}

/** @param {IncomingMessage} request */
async function read(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  return text === '' ? undefined : attempt(() => JSON.parse(text));
}

/**
 * @template T
 * @param {() => T} run
 * @returns {T | undefined} undefined where it throws
 */
function attempt(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/**
 * @param {ServerResponse} response
 * @param {Answer} answer
 * @param {Record<string, string>} headers
 */
function send(response, { status, body }, headers) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'Cache-Control': 'no-store',
    ...(text !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
  });
  response.end(text);
}
