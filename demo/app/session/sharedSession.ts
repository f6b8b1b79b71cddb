/*
 * The service worker must know who is signed in, since it sends nobody else's changes. It has no localStorage, so the
 * page leaves the id in a cache of its own.
 */

const cacheName = 'session';
const address = '/session';

/** Stores the id of the signed-in person for the service worker, or deletes it. */
export async function shareSession(person: string | undefined): Promise<void> {
  if (!('caches' in globalThis)) return;
  try {
    const cache = await caches.open(cacheName);
    if (person === undefined) await cache.delete(address);
    else await cache.put(address, new Response(person));
  } catch {
    // Without a cache there is no service worker that needs it.
  }
}

/** The id of the signed-in person, in the service worker. */
export async function sharedSession(): Promise<string | undefined> {
  const cache = await caches.open(cacheName);
  return (await cache.match(address))?.text();
}
