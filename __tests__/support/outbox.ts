import 'fake-indexeddb/auto';
import { afterEach, beforeEach } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import {
  Controller,
  createResource,
  Entity,
  NetworkError,
  RestEndpoint,
  type Environment,
  type HoldfastError,
  type Plugin,
  type RestEndpointOptions,
  type Schedule,
} from 'holdfast';
import type { OutboxOptions, OutboxPlugin } from 'holdfast/outbox';
import type { Storage } from '../../plugins/indexeddb/storage/Storage.ts';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { OutboxPluginImpl, type OutboxPluginDeps } from '../../plugins/outbox/outbox.ts';

export class Note extends Entity {
  id: number | string = 0;
  text = '';
  about: number | string = 0;
  static override key = 'Note';
}

/** One request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly headers: Headers;
}

/** What a request meets on its way: nothing, no connection, a lost answer, or an answer of the server's instead. */
export type Weather = 'fine' | 'down' | 'lost' | 'never' | 'portal' | number | Response;

/** A small server of notes that honours idempotency keys. It runs beside the pages, so it outlives them. */
export class Server {
  readonly notes = new Map<string, { id: number; text: string; about?: unknown }>();
  /** Every request that has reached it. */
  readonly seen: Seen[] = [];
  /** What it has done, once each. */
  readonly done: string[] = [];
  /** Whether a note has the pk that it was sent with. */
  keepsPks = false;
  /** What each request meets. */
  weather: (seen: Seen) => Weather | Promise<Weather> = () => 'fine';
  readonly #answers = new Map<string, Response>();
  #lastId = 0;

  readonly respond = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const path = url.replace('https://example.com', '');
    const seen: Seen = {
      method: init.method ?? 'GET',
      path,
      body,
      key: headers.get('Idempotency-Key'),
      headers,
    };
    const weather = await this.weather(seen);
    if (weather === 'down') throw this.#noConnection(seen);
    if (weather === 'never') return new Promise(() => undefined);
    if (weather === 'portal') throw this.#portal(seen);
    this.seen.push(seen);
    if (typeof weather === 'object') throw await this.#refusal(seen, weather);
    if (typeof weather === 'number') throw await this.#refusal(seen, new Response(null, { status: weather }));
    const known = seen.key === null ? undefined : this.#answers.get(seen.key);
    const response = known ?? this.#handle(seen);
    if (seen.key !== null) this.#answers.set(seen.key, response);
    if (weather === 'lost') throw this.#noConnection(seen);
    if (!response.ok) throw await this.#refusal(seen, response);
    return response.clone();
  };

  #handle({ method, path, body }: Seen): Response {
    const [, , id] = path.split('?')[0]!.split('/');
    const fields = body as { text: string; id?: number };
    if (method === 'GET')
      return id === undefined
        ? Response.json([...this.notes.values()])
        : this.notes.has(id)
          ? Response.json(this.notes.get(id))
          : new Response(null, { status: 404 });
    if (method === 'POST') {
      this.#lastId += 1;
      const id = (this.keepsPks ? fields.id : undefined) ?? this.#lastId;
      const note = { ...fields, id };
      this.notes.set(String(note.id), note);
      this.done.push(`create ${note.text}`);
      return Response.json(note);
    }
    const note = this.notes.get(id!);
    if (note === undefined) return new Response(null, { status: 404 });
    if (method === 'DELETE') {
      this.notes.delete(id!);
      this.done.push(`delete ${note.text}`);
      return Response.json({ id: note.id });
    }
    Object.assign(note, fields, { id: note.id });
    this.done.push(`edit ${note.text}`);
    return Response.json(note);
  }

  #noConnection({ method, path }: Seen): NetworkError {
    return new NetworkError('No connection', { status: 0, url: path, method });
  }

  /** A page of the network's own, in place of the server. */
  #portal({ method, path }: Seen): NetworkError {
    const response = new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
    return new NetworkError('A page', { status: 0, url: path, method, response, isFromApi: false });
  }

  async #refusal({ method, path }: Seen, response: Response): Promise<NetworkError> {
    const { status } = response;
    const text = await response.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return new NetworkError(`Status ${status}`, { status, url: path, method, response, body });
  }
}

