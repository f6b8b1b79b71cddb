import type { Page } from 'playwright-core';

/** Waits until the page's database has had so many changes. */
export async function stored(page: Page, changes: number): Promise<void> {
  // Not by `waitForFunction`, which takes the promise of an asynchronous function for `true`.
  const count = () => page.evaluate(countLogged);
  while ((await count()) < changes) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function countLogged(): Promise<number> {
  const [{ name } = {}] = await indexedDB.databases();
  if (name === undefined) return 0;
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error(`${name} does not open`));
  });
  const hasLog = database.objectStoreNames.contains('log');
  const count = !hasLog
    ? 0
    : await new Promise<number>((resolve) => {
        const counting = database.transaction('log').objectStore('log').count();
        counting.onsuccess = () => resolve(counting.result);
      });
  database.close();
  return count;
}
