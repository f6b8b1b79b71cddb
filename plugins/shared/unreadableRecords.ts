import type { IDBPObjectStore } from 'idb';
import { errorName } from './errorName.ts';

/**
 * Stands where a record was whose absence would mean something else: what is no longer in an outbox was sent. Whoever
 * still knows the record writes it again.
 */
export const LOST = false;

/** Records looked at in one transaction, where all can be read. */
const LOOKED_AT_ONCE = 64;

/** What reading a record fails with whose file is gone (Chromium gives the first of them), or damaged. */
const NOT_READABLE = 'NotReadableError';
const UNREADABLE = [NOT_READABLE, 'DataError', 'UnknownError'];

/** Whether an error may come from a record that the browser cannot read any more. */
export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.includes(errorName(error));
}

/** Runs one request in a transaction of its own. */
export type Request = <T>(
  store: string,
  mode: 'readonly' | 'readwrite',
  run: (records: IDBPObjectStore<unknown, [string], string, 'readwrite'>) => Promise<T>,
) => Promise<T>;

/**
 * Deletes each record that the browser cannot read any more. Chromium keeps large records in files of their own; when
 * one is gone or damaged, every `getAll` over it fails, and with it the transaction
 * (https://github.com/w3c/IndexedDB/issues/423, https://github.com/jakearchibald/idb/issues/335). Reads everything.
 *
 * @param marked - the store in which `LOST` takes the place of what is deleted
 * @returns where the deleted records were, such as `log 5`; nothing where no record can be read and no file is known to
 * be gone, which is no matter of single records
 * @throws DOMException when a request fails for any other reason; then nothing is deleted
 */
export async function dropUnreadable(
  stores: Iterable<string>,
  request: Request,
  marked: string,
): Promise<readonly string[]> {
  const unreadable: (readonly [store: string, key: IDBValidKey])[] = [];
  // What says that single records are the matter.
  let signs = 0;
  const isReadable = async (store: string, query: IDBValidKey | IDBKeyRange): Promise<boolean> => {
    try {
      const { length } = await request(store, 'readonly', (records) => records.getAll(query));
      signs += length;
      return true;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (errorName(error) === NOT_READABLE) signs += 1;
      return false;
    }
  };
  for (const store of stores) {
    const keys = await request(store, 'readonly', (records) => records.getAllKeys());
    for (let start = 0; start < keys.length; start += LOOKED_AT_ONCE) {
      const some = keys.slice(start, start + LOOKED_AT_ONCE);
      const [first, last] = [some[0], some.at(-1)];
      if (first === undefined || last === undefined) break;
      if (await isReadable(store, IDBKeyRange.bound(first, last))) continue;
      // Each in a transaction of its own, which a record that cannot be read ends.
      for (const key of some) if (!(await isReadable(store, key))) unreadable.push([store, key]);
    }
  }
  if (signs === 0) return [];
  for (const [store, key] of unreadable)
    await request<unknown>(store, 'readwrite', (records) =>
      store === marked ? records.put(LOST, key) : records.delete(key),
    );
  return unreadable.map(([store, key]) => `${store} ${JSON.stringify(key)}`);
}
