import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { http, HttpResponse } from 'msw';
import { setupServer, type SetupServer } from 'msw/node';

export const prefix = 'https://api.example.com';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly mode: RequestMode;
  readonly text: string;
}

/** Starts a server for the tests of a file; a request without a handler fails. */
export function startServer(): SetupServer {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return server;
}

/** Answers every request with `respond`, and records what arrived. */
export function answer(
  server: SetupServer,
  respond: (received: Received) => Response | Promise<Response> = () => HttpResponse.json({}),
): Received[] {
  const received: Received[] = [];
  server.use(
    http.all(`${prefix}/*`, async ({ request }) => {
      const { method, url, headers, mode } = request;
      const one = { method, url, headers, mode, text: await request.text() };
      received.push(one);
      return respond(one);
    }),
  );
  return received;
}
