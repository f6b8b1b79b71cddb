/* Keeps the page and what it is built of on the device, so that they open without any server. */

const files = [/* files */]; // written in by the build, see ../vite.config.mjs
const cacheName = 'shell development';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  // The API is of another origin: its requests go to the network as if there were no worker.
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const kept = caches.match(request.mode === 'navigate' ? '/' : request, { ignoreVary: true });
  event.respondWith(kept.then((response) => response ?? fetch(request)));
});
