import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Network } from '../tabs/network.ts';
import { URL_PREFIX } from './models.ts';

/** A request as the server gets it. */
export interface Received {
  readonly url: URL;
  readonly headers: Headers;
  /** The parsed JSON body; undefined where there is none. */
  readonly body: unknown;
}

/** What a route answers: JSON, a whole `Response`, or a function that makes either of the request. */
type Answer = unknown;

/** Answers by `METHOD /path?query`, or by `METHOD /path` for any query. */
export type Routes = Readonly<Record<string, Answer>>;

/** What a row may use beside its controller. */
export interface World {
  /** Every request so far, as `METHOD /path?query`. */
  readonly requests: string[];
  /** The body of each request, in the same order. */
  readonly bodies: unknown[];
  /** Lets time pass, in ms. */
  advance(ms: number): void;
  /** Replaces some of the routes. */
  serve(routes: Routes): void;
  /** Like `serve`, but they answer only once released. */
  hold(routes: Routes): void;
  /** Lets a held route answer, or all of them. */
  release(route?: string): void;
  /** Mutations that were begun and not awaited. */
  readonly running: Promise<unknown>[];
  /** Resolves when so many requests have arrived. */
  asked(count: number): Promise<void>;
}

/** One behaviour: after these calls, a read gives this value. */
export interface Row {
  /** A whole statement. */
  readonly title: string;
  /** The entry of `docs/fromDataClient.md` that says how Data Client behaves instead. */
  readonly differs?: string;
  readonly server?: Routes;
  /** What happens, in this order. What a call returns is awaited. */
  readonly calls: readonly ((controller: Controller, world: World) => unknown)[];
  readonly read: (controller: Controller, world: World) => unknown;
  /** What is compared with `expected`. Default: what was read. */
  readonly shows?: (value: never) => unknown;
  readonly expected: unknown;
  /** Why another tab, or this one after a reload, sees nothing of it: it is about requests, errors or pending mutations. */
  readonly here?: 'requests' | 'errors' | 'pending' | 'times';
}

const server = setupServer();
const controllers: Controller[] = [];
const errors: HoldfastError[] = [];
let network: Network;
let now = 0;

/** Reads each row where it happened, in a second tab, and after a reload. */
export function testRows(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    beforeAll(listen.start);
    afterAll(listen.stop);
    beforeEach(setUpWorld);
    afterEach(clearWorld);

    it.each(rows.map((row) => [row.title, row] as const))('%s', async (_, row) => {
      const { first, second, world } = await happened(row);
      check(row, first, world, 'where it happened');
      if (row.here !== undefined) return;
      await settle();
      check(row, second, world, 'in a second tab');
      await second.stop();
      check(row, await reload(first), world, 'after a reload');
    });
  });
}

/** The server that answers while tests run. */
export const listen = {
  start: (): void => server.listen({ onUnhandledRequest: 'error' }),
  stop: (): void => server.close(),
};

/** An empty disk, a channel between tabs, and a clock. */
export function setUpWorld(): void {
  globalThis.indexedDB = new IDBFactory();
  network = new Network();
  network.install();
  errors.length = 0;
  now = 1_000_000;
}

/** Ends what runs, and fails where a plugin has met an error. */
export async function clearWorld(): Promise<void> {
  await Promise.allSettled(controllers.splice(0).map((controller) => controller.stop()));
  network.restore();
  server.resetHandlers();
  expect(errors).toEqual([]);
}

/** Delivers what tabs have posted. */
export function settle(): Promise<void> {
  return network.deliver();
}

/** Two tabs, in the first of which a row has happened. */
async function happened(row: Row): Promise<{ first: Controller; second: Controller; world: World }> {
  const world = serving(row.server ?? {});
  const first = await newTab();
  const second = await newTab();
  for (const call of row.calls) {
    now += 1;
    await call(first, world);
    await settle();
  }
  return { first, second, world };
}

/** A controller on the disk and the channel that all share. */
export async function newTab(): Promise<Controller> {
  const onError = (error: HoldfastError): void => void errors.push(error);
  const controller = new Controller({
    now: () => now,
    plugins: [indexedDB({ name: 'app', persist: 'all', onError }), tabs({ name: 'app', onError })],
  });
  controllers.push(controller);
  await controller.restored;
  await settle();
  return controller;
}

/** What a page finds that is loaded in place of another. */
export async function reload(controller: Controller): Promise<Controller> {
  await controller.flush();
  await controller.stop();
  return newTab();
}

function check(row: Row, controller: Controller, world: World, where: string): void {
  const value = row.read(controller, world);
  // Data of the store is the identical value at each read.
  if (row.shows !== undefined) expect(row.read(controller, world)).toBe(value);
  const shows = row.shows as ((value: unknown) => unknown) | undefined; // given what was read
  const shown = shows === undefined ? value : shows(value);
  expect({ where, shown }).toEqual({ where, shown: row.expected });
}

/** A server with these routes. Any other request is answered by 404. */
export function serving(routes: Routes): World {
  let current = routes;
  const held = new Map<string, () => void>();
  const requests: string[] = [];
  const bodies: unknown[] = [];
  server.use(
    http.all(`${URL_PREFIX}/*`, async ({ request }) => {
      const url = new URL(request.url);
      const text = await request.text();
      const body = text === '' ? undefined : parsed(text);
      const path = `${request.method} ${url.pathname}`;
      requests.push(`${path}${url.search}`);
      bodies.push(body);
      const answer: unknown = current[`${path}${url.search}`] ?? current[path];
      const received: Received = { url, headers: request.headers, body };
      const value = await answered(answer, received);
      if (value instanceof Response) return value;
      if (value === undefined) return HttpResponse.json({ reason: 'no such route' }, { status: 404 });
      return HttpResponse.json(value as never); // any JSON
    }),
  );
  return {
    requests,
    bodies,
    running: [],
    advance: (ms) => void (now += ms),
    serve: (more) => void (current = { ...current, ...more }),
    hold(more) {
      for (const [route, answer] of Object.entries(more)) {
        const released = new Promise<void>((resolve) => held.set(route, resolve));
        current = {
          ...current,
          [route]: (received: Received) => released.then(() => answered(answer, received)),
        };
      }
    },
    release: (route) => [...held].forEach(([name, resolve]) => (route ?? name) === name && resolve()),
    async asked(count) {
      while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

function answered(answer: Answer, received: Received): unknown {
  return typeof answer === 'function' ? (answer as (received: Received) => unknown)(received) : answer; // routes are written so
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
