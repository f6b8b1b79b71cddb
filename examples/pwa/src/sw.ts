import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { box } from './controller';

// Background Sync is not in the types of TypeScript's WebWorker library.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: (string | { url: string; revision: string | null })[];
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
};

void self.skipWaiting();
self.addEventListener('activate', (event) =>
  event.waitUntil(self.clients.claim()),
);

// The app's files come from the cache; its data is in IndexedDB.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), {
    denylist: [/^\/api\//],
  }),
);

self.addEventListener('sync', (event) => {
  if (event.tag !== box.syncTag) return;
  const sent = box.drain();
  event.waitUntil(
    sent.then((all) => all || Promise.reject(new Error('Later'))),
  );
});
