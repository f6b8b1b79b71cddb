import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import { RESULT_KEYS, type Transaction } from './stores.ts';

/** More keys are not listed: the record is written again whenever a result is added or removed. */
const MAX_LISTED = 2_000;

/**
 * The keys of all results. They are also listed in a record of their own: Chromium reads the results themselves to find
 * their keys, which takes ten times as long at start-up.
 */
export async function readResultKeys(
  transaction: Transaction<IDBTransactionMode>,
): Promise<readonly string[]> {
  return (await listedKeys(transaction)) ?? transaction.objectStore('results').getAllKeys();
}

/** Updates the list of keys after the results of a plan were written. */
export async function updateResultKeys(
  transaction: Transaction<'readwrite'>,
  { directory, results }: RewritePlan,
): Promise<void> {
  const meta = transaction.objectStore('meta');
  // With a codec, the directory lists them.
  if (directory !== undefined) return meta.delete(RESULT_KEYS);
  const listed = await listedKeys(transaction);
  const keys = new Set(listed ?? (await transaction.objectStore('results').getAllKeys()));
  let isSame = listed !== undefined;
  for (const [key, result] of results) {
    if (keys.has(key) === (result !== undefined)) continue;
    isSame = false;
    if (result === undefined) keys.delete(key);
    else keys.add(key);
  }
  if (isSame) return;
  await (keys.size > MAX_LISTED ? meta.delete(RESULT_KEYS) : meta.put([...keys], RESULT_KEYS));
}

/** The listed keys; undefined if there is no list. Whatever changes the keys of results updates or deletes it. */
async function listedKeys(
  transaction: Transaction<IDBTransactionMode>,
): Promise<readonly string[] | undefined> {
  const keys = await transaction.objectStore('meta').get(RESULT_KEYS);
  return Array.isArray(keys) ? (keys as readonly string[]) : undefined; // as written by `updateResultKeys`
}
