import { deleteDB, openDB } from 'idb';

/**
 * What the browser says to have lost as it makes a database anew; undefined where it has lost nothing. Chromium alone
 * says so.
 */
export function lossOf(
  event: IDBVersionChangeEvent & { readonly dataLossMessage?: string },
): string | undefined {
  return event.dataLossMessage === '' ? undefined : event.dataLossMessage;
}

/**
 * Has Chromium begin a new log of what it writes. Its LevelDB reuses the log that it finds (`reuse_logs`,
 * https://github.com/google/leveldb/issues/1287), also behind an entry that a crash has left torn. It can read that log
 * once; what comes behind makes it look damaged, and the start after this one deletes every database of the origin.
 * Deleting a database is what makes Chromium leave a log.
 *
 * @param database - name of the database that is about to be written
 */
export async function renewLog(database: string): Promise<void> {
  try {
    if (!('dataLossMessage' in IDBVersionChangeEvent.prototype)) return;
    const empty = `${database} (new log)`;
    (await openDB(empty)).close();
    await deleteDB(empty);
  } catch {
    // Whatever is the matter, writing tells of it.
  }
}
