import { Controller, createResource, type HoldfastError } from 'holdfast';
import { indexedDB as indexedDBPlugin } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { Note } from '../../support/entities.ts';

const NoteResource = createResource({
  path: '/notes/:id',
  schema: Note,
  dataExpiryLength: Infinity,
  optimistic: true,
});

const isOutbox = location.search === '?outbox';
const problems: string[] = [];
const onError = (error: HoldfastError): void => void problems.push(error.message);
const storage = indexedDBPlugin({ name: 'kills', persist: 'all', onError });
const queue = outbox({ endpoints: [NoteResource], name: 'kills-outbox', onError });
// The outbox has a database of its own only where there is no storage.
const controller = new Controller({ plugins: isOutbox ? [queue] : [storage] });

const isLost = (error: string): boolean => error.includes('has deleted it');

function set(id: string, bytes: number): void {
  controller.set(Note, { id }, { id, text: 'x'.repeat(bytes) });
}

/** What a visit writes. Each resolves when that is acknowledged, and continues to write the same kind. */
const writes = {
  async flush(id: string): Promise<void> {
    set(id, 1_000);
    await controller.flush();
    void (async () => {
      for (let nth = 0; ; nth++) {
        set('other', 2_000 + nth);
        await controller.flush();
      }
    })();
  },
  /** So many that the log is compacted next, perhaps by the next visit. */
  async compaction(id: string): Promise<void> {
    set(id, 10);
    for (let nth = 0; nth < 1_100; nth++) set(`many-${nth}`, 10);
    await controller.flush();
  },
  async reset(): Promise<void> {
    await controller.reset();
    void (async () => {
      for (;;) await controller.reset();
    })();
  },
  /** Nothing before the page is left. */
  async unload(id: string): Promise<void> {
    set(id, 1_000);
    location.href = '/blank';
  },
  async outbox(id: string): Promise<void> {
    await controller.fetch(NoteResource.create, { text: id });
    void (async () => {
      for (;;) await controller.fetch(NoteResource.create, { text: 'other' });
    })();
  },
  /** Those of another library. */
  async foreign(id: string): Promise<void> {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('foreign', 1);
      opening.onupgradeneeded = () => void opening.result.createObjectStore('store');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('not open'));
    });
    const put = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction('store', 'readwrite', { durability: 'strict' });
        transaction.objectStore('store').put('x'.repeat(1_000), id);
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
      });
    await put();
    void (async () => {
      for (;;) await put();
    })().catch(() => undefined);
  },
};

const kills = {
  /** What an earlier visit has left: ids of notes, or texts of queued mutations. */
  async found(): Promise<{ readonly ids: readonly string[]; readonly isWiped: boolean }> {
    await controller.restored;
    if (isOutbox) await queue.drain();
    const ids = isOutbox
      ? queue.status.get().entries.map(({ args }) => (args.at(-1) as { readonly text: string }).text)
      : [...(controller.getState().tables['Note']?.entries() ?? [])]
          .filter(([, { value }]) => value !== undefined)
          .map(([pk]) => pk);
    return { ids, isWiped: problems.some(isLost) };
  },

  write: (kind: keyof typeof writes, id: string): Promise<void> => writes[kind](id),
};
Object.assign(globalThis, { kills });
export type KillsPage = typeof kills;
export type WriteKind = keyof typeof writes;
