import { deleteDB, openDB } from 'idb';
import { isWebKit } from '../shared/isWebKit.ts';
import { withTimeout } from '../shared/withTimeout.ts';

/** A database that exists only while the question is asked. */
const NAME = 'holdfast-outbox (files)';

/** How long an answer may take, in ms. */
const WITHIN = 2_000;

/**
 * Whether IndexedDB stores Blobs here. Private windows of Safari refuse them, and a transaction with another request
 * behind such a Blob never ends (observed in WebKitGTK 2.50; no bug found): so a Blob is tried by itself first.
 */
export async function storesBlobs(): Promise<boolean> {
  if (!isWebKit()) return true;
  try {
    return await withTimeout(WITHIN, tryBlob(), 'No answer');
  } catch {
    return false;
  }
}

async function tryBlob(): Promise<boolean> {
  const database = await openDB(NAME, 1, { upgrade: (created) => void created.createObjectStore('files') });
  try {
    await database.put('files', new Blob(['file']), 0);
    return true;
  } finally {
    database.close();
    void deleteDB(NAME).catch(() => undefined);
  }
}
