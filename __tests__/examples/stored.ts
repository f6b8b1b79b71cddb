import type { Page } from 'playwright-core';

/** Waits until the page's database has had so many changes. */
export async function stored(page: Page, changes: number): Promise<void> {
  await page.waitForFunction(async (wanted) => {
    const [{ name } = {}] = await indexedDB.databases();
    if (name === undefined) return false;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error(`${name} does not open`));
    });
    if (!database.objectStoreNames.contains('log')) {
      database.close();
      return false;
    }
    const count = await new Promise<number>((resolve) => {
      const counting = database.transaction('log').objectStore('log').count();
      counting.onsuccess = () => resolve(counting.result);
    });
    database.close();
    return count >= wanted;
  }, changes);
}
