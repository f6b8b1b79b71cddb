import { deleteDB, openDB } from 'idb';
import { withTimeout } from './withTimeout.ts';

/**
 * The data that the browser reports as lost when it recreates a database; undefined if none. Only Chromium reports
 * it, in a member that is not standardized (`dataLossMessage` in Blink's `idb_version_change_event.idl`).
 */
export function dataLossOf(
  event: IDBVersionChangeEvent & { readonly dataLossMessage?: string },
): string | undefined {
  return event.dataLossMessage === '' ? undefined : event.dataLossMessage;
}

/**
 * How long Chromium may still append to the old log after it has reported the deletion, in ms: it starts the new one
 * on another thread. Observed up to 200 ms on a busy machine.
 */
const SWITCH_WITHIN = 200;

/**
 * How often an empty database is created and deleted. LevelDB skips the switch of logs if it groups the request with the
 * writes of other threads (`BuildBatchGroup` in its `db_impl.cc`): in 6 of 500 cases after one deletion, with busy cores
 * and a busy disk, and in none after two.
 */
const DELETIONS = 2;

/**
 * How long writes wait for the new log, in ms. While Chromium clears site data, opening any database of the origin may
 * take 30 s (observed in 156; no bug found).
 */
const RENEW_WITHIN = 5_000;

/**
 * Has Chromium start a new log of writes. Its LevelDB reuses an existing log (`reuse_logs`,
 * https://github.com/google/leveldb/issues/1287), even after an entry that a crash has torn. It can read that log
 * once; later entries make it look damaged, and the second start deletes every database of the origin. Deleting a
 * database makes Chromium start a new log, nearly always.
 *
 * @param database - name of the database that will be written
 */
export async function renewLog(database: string): Promise<void> {
  try {
    if (!('dataLossMessage' in IDBVersionChangeEvent.prototype)) return;
    await withTimeout(RENEW_WITHIN, startNewLog(`${database} (new log)`), 'No new log yet');
  } catch {
    // A failure shows when the database is written.
  }
}

/** @param empty - name of a database that nothing else uses */
async function startNewLog(empty: string): Promise<void> {
  for (let nth = 0; nth < DELETIONS; nth++) {
    (await openDB(empty)).close();
    await deleteDB(empty);
  }
  await new Promise((resolve) => setTimeout(resolve, SWITCH_WITHIN));
}
