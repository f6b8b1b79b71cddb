import { isRecord } from '../../shared/guards.ts';
import { decodeHeader, type Header } from '../records/header.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import { HEADER, RESULT_KEYS, type Transaction } from './stores.ts';

/** More keys are not listed: the record is written again whenever a result is added or removed. */
const MAX_LISTED = 2_000;

/**
 * The keys of all results. They are also listed in a record of their own: Chromium reads the results themselves to find
 * their keys, which takes ten times as long at start-up.
 */
export async function readResultKeys(
  transaction: Transaction<IDBTransactionMode>,
): Promise<readonly string[]> {
  const header = transaction.objectStore('meta').get(HEADER);
  return (
    (await listedKeys(transaction, decodeHeader(await header))) ??
    transaction.objectStore('results').getAllKeys()
  );
}

/**
 * Updates the list of keys after the results of a plan were written.
 *
 * @param before - the header before the plan
 * @returns the `resultKeysAt` of the next header
 */
export async function updateResultKeys(
  transaction: Transaction<'readwrite'>,
  { directory, results, header: { revision } }: RewritePlan,
  before: Header,
): Promise<number> {
  // With a codec, the directory lists them.
  if (directory !== undefined) return 0;
  const listed = await listedKeys(transaction, before);
  const keys = new Set(listed ?? (await transaction.objectStore('results').getAllKeys()));
  let isSame = listed !== undefined;
  for (const [key, result] of results) {
    if (keys.has(key) === (result !== undefined)) continue;
    isSame = false;
    if (result === undefined) keys.delete(key);
    else keys.add(key);
  }
  if (isSame) return before.resultKeysAt;
  if (keys.size > MAX_LISTED) return 0;
  await transaction.objectStore('meta').put({ revision, keys: [...keys] }, RESULT_KEYS);
  return revision;
}

/** The listed keys; undefined if there is no list, or not that of this header. */
async function listedKeys(
  transaction: Transaction<IDBTransactionMode>,
  { resultKeysAt }: Header,
): Promise<readonly string[] | undefined> {
  if (resultKeysAt === 0) return undefined;
  const record = await transaction.objectStore('meta').get(RESULT_KEYS);
  return isRecord(record) && record.revision === resultKeysAt && Array.isArray(record.keys)
    ? (record.keys as readonly string[]) // as written by `updateResultKeys`
    : undefined;
}
