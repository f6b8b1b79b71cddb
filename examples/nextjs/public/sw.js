// Caches pages and scripts for offline use. The data is in IndexedDB.
const CACHE = 'pages';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(self.clients.claim()),
);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromNetwork(event));
  else if (pathname.startsWith('/_next/static/'))
    event.respondWith(fromCache(event));
});

/** Files whose names change with their content. */
async function fromCache(event) {
  return (await caches.match(event.request)) ?? fromNetwork(event);
}

async function fromNetwork(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(keep(request, response.clone()));
    return response;
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function keep(request, response) {
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
}
