import { sendInBackground } from './data/sendInBackground.ts';
import { api } from './model/api.ts';

/*
 * Keeps the app shell on the device: the page and what it is built of come from here, so that they are there without
 * any server. And when the browser says that there is a network again, it sends what waits in the outbox while no page is
 * seen.
 */

/** Inserted by the build (vite.worker.config.ts). */
declare const SHELL_VERSION: string;
declare const SHELL_FILES: readonly string[];

/** The members of a service worker's scope that are used here; the types for pages lack them. */
interface WorkerScope extends EventTarget {
  readonly location: Location;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(of: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
  };
  skipWaiting(): Promise<void>;
}
interface Page {
  readonly visibilityState: 'visible' | 'hidden';
}
interface LifeEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface SyncEvent extends LifeEvent {
  readonly tag: string;
}
interface RequestEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as WorkerScope;
const prefix = 'shell ';
// The server's address is part of the page, so that a page for another address is another version.
const cacheName = `${prefix}${SHELL_VERSION} ${api}`;
const page = '/index.html';

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(SHELL_FILES.map((file) => new Request(file, { cache: 'reload' })));
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request.mode === 'navigate' ? page : request, { ignoreVary: true });
  return kept ?? fetch(request);
}

/**
 * A visible page sends mutations itself, unless the inspector simulates offline: then its worker must not bypass
 * that.
 *
 * @throws Error if mutations are still queued, so that the browser retries later
 */
async function send(tag: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.some(({ visibilityState }) => visibilityState === 'visible'))
    throw new Error('What waits is sent by the page.');
  await sendInBackground(tag);
}

worker.addEventListener('install', (event) => {
  (event as LifeEvent).waitUntil(install());
});

worker.addEventListener('activate', (event) => {
  (event as LifeEvent).waitUntil(activate());
});

worker.addEventListener('message', (event) => {
  if ((event as MessageEvent<unknown>).data === 'activate') void worker.skipWaiting();
});

worker.addEventListener('sync', (event) => {
  (event as LifeEvent).waitUntil(send((event as SyncEvent).tag));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event as RequestEvent;
  // The REST server has another origin: its requests go to the network as if there were no worker.
  if (request.method !== 'GET' || new URL(request.url).origin !== worker.location.origin) return;
  (event as RequestEvent).respondWith(answer(request));
});
