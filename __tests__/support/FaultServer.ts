import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * What a request meets in place of its answer:
 *
 * - `hang`: no answer, ever
 * - `page`: HTML of a captive portal, with this status
 * - `redirect`: a 303 to a login page, which is HTML with status 200
 * - `status`: an answer of the API without a body; `after` is its `Retry-After`
 * - `empty`: a 204, after it was carried out
 * - `dropBefore`, `dropAfter`: the connection ends before, or after, it was carried out
 */
export type Fault =
  | { readonly kind: 'hang' | 'redirect' | 'empty' | 'dropBefore' | 'dropAfter' }
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'status'; readonly status: number; readonly after?: string };

/** A note as the server has it. */
interface Note {
  readonly id: string;
  readonly text: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

const PAGE = '<!doctype html><title>Sign in</title><form action="/login">Sign in to this network</form>';
const NOT_FOUND: Answer = { status: 404, body: { error: 'not found' } };

/** An HTTP server of notes at `/notes`, which remembers idempotency keys and misbehaves as a test requires. */
export class FaultServer {
  readonly notes = new Map<string, Note>();
  /** The mutations that were carried out, once each. */
  readonly done: string[] = [];
  /** What reached it: method, and status where it was answered. */
  readonly seen: string[] = [];
  /** What the next reads meet, one each; undefined for nothing. */
  reads: (Fault | undefined)[] = [];
  /** What the next mutations meet, one each; undefined for nothing. */
  mutations: (Fault | undefined)[] = [];
  /** How many requests wait for an answer that never comes. */
  hanging = 0;
  /** The token that mutations need; undefined where none is needed. */
  token: string | undefined;
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** @returns its origin */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await text(request);
    if (url === '/login') {
      page(response, 200);
      return;
    }
    // The outbox checks whether the server responds.
    if (method === 'HEAD') {
      response.end();
      return;
    }
    const fault = (method === 'GET' ? this.reads : this.mutations).shift();
    this.seen.push(`${method} ${fault?.kind ?? ''}`.trim());
    const isCarriedOut = fault === undefined || fault.kind === 'empty' || fault.kind === 'dropAfter';
    const isKnown = method === 'GET' || this.token === undefined || headers.authorization === this.token;
    const key = headers['idempotency-key']?.toString();
    let answer: Answer = { status: 401, body: { error: 'sign in' } };
    if (isCarriedOut && isKnown) answer = this.#answer(method, url, key, body);
    if (fault === undefined || !isKnown) send(response, answer);
    else this.#misbehave(fault, response);
  }

  #misbehave(fault: Fault, response: ServerResponse): void {
    switch (fault.kind) {
      case 'hang':
        this.hanging += 1;
        response.on('close', () => (this.hanging -= 1));
        break;
      case 'page':
        page(response, fault.status);
        break;
      case 'redirect':
        response.writeHead(303, { location: '/login' }).end();
        break;
      case 'empty':
        response.writeHead(204).end();
        break;
      case 'status':
        if (fault.after !== undefined) response.setHeader('retry-after', fault.after);
        response.writeHead(fault.status).end();
        break;
      case 'dropBefore':
      case 'dropAfter':
        response.destroy();
    }
  }

  #answer(method: string, url: string, key: string | undefined, body: string): Answer {
    const before = key === undefined ? undefined : this.#answers.get(key);
    if (before !== undefined) return before;
    const answer = this.#carryOut(method, url.split('/')[2], body);
    if (key !== undefined) this.#answers.set(key, answer);
    return answer;
  }

  #carryOut(method: string, id: string | undefined, body: string): Answer {
    if (method === 'GET' && id === undefined) return { status: 200, body: [...this.notes.values()] };
    const note = id === undefined ? undefined : this.notes.get(id);
    if (method === 'GET') return note === undefined ? NOT_FOUND : { status: 200, body: note };
    if (method === 'DELETE') {
      if (note === undefined) return NOT_FOUND;
      this.notes.delete(note.id);
      this.done.push(`delete ${note.text}`);
      return { status: 200, body: { id: note.id } };
    }
    if (method !== 'POST' && note === undefined) return NOT_FOUND;
    const given = JSON.parse(body) as { readonly text: string }; // what the endpoints of the tests send
    const written: Note = { ...given, id: note?.id ?? String(this.#answers.size + 1) };
    this.notes.set(written.id, written);
    this.done.push(`${method === 'POST' ? 'create' : 'edit'} ${written.text}`);
    return { status: 200, body: written };
  }
}

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
