import { deleteDB, openDB } from 'idb';
import { isWebKit } from './isWebKit.ts';
import { withTimeout } from './withTimeout.ts';

/** A database that exists only while the question is asked. */
const NAME = 'holdfast (files)';

/** How long an answer may take, in ms. */
const WITHIN = 2_000;

/** What is known of whether IndexedDB stores Blobs here. It is asked once, when one is to be stored. */
export class BlobSupport {
  /**
   * Undefined until it was asked, where the browser may refuse Blobs. Private windows of Safari do, and a transaction
   * with another request behind such a Blob never ends (observed in WebKitGTK 2.50; no bug found): so `ask` tries a Blob
   * by itself first.
   */
  isSupported: boolean | undefined = isWebKit() ? undefined : true;
  #asking: Promise<boolean> | undefined;
  readonly #onRefused: (() => void) | undefined;

  /** @param onRefused - called once, if it stores none */
  constructor(onRefused?: () => void) {
    this.#onRefused = onRefused;
  }

  /** Asks IndexedDB, once. */
  ask(): Promise<boolean> {
    return (this.#asking ??= this.#ask());
  }

  async #ask(): Promise<boolean> {
    this.isSupported = await withTimeout(WITHIN, tryBlob(), 'No answer').catch(() => false);
    if (!this.isSupported) this.#onRefused?.();
    return this.isSupported;
  }
}

/** Whether a value that is about to be stored is a Blob, or contains one. */
export function holdsBlob(value: unknown): boolean {
  return blobsIn(value).next().done !== true;
}

/**
 * Whether all Blobs in a value can be read. A file on the user's disk cannot be once it was changed or deleted, and
 * Chromium then aborts a transaction that stores it with a `DataError`.
 */
export async function isReadable(value: unknown): Promise<boolean> {
  try {
    for (const blob of blobsIn(value)) await blob.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function* blobsIn(value: unknown): Generator<Blob, void> {
  const found = new Set([value]);
  // A set also visits what is added during the loop, and each object once: values may be deep, and may contain themselves.
  for (const member of found) {
    if (typeof member !== 'object' || member === null || ArrayBuffer.isView(member)) continue;
    if (member instanceof Blob) yield member;
    const members = member instanceof Map ? [...member].flat() : member instanceof Set ? member : undefined;
    for (const inner of members ?? Object.values(member)) if (typeof inner === 'object') found.add(inner);
  }
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
