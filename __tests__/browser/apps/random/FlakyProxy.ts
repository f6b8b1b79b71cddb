import {
  createServer,
  request as sendOn,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export const WEATHERS = ['fine', 'down', 'lost responses', 'unavailable', 'busy', 'slow'] as const;

/**
 * How a proxy treats requests:
 *
 * - `down`: no connection
 * - `lost responses`: the server carries a request out, and the connection ends before the response
 * - `unavailable`, `busy`: 503 or 429, also to preflight requests
 */
export type Weather = (typeof WEATHERS)[number];

/** A proxy between browsers and a server, whose weather changes. */
export class FlakyProxy {
  weather: Weather = 'fine';
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
  }

  /** @param target - the address of the server */
  static async open(target: string): Promise<FlakyProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
    const proxy = new FlakyProxy(server);
    server.on('request', (request, response) => void proxy.#pass(target, request, response));
    return proxy;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { weather } = this;
    const drop = (): void => void request.socket.destroy();
    if (weather === 'down') {
      drop();
      return;
    }
    if (weather === 'unavailable' || weather === 'busy') {
      const headers = { 'Access-Control-Allow-Origin': request.headers.origin ?? '*' };
      response.writeHead(weather === 'busy' ? 429 : 503, headers).end('<html>');
      return;
    }
    if (weather === 'slow') await pause(300);
    const { method, headers } = request;
    const passed = sendOn(new URL(request.url ?? '/', target), { method, headers }, (answer) => {
      if (weather === 'lost responses') answer.resume().on('end', drop);
      else answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    });
    passed.on('error', drop).end(body);
  }
}
