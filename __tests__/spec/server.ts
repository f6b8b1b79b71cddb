import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';

/** What the seed writes as {base_url}. */
export const baseUrl = 'https://rest.example.com';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  /** The JSON of its body; undefined when it had none. */
  readonly body: unknown;
}

type Answer = (request: Received) => Response;

/** A REST server of a test file: it sends the responses that a test has set, otherwise 404. */
export interface RestServer {
  /** Every request so far, as `GET /articles/1`. */
  readonly asked: readonly string[];
  readonly received: readonly Received[];
  /** Answers a request such as `GET /articles/1` with JSON from now on. */
  json(request: string, body: JsonBodyType | ((request: Received) => JsonBodyType)): void;
  /** Answers a request with any response from now on. */
  respond(request: string, answer: Answer): void;
  /** Keeps answers back, or those to requests of one method, until the returned function is called. */
  hold(method?: string): () => void;
}

/** Starts a server for the tests of a file; each test begins with one that knows nothing. */
export function startServer(): RestServer {
  const answers = new Map<string, Answer>();
  const received: Received[] = [];
  const asked: string[] = [];
  let held: Promise<void> | undefined;
  let heldMethod: string | undefined;
  let release = (): void => undefined;

  const msw = setupServer(
    http.all(`${baseUrl}/*`, async ({ request }) => {
      const text = await request.text();
      const path = request.url.slice(baseUrl.length);
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const one: Received = { method: request.method, path, headers: request.headers, body };
      received.push(one);
      asked.push(`${one.method} ${path}`);
      if (heldMethod === undefined || heldMethod === one.method) await held;
      const answer = answers.get(`${one.method} ${path}`);
      return answer === undefined ? HttpResponse.json({ unknown: path }, { status: 404 }) : answer(one);
    }),
  );
  beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => {
    release();
    held = undefined;
    answers.clear();
    received.length = 0;
    asked.length = 0;
  });
  afterAll(() => msw.close());

  return {
    asked,
    received,
    json(request, body) {
      answers.set(request, (one) => HttpResponse.json(body instanceof Function ? body(one) : body));
    },
    respond(request, answer) {
      answers.set(request, answer);
    },
    hold(method) {
      heldMethod = method;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}
