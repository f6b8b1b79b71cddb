import type { DBSchema, IDBPDatabase } from 'idb';

/** Records looked at in one transaction, where all can be read. */
const LOOKED_AT_ONCE = 64;

/**
 * Deletes each record that the browser cannot read any more. Chromium keeps large records in files of their own; when
 * one is gone or damaged, every `getAll` over it fails, and with it the transaction
 * (https://github.com/w3c/IndexedDB/issues/423, https://github.com/jakearchibald/idb/issues/335). Reads everything.
 *
 * @returns where the deleted records were, such as `log 5`; nothing where no record can be read, which is no matter of
 * single records
 */
export async function dropUnreadable<Stores extends DBSchema>(
  schema: IDBPDatabase<Stores>,
): Promise<readonly string[]> {
  const database = schema as unknown as IDBPDatabase; // whatever its stores hold
  const unreadable: (readonly [store: string, key: IDBValidKey])[] = [];
  let readable = 0;
  for (const store of database.objectStoreNames) {
    const keys = await database.getAllKeys(store);
    for (let start = 0; start < keys.length; start += LOOKED_AT_ONCE) {
      const some = keys.slice(start, start + LOOKED_AT_ONCE);
      const [first, last] = [some[0], some.at(-1)];
      if (first === undefined || last === undefined) break;
      const isWhole = await database.getAll(store, IDBKeyRange.bound(first, last)).then(
        () => true,
        () => false,
      );
      if (isWhole) readable += some.length;
      else
        for (const key of some) {
          // Each in a transaction of its own, which a record that cannot be read ends.
          const isReadable = await database.get(store, key).then(
            () => true,
            () => false,
          );
          if (isReadable) readable += 1;
          else unreadable.push([store, key]);
        }
    }
  }
  if (readable === 0) return [];
  for (const [store, key] of unreadable) await database.delete(store, key);
  return unreadable.map(([store, key]) => `${store} ${JSON.stringify(key)}`);
}