/** A device that the test takes online and offline, with timers that the test advances. */
export class Device implements Environment {
  isVisible = true;
  now = 1_750_000_000_000;
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();
  #isOnline = true;

  get isOnline(): boolean {
    return this.#isOnline;
  }

  set isOnline(isOnline: boolean) {
    this.#isOnline = isOnline;
    for (const listener of [...this.#listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  readonly schedule = (run: () => void, delay: number): (() => void) => {
    const timer = { at: this.now + delay, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** When the next timer is due, in ms from now; undefined where there is none. */
  get next(): number | undefined {
    const times = [...this.#timers].map(({ at }) => at - this.now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Lets time pass, in ms. */
  pass(time: number): void {
    this.now += time;
    for (const timer of [...this.#timers])
      if (timer.at <= this.now && this.#timers.delete(timer)) timer.run();
  }
}

/** The endpoints of one page: a reload creates new ones. */
export function endpointsOf(server: Pick<Server, 'respond'>, isOptimistic = true) {
  class Asking<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.respond(url, init);
    }
  }
  return createResource({
    urlPrefix: 'https://example.com',
    path: '/notes/:id',
    schema: Note,
    optimistic: isOptimistic,
    dataExpiryLength: Infinity,
    Endpoint: Asking,
  });
}

/** A page: a controller and all that goes with it. */
export interface Page {
  readonly controller: Controller;
  readonly box: OutboxPlugin;
  readonly notes: ReturnType<typeof endpointsOf>;
  readonly errors: HoldfastError[];
  /** The texts in the list, as shown. */
  readonly texts: () => (string | undefined)[] | undefined;
  leave(): Promise<void>;
}

const pages: Page[] = [];

export interface PageOptions extends Partial<OutboxOptions> {
  /** Whether entries lie with the rows. Default: true. */
  readonly withStorage?: boolean;
  /** Whether mutations are shown at once. Default: true. */
  readonly isOptimistic?: boolean;
  readonly more?: readonly Plugin[];
  readonly parts?: OutboxPluginDeps;
  /** Of the storage plugin, where it is not its own. */
  readonly storage?: Storage;
  /** Where it is not the device's. */
  readonly schedule?: Schedule;
}

/** Makes a page; `controller.ready` resolves when it has started. */
export function makePage(server: Pick<Server, 'respond'>, device: Device, options: PageOptions = {}): Page {
  const {
    withStorage = true,
    isOptimistic,
    more = [],
    parts,
    storage,
    schedule = device.schedule,
    ...rest
  } = options;
  const notes = endpointsOf(server, isOptimistic);
  const errors: HoldfastError[] = [];
  const onError = (error: HoldfastError): void => void errors.push(error);
  const box = new OutboxPluginImpl({ endpoints: [notes], random: () => 0.5, onError, ...rest }, parts);
  const disk = (): Plugin =>
    new IndexedDBPluginImpl({ name: 'app', onError }, storage === undefined ? {} : { storage });
  const controller = new Controller({
    plugins: [...(withStorage ? [disk()] : []), box, ...more],
    environment: device,
    schedule,
    now: () => device.now,
  });
  const page: Page = {
    controller,
    box,
    notes,
    errors,
    texts: () => controller.getResponse(notes.getList).data?.map(({ text }) => text),
    leave: () => controller.stop(),
  };
  return page;
}

/** Opens a page that the test leaves at its end. */
export async function openPage(
  server: Pick<Server, 'respond'>,
  device: Device,
  options: PageOptions = {},
): Promise<Page> {
  const page = makePage(server, device, options);
  pages.push(page);
  await page.controller.ready;
  return page;
}

/** A database of its own for each test, and nothing left running after it. */
export function freshDatabases(): void {
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
  });
  afterEach(async () => {
    await Promise.allSettled(pages.splice(0).map((page) => page.leave()));
  });
}

/** Entries that have not been sent, by their endpoint. */
export function pending({ box }: Page): string[] {
  return box.status.get().pending.map(({ name }) => name);
}
