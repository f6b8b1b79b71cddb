import type { IDBPObjectStore } from 'idb';
import { errorName } from './errorName.ts';

/**
 * Replaces a record whose absence would mean something else: an entry that is no longer in an outbox was sent, and a
 * sequence number of a log is never reused. A tab that has the record in memory writes it again.
 */
export const LOST = false;

/** Records checked in one transaction. */
const RECORDS_PER_CHECK = 64;

/**
 * The errors for a record whose file is missing or damaged: the first in current versions of Chromium, the second in earlier
 * ones. An `UnknownError` is no sign of that: it is transient, as when memory is low
 * (https://github.com/mdn/content/pull/37041), or after WebKit has suspended a page
 * (https://github.com/Expensify/react-native-onyx/pull/832).
 */
const NOT_READABLE = 'NotReadableError';
const UNREADABLE = [NOT_READABLE, 'DataError'];

/** Whether an error may come from an unreadable record. */
export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.includes(errorName(error));
}

/** Runs one request in a transaction of its own. */
export type RunRequest = <T>(
  store: string,
  run: (records: IDBPObjectStore<unknown, [string], string>) => Promise<T>,
) => Promise<T>;

/** The position of a record. */
export type RecordLocation = readonly [store: string, key: IDBValidKey];

/**
 * Finds the records that the browser can no longer read. Chromium keeps large records in separate files; if one is
 * missing or damaged, every `getAll` over it fails, and with it the transaction
 * (https://github.com/w3c/IndexedDB/issues/423, https://github.com/jakearchibald/idb/issues/335). Reads all records.
 *
 * @returns their positions; empty if no record can be read and no file is known to be missing, which is not a failure
 * of single records
 * @throws DOMException when a request fails for any other reason
 */
export async function findUnreadable(
  stores: Iterable<string>,
  request: RunRequest,
): Promise<readonly RecordLocation[]> {
  const unreadable: RecordLocation[] = [];
  // Evidence that single records are the cause.
  let signs = 0;
  const isReadable = async (store: string, query: IDBValidKey | IDBKeyRange): Promise<boolean> => {
    try {
      const { length } = await request(store, (records) => records.getAll(query));
      signs += length;
      return true;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (errorName(error) === NOT_READABLE) signs += 1;
      return false;
    }
  };
  for (const store of stores) {
    const keys = await request(store, (records) => records.getAllKeys());
    for (let start = 0; start < keys.length; start += RECORDS_PER_CHECK) {
      const some = keys.slice(start, start + RECORDS_PER_CHECK);
      const [first, last] = [some[0], some.at(-1)] as [IDBValidKey, IDBValidKey]; // there is at least one
      if (await isReadable(store, IDBKeyRange.bound(first, last))) continue;
      // Each in its own transaction, which an unreadable record aborts.
      for (const key of some) if (!(await isReadable(store, key))) unreadable.push([store, key]);
    }
  }
  return signs === 0 ? [] : unreadable;
}
