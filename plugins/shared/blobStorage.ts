import { deleteDB, openDB } from 'idb';
import { isWebKit } from './isWebKit.ts';
import { withTimeout } from './withTimeout.ts';

/** A database that exists only while the question is asked. */
const NAME = 'holdfast (files)';

/** How long an answer may take, in ms. */
const WITHIN = 2_000;

/**
 * Whether this browser may be unable to store Blobs in IndexedDB. Private windows of Safari refuse them, and a
 * transaction with another request behind such a Blob never ends (observed in WebKitGTK 2.50; no bug found): so
 * `storesBlobs` tries a Blob by itself first.
 */
export const mayRefuseBlobs: () => boolean = isWebKit;

/** Whether IndexedDB stores Blobs here. */
export async function storesBlobs(): Promise<boolean> {
  try {
    return await withTimeout(WITHIN, tryBlob(), 'No answer');
  } catch {
    return false;
  }
}

/** Whether a value that is about to be stored is a Blob, or contains one. */
export function holdsBlob(value: unknown): boolean {
  const found = new Set([value]);
  // A set also visits what is added during the loop, and each object once: values may be deep, and may contain themselves.
  for (const member of found) {
    if (typeof member !== 'object' || member === null || ArrayBuffer.isView(member)) continue;
    if (member instanceof Blob) return true;
    const members = member instanceof Map ? [...member].flat() : member instanceof Set ? member : undefined;
    for (const inner of members ?? Object.values(member)) if (typeof inner === 'object') found.add(inner);
  }
  return false;
}

async function tryBlob(): Promise<boolean> {
  const database = await openDB(NAME, 1, {
    upgrade: (created, _from, _to, transaction) => {
      // Opening fails too.
      transaction.done.catch(() => undefined);
      created.createObjectStore('files');
    },
  });
  try {
    await database.put('files', new Blob(['file']), 0);
    return true;
  } finally {
    database.close();
    void deleteDB(NAME).catch(() => undefined);
  }
}
